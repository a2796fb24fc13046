#pragma once

#include "openmi/sdk/Few.hpp"
#include "openmi/standard/IBaseAdaptedOutput.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"

namespace openmi {

/// The consumers and adapted outputs of one output. It finds the earliest time that one of them still needs.
///
/// The list looks up their optional interfaces when they are added, so that a query costs a few nanoseconds for each.
class DemandList {
 public:
  /// Adds a consumer; borrowed until it is removed.
  void Add(const IBaseInput& consumer);
  /// Removes a consumer.
  void Remove(const IBaseInput& consumer);
  /// Updates the list of adapted outputs. Call it when their list has changed.
  ///
  /// An output added or removed at the end costs the same for any length of the list.
  void SetAdaptedOutputs(std::span<IBaseAdaptedOutput* const> adapted_outputs);
  /// The earliest time that is still needed, UTC; the far future when nothing is needed.
  Stamp EarliestNeeded() const;
  /// Whether one of them reads the values of rows.
  bool AreRowsRead() const;

 private:
  struct Consumer {
    const IBaseInput* input = nullptr;
    const IDemand* own = nullptr;                  // its own interface; `demand` may be that of another
    const IDemand* demand = nullptr;               // an SDK input, else null
    const ITimeSpaceExchangeItem* item = nullptr;  // a third-party input with times, else null
  };
  Few<Consumer> consumers_;
  struct Adapted {
    const IBaseAdaptedOutput* output = nullptr;
    const IDemand* demand = nullptr;  // null: a third-party output, which copies what it needs at Refresh
  };
  static Adapted Known(const IBaseAdaptedOutput& output);
  Few<Adapted> adapted_;
};

}  // namespace openmi
