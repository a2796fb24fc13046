#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/InputOf.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {

/// An input without a component that can ask any output for any time; for tests and viewers.
///
/// It may be registered (`output.AddConsumer(probe)`) or not: every output answers both. Times are in the zone set by
/// `SetOffset`, at first UTC.
///
/// ```cpp
/// ProbeInput probe;
/// EXPECT_NEAR(probe.Value(output, Stamp{60000.5}), 3.0, 1e-12);
/// ```
class ProbeInput final : public InputOf<ITimeSpaceInput>, public IDemand {
 public:
  /// \param unit   the unit that it states for its values; without an adaptor nothing is converted
  /// \param where  its elements; null: none
  explicit ProbeInput(std::string id = "probe", const std::string& unit = "1",
                      std::shared_ptr<const ISpatialDefinition> where = nullptr);

  const ITimeSpaceValueSet* Values() const override { return values_; }
  /// \throws TypeError  the values are not by time and element
  void SetValues(const IBaseValueSet* values) override;
  const openmi::ITimeSet* TimeSet() const override { return has_times_ ? &times_ : nullptr; }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }
  Stamp EarliestNeeded() const override;

  /// Sets the zone of its times: hours to add to UTC.
  void SetOffset(double hours) { times_.SetOffsetFromUtcInHours(hours); }
  /// Promises not to ask for earlier times; at first the far past.
  void PromiseNothingBefore(Stamp time) { times_.MoveHorizonBegin(time); }
  /// Sets whether it asks without a time set, as an item without a time dimension.
  void SetTimeless(bool timeless) { has_times_ = !timeless; }

  /// Asks for the values at a stamp. The answer belongs to `output` and stays valid as the standard and the output
  /// define.
  const ITimeSpaceValueSet& Ask(ITimeSpaceOutput& output, Stamp at);
  /// Asks for the values over a span.
  const ITimeSpaceValueSet& Ask(ITimeSpaceOutput& output, Stamp begin, Stamp end);
  /// Asks for the values at several times at once, ascending.
  const ITimeSpaceValueSet& Ask(ITimeSpaceOutput& output, std::span<const Time> times);

  /// A copy of the values at a stamp; shape [elements], NaN for empty values.
  std::vector<double> Row(ITimeSpaceOutput& output, Stamp at) { return CopyLast(Ask(output, at)); }
  /// A copy of the values over a span; shape [elements], NaN for empty values.
  std::vector<double> Row(ITimeSpaceOutput& output, Stamp begin, Stamp end) {
    return CopyLast(Ask(output, begin, end));
  }
  /// One element of `Row()`.
  double Value(ITimeSpaceOutput& output, Stamp at, std::size_t element = 0) { return Row(output, at).at(element); }
  /// One element of `Row()`.
  double Value(ITimeSpaceOutput& output, Stamp begin, Stamp end, std::size_t element = 0) {
    return Row(output, begin, end).at(element);
  }
  /// A copy of the row of the last time; NaN for empty values. Empty when the set has no times.
  static std::vector<double> CopyLast(const ITimeSpaceValueSet& values);

 private:
  std::shared_ptr<const ISpatialDefinition> where_;
  openmi::TimeSet times_;
  bool has_times_ = true;
  const ITimeSpaceValueSet* values_ = nullptr;
};

}  // namespace openmi
