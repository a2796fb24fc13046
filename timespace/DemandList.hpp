#pragma once

#include <memory>
#include <vector>

#include "openmi/standard/IBaseAdaptedOutput.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "timespace/IHistoryProvider.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"

namespace openmi {

/// The consumers and adapted outputs of one output, asked for the earliest time any of them still needs: their doors
/// are found when they are added, so that asking costs a few nanoseconds each.
class DemandList {
 public:
  void Add(const IBaseInput& consumer);
  void Remove(const IBaseInput& consumer);
  /// Reads the adapted outputs anew: call when their list changed.
  void SetAdaptedOutputs(std::span<IBaseAdaptedOutput* const> adapted_outputs);
  /// UTC; the far future when nobody needs anything.
  Stamp EarliestNeeded() const;

 private:
  struct Consumer {
    const IBaseInput* input;
    const IDemand* demand;               // an SDK input, else null
    const ITimeSpaceExchangeItem* item;  // a foreign one with times, else null
  };
  std::vector<Consumer> consumers_;
  std::vector<const IDemand*> adapted_;
};

}  // namespace openmi
