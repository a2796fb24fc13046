#include "timespace/DemandList.hpp"

#include <algorithm>

namespace openmi {

void DemandList::Add(const IBaseInput& consumer) {
  const auto* demand = dynamic_cast<const IDemand*>(&consumer);
  consumers_.push_back({&consumer, demand != nullptr ? &demand->Source() : nullptr,
                        dynamic_cast<const ITimeSpaceExchangeItem*>(&consumer)});
}

void DemandList::Remove(const IBaseInput& consumer) {
  consumers_.RemoveIf([&consumer](const Consumer& entry) { return entry.input == &consumer; });
}

void DemandList::SetAdaptedOutputs(std::span<IBaseAdaptedOutput* const> adapted_outputs) {
  adapted_.clear();
  for (const IBaseAdaptedOutput* adapted : adapted_outputs) {
    // A foreign adapted output copies what it needs at Refresh.
    if (const auto* demand = dynamic_cast<const IDemand*>(adapted)) adapted_.push_back(demand);
  }
}

Stamp DemandList::EarliestNeeded() const {
  Stamp earliest = kFarFuture;
  for (const Consumer& consumer : consumers_) {
    if (consumer.demand != nullptr) {
      earliest = std::min(earliest, consumer.demand->EarliestNeeded());
    } else if (const ITimeSet* times = consumer.item != nullptr ? consumer.item->TimeSet() : nullptr) {
      earliest = std::min(
          earliest, Stamp{times->TimeHorizon().StampAsModifiedJulianDay() - times->OffsetFromUtcInHours() / 24.0});
    }
  }
  for (const IDemand* adapted : adapted_) earliest = std::min(earliest, adapted->EarliestNeeded());
  return earliest;
}

}  // namespace openmi
