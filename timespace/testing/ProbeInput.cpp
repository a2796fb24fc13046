#include "timespace/testing/ProbeInput.hpp"

#include <fmt/format.h>

#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Quantity.hpp"

namespace openmi {

ProbeInput::ProbeInput(std::string id, const std::string& unit, std::shared_ptr<const ISpatialDefinition> where)
    : InputOf(std::move(id), std::make_unique<Quantity>(Unit::Parse(unit)), nullptr), where_(std::move(where)) {}

void ProbeInput::SetValues(const IBaseValueSet* values) {
  values_ = dynamic_cast<const ITimeSpaceValueSet*>(values);
  if (values != nullptr && values_ == nullptr) {
    throw TypeError({.item = Id()}, fmt::format("expected values by time and element, found a set of {} indices",
                                                values->NumberOfIndices()));
  }
  RaiseItemChanged("values");
}

Stamp ProbeInput::EarliestNeeded() const {
  return Stamp{times_.TimeHorizon().StampAsModifiedJulianDay()} - Hours(times_.OffsetFromUtcInHours());
}

const ITimeSpaceValueSet& ProbeInput::Ask(ITimeSpaceOutput& output, Stamp at) {
  times_.SetHasDurations(false);
  times_.SetSingle(at);
  return output.GetValues(*this);
}

const ITimeSpaceValueSet& ProbeInput::Ask(ITimeSpaceOutput& output, Stamp begin, Stamp end) {
  times_.SetHasDurations(true);
  times_.SetSingle(begin, end - begin);
  return output.GetValues(*this);
}

const ITimeSpaceValueSet& ProbeInput::Ask(ITimeSpaceOutput& output, std::span<const Time> times) {
  times_.SetHasDurations(!times.empty() && times[0].DurationInDays() > 0.0);
  times_.Assign(times);
  return output.GetValues(*this);
}

std::vector<double> ProbeInput::CopyLast(const ITimeSpaceValueSet& values) {
  const std::size_t times = values.GetIndexCount({});
  if (times == 0) return {};
  std::vector<double> row;
  for (const openmi::Value& value : values.GetElementValuesForTime(static_cast<int>(times) - 1)) {
    row.push_back(value.Number().value_or(kNotANumber));
  }
  return row;
}

}  // namespace openmi
