#include "timespace/testing/TableComponent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {

TableComponent::TableComponent(std::vector<TableRow> rows, const std::string& unit,
                               std::shared_ptr<const ISpatialDefinition> where, std::string id)
    : StatefulSteppingComponent(std::move(id)), rows_(std::move(rows)) {
  if (rows_.empty()) throw RangeError({.component = Caption()}, "expected rows, found none", "give at least one");
  const bool spans = rows_[0].duration.count > 0.0;
  const std::size_t width = where ? static_cast<std::size_t>(where->ElementCount()) : 1;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const TableRow& row = rows_[i];
    if (row.values.size() != width || (row.duration.count > 0.0) != spans) {
      throw RangeError({.component = Caption()},
                       fmt::format("expected {} with {} values, found row {} with {}", spans ? "spans" : "instants",
                                   width, i, row.values.size()),
                       "give rows of one kind");
    }
    const bool follows = i == 0 || (spans ? SameTime(EndOf(i - 1), row.begin) : Before(rows_[i - 1].begin, row.begin));
    if (!follows) {
      throw RangeError({.component = Caption()},
                       fmt::format("expected row {} after the one before, found it at {}", i, FormatIsoTime(row.begin)),
                       "sort the rows; spans leave no gaps");
    }
  }
  SetRestartable(true);
  output_ = AddOutput("values", unit, std::move(where), {.gives = spans ? OutputTime::Span : OutputTime::Instant});
}

void TableComponent::Setup() {
  updates_ = 0;
  SetDefaultTimes(rows_.front().begin, EndOf(rows_.size() - 1));
}

Stamp TableComponent::StepEnd(Stamp now) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (Before(now, EndOf(i))) return EndOf(i);
  }
  return now + Days{1.0};
}

void TableComponent::Write(std::size_t row) {
  std::ranges::copy(rows_[row].values, output_.Next().begin());
}

void TableComponent::Start(Stamp) {
  if (Output().Gives() == OutputTime::Instant) Write(0);
}

void TableComponent::Step(Stamp, Stamp to) {
  ++updates_;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (SameTime(EndOf(i), to)) return Write(i);
  }
}

}  // namespace openmi
