#include "fmi-bridge/fmi/run/SparseJacobian.hpp"

#include <algorithm>

namespace openmi::fmi {

std::optional<SparseJacobian> SparseJacobian::Of(const ModelDescription& description, double most_share) {
  const std::vector<Unknown>& derivatives = description.structure.derivatives;
  const std::size_t size = derivatives.size();
  std::vector<std::int64_t> state_of(description.variables.size(), -1);  // positions in the state vector
  for (std::size_t i = 0; i < size; ++i) {
    const Variable& derivative = description.At(derivatives[i].variable);
    if (derivative.IsArray() || derivative.derivative_of == kNowhere || derivatives[i].depends_on_all) {
      return std::nullopt;
    }
    state_of[static_cast<std::size_t>(derivative.derivative_of)] = static_cast<std::int64_t>(i);
  }
  if (size == 0) return std::nullopt;
  const auto most = static_cast<std::size_t>(most_share * static_cast<double>(size) * static_cast<double>(size));
  std::vector<std::vector<std::int64_t>> columns(size);
  std::size_t count = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const auto row = static_cast<std::int64_t>(i);
    columns[i].push_back(row);
    for (const Index variable : derivatives[i].dependencies) {
      const std::int64_t state = variable == kNowhere ? -1 : state_of[static_cast<std::size_t>(variable)];
      if (state >= 0 && state != row) columns[static_cast<std::size_t>(state)].push_back(row);
    }
    count += derivatives[i].dependencies.size();
    if (count > 2 * most + size) return std::nullopt;  // also if each is named twice
  }
  SparseJacobian made;
  for (std::vector<std::int64_t>& column : columns) {
    std::ranges::sort(column);
    const auto end = std::unique(column.begin(), column.end());  // clang 14 refuses std::ranges::unique
    made.rows_.insert(made.rows_.end(), column.begin(), end);
    made.starts_.push_back(static_cast<std::int64_t>(made.rows_.size()));
  }
  if (made.Count() > std::max(most, size)) return std::nullopt;
  made.sum_.resize(size);
  made.MakeGroups();
  return made;
}

void SparseJacobian::MakeGroups() {
  const std::size_t size = Size();
  std::vector<std::vector<std::uint32_t>> groups;
  // The groups that have a row already, by row: a column goes into the first group that has none of its rows.
  std::vector<std::vector<std::uint32_t>> of_row(size);
  std::vector<std::size_t> seen;  // by group: the last column that met it
  for (std::size_t column = 0; column < size; ++column) {
    const std::span<const std::int64_t> rows = std::span(rows_).subspan(
        static_cast<std::size_t>(starts_[column]), static_cast<std::size_t>(starts_[column + 1] - starts_[column]));
    for (const std::int64_t row : rows) {
      for (const std::uint32_t group : of_row[static_cast<std::size_t>(row)]) seen[group] = column + 1;
    }
    const auto open = std::ranges::find_if(seen, [&](std::size_t last) { return last != column + 1; });
    const auto group = static_cast<std::uint32_t>(open - seen.begin());
    if (open == seen.end()) {
      groups.emplace_back();
      seen.push_back(0);
    }
    groups[group].push_back(static_cast<std::uint32_t>(column));
    for (const std::int64_t row : rows) of_row[static_cast<std::size_t>(row)].push_back(group);
  }
  for (const std::vector<std::uint32_t>& group : groups) {
    grouped_.insert(grouped_.end(), group.begin(), group.end());
    group_starts_.push_back(grouped_.size());
  }
}

void SparseJacobian::Evaluate(
    const std::function<void(std::span<const std::uint32_t> columns, std::span<double> out)>& column_sum,
    std::span<double> values) {
  for (std::size_t group = 0; group < Groups(); ++group) {
    const std::span<const std::uint32_t> columns =
        std::span(grouped_).subspan(group_starts_[group], group_starts_[group + 1] - group_starts_[group]);
    column_sum(columns, sum_);
    for (const std::uint32_t column : columns) {
      for (auto at = static_cast<std::size_t>(starts_[column]); at < static_cast<std::size_t>(starts_[column + 1]);
           ++at) {
        values[at] = sum_[static_cast<std::size_t>(rows_[at])];
      }
    }
  }
}

}  // namespace openmi::fmi
