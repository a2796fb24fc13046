#include "study/results/SeriesColumns.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "composition/results/JournalBlock.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {

SeriesColumns::SeriesColumns(const StudyJournalReader& journal) {
  // The order of the composition: by the first member that has a series. Shapes are sorted by hash, which is no order.
  std::vector<std::uint64_t> order;
  std::set<std::uint64_t> known;
  for (std::uint64_t member = 0; member < journal.Members().size() && known.size() < journal.Shapes().size();
       ++member) {
    const auto result = journal.Read(member);
    if (!result) continue;
    for (const MemberSeries& series : result->series) {
      if (known.insert(series.shape).second) order.push_back(series.shape);
    }
  }
  std::vector<std::string> keys;
  std::vector<std::set<std::pair<double, double>>> times;  // by column: end and start
  for (const std::uint64_t hash : order) {
    const auto found = journal.Shapes().find(hash);
    if (found == journal.Shapes().end()) continue;
    const SeriesShape& shape = found->second;
    const std::string key = PackSeries(shape.series) + PackElements(shape.series, std::nullopt);
    const auto at = static_cast<std::size_t>(std::ranges::find(keys, key) - keys.begin());
    if (at == keys.size()) {
      keys.push_back(key);
      columns_.push_back({shape.series, {}, {}});
      times.emplace_back();
    }
    places_[hash].column = at;
    for (std::size_t row = 0; row < shape.times.size(); ++row) times[at].emplace(shape.times[row], shape.begins[row]);
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    for (const auto& [end, begin] : times[i]) {
      columns_[i].times.push_back(end);
      columns_[i].begins.push_back(begin);
    }
  }
  for (auto& [hash, place] : places_) {
    const SeriesShape& shape = journal.Shapes().at(hash);
    const SeriesColumn& column = columns_[place.column];
    if (shape.times == column.times && shape.begins == column.begins) continue;
    const auto& all = times[place.column];
    std::map<std::pair<double, double>, std::size_t> row_of;
    for (const auto& one : all) row_of.emplace(one, row_of.size());
    for (std::size_t row = 0; row < shape.times.size(); ++row) {
      place.rows.push_back(row_of.at({shape.times[row], shape.begins[row]}));
    }
  }
}

const SeriesColumns::Place& SeriesColumns::PlaceOf(std::uint64_t shape) const {
  const auto found = places_.find(shape);
  if (found != places_.end()) return found->second;
  throw FormatError({}, "expected the description of a series in the journal, found none", "the journal is damaged");
}

std::size_t SeriesColumns::ColumnOf(std::uint64_t shape) const {
  return PlaceOf(shape).column;
}

const std::vector<double>& SeriesColumns::Placed(const MemberSeries& series) {
  const Place& place = PlaceOf(series.shape);
  const SeriesColumn& column = columns_[place.column];
  const std::size_t width = column.series.Width();
  if (place.rows.empty() && series.values.size() == column.times.size() * width) return series.values;
  placed_.assign(column.times.size() * width, kNotANumber);
  for (std::size_t row = 0; row < place.rows.size() && (row + 1) * width <= series.values.size(); ++row) {
    std::copy_n(series.values.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                placed_.begin() + static_cast<std::ptrdiff_t>(place.rows[row] * width));
  }
  return placed_;
}

}  // namespace openmi
