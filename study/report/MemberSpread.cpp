#include "study/report/MemberSpread.hpp"

#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "composition/results/CfFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/files/NetcdfFile.hpp"

namespace openmi {
namespace {

constexpr std::array kShares = {0.05, 0.25, 0.5, 0.75, 0.95};
constexpr std::size_t kValuesAtOnce = 8'000'000;

/// The variable of a column: those with an id are the series, in order.
int VariableOf(const CfFile& file, std::size_t column) {
  std::size_t seen = 0;
  for (int variable = 0; variable < file.VariableCount(); ++variable) {
    if (!file.Text(variable, "id")) continue;
    if (seen++ == column) return variable;
  }
  throw FormatError({.file = file.Path().string()}, "expected the rows of a series, found none", "run the study again");
}

std::vector<double> Read(const CfFile& file, int variable, std::span<const std::size_t> start,
                         std::span<const std::size_t> count) {
  std::size_t size = 1;
  for (const std::size_t one : count) size *= one;
  std::vector<double> values(size);
  if (size == 0) return values;
  const auto lock = LockNetcdf();
  file.Check(nc_get_vara_double(file.Id(), variable, start.data(), count.data(), values.data()));
  return values;
}

}  // namespace

double QuantileOf(std::span<const double> sorted, double share) {
  if (sorted.empty()) return kNotANumber;
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (place - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

SpreadBand MemberSpread::Band(std::size_t column, std::size_t element, std::uint64_t members) const {
  const SeriesColumn& one = columns_.Columns()[column];
  const std::size_t times = one.times.size();
  SpreadBand band;
  band.quantiles.assign(kShares.size(), std::vector<double>(times, kNotANumber));
  CfFile file(netcdf_, "read results");
  file.Open();
  const int variable = VariableOf(file, column);
  const bool has_elements = !one.series.elements.empty();
  const std::size_t block = std::max<std::size_t>(1, kValuesAtOnce / std::max<std::uint64_t>(members, 1));
  std::vector<double> sorted;
  for (std::size_t first = 0; first < times; first += block) {
    const std::size_t count = std::min(block, times - first);
    const std::array<std::size_t, 3> start = {0, first, element};
    const std::array<std::size_t, 3> counts = {members, count, 1};
    const std::size_t rank = has_elements ? 3 : 2;
    const std::vector<double> values =
        Read(file, variable, std::span(start).first(rank), std::span(counts).first(rank));
    for (std::size_t time = 0; time < count; ++time) {
      sorted.clear();
      for (std::uint64_t member = 0; member < members; ++member) {
        const double value = values[member * count + time];
        if (std::isfinite(value)) sorted.push_back(value);
      }
      std::ranges::sort(sorted);
      for (std::size_t i = 0; i < kShares.size(); ++i) band.quantiles[i][first + time] = QuantileOf(sorted, kShares[i]);
    }
  }
  return band;
}

SpreadMap MemberSpread::Map(std::size_t column, std::uint64_t members) const {
  const SeriesColumn& one = columns_.Columns()[column];
  const std::size_t width = one.series.Width();
  const std::size_t times = one.times.size();
  // After Welford: differences to the mean so far, so that equal members have no spread at all.
  std::vector<double> mean_of(width, 0.0);
  std::vector<double> squares(width, 0.0);
  std::vector<double> count(width, 0.0);
  CfFile file(netcdf_, "read results");
  file.Open();
  const int variable = VariableOf(file, column);
  for (std::uint64_t member = 0; member < members; ++member) {
    const std::array<std::size_t, 3> start = {member, 0, 0};
    const std::array<std::size_t, 3> counts = {1, times, width};
    const std::vector<double> values = Read(file, variable, start, counts);
    for (std::size_t k = 0; k < width; ++k) {
      double total = 0.0;
      double present = 0.0;
      for (std::size_t time = 0; time < times; ++time) {
        const double value = values[time * width + k];
        if (!std::isfinite(value)) continue;
        total += value;
        present += 1.0;
      }
      if (present == 0.0) continue;
      const double mean = total / present;
      count[k] += 1.0;
      const double before = mean - mean_of[k];
      mean_of[k] += before / count[k];
      squares[k] += before * (mean - mean_of[k]);
    }
  }
  SpreadMap map{std::vector<double>(width, kNotANumber), std::vector<double>(width, kNotANumber)};
  for (std::size_t k = 0; k < width; ++k) {
    if (count[k] < 2.0) continue;
    map.mean[k] = mean_of[k];
    map.deviation[k] = std::sqrt(squares[k] / (count[k] - 1.0));
  }
  return map;
}

}  // namespace openmi
