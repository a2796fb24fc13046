#pragma once

#include "openmi/sdk/Few.hpp"
#include "openmi/standard/IBaseAdaptedOutput.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "timespace/IHistoryProvider.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"

namespace openmi {

/// The consumers and adapted outputs of one output, asked for the earliest time any of them still needs. Their optional
/// interfaces are found when they are added, so that asking costs a few nanoseconds each.
class DemandList {
 public:
  void Add(const IBaseInput& consumer);
  void Remove(const IBaseInput& consumer);
  /// Takes over the adapted outputs: call when their list changed. One that was added at the end, or removed from
  /// there, costs the same however many there are.
  void SetAdaptedOutputs(std::span<IBaseAdaptedOutput* const> adapted_outputs);
  /// UTC; the far future when nobody needs anything.
  Stamp EarliestNeeded() const;

 private:
  struct Consumer {
    const IBaseInput* input = nullptr;
    const IDemand* demand = nullptr;               // an SDK input, else null
    const ITimeSpaceExchangeItem* item = nullptr;  // a foreign one with times, else null
  };
  Few<Consumer> consumers_;
  struct Adapted {
    const IBaseAdaptedOutput* output = nullptr;
    const IDemand* demand = nullptr;  // null: a foreign one, which copies what it needs at Refresh
  };
  static Adapted Known(const IBaseAdaptedOutput& output);
  Few<Adapted> adapted_;
};

}  // namespace openmi
