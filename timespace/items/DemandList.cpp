#include "timespace/items/DemandList.hpp"

#include <algorithm>

namespace openmi {

void DemandList::Add(const IBaseInput& consumer) {
  const auto* demand = dynamic_cast<const IDemand*>(&consumer);
  consumers_.push_back({&consumer, demand, demand != nullptr ? &demand->Source() : nullptr,
                        dynamic_cast<const ITimeSpaceExchangeItem*>(&consumer)});
}

void DemandList::Remove(const IBaseInput& consumer) {
  consumers_.RemoveLast([&consumer](const Consumer& entry) { return entry.input == &consumer; });
}

DemandList::Adapted DemandList::Known(const IBaseAdaptedOutput& output) {
  return {&output, dynamic_cast<const IDemand*>(&output)};
}

void DemandList::SetAdaptedOutputs(std::span<IBaseAdaptedOutput* const> adapted_outputs) {
  const std::size_t count = adapted_.size();
  const bool is_one_more =
      adapted_outputs.size() == count + 1 && (count == 0 || adapted_.back().output == adapted_outputs[count - 1]);
  if (is_one_more) {
    adapted_.push_back(Known(*adapted_outputs.back()));
    return;
  }
  const bool is_last_gone = adapted_outputs.size() + 1 == count &&
                            (adapted_outputs.empty() || adapted_outputs.back() == adapted_[count - 2].output);
  if (is_last_gone) {
    adapted_.RemoveLast([](const Adapted&) { return true; });
    return;
  }
  // When some were removed, the others are known and in the same order.
  std::size_t next = 0;
  adapted_.RemoveIf([&](const Adapted& known) {
    const bool stays = next < adapted_outputs.size() && adapted_outputs[next] == known.output;
    next += stays ? 1 : 0;
    return !stays;
  });
  if (next == adapted_outputs.size()) return;
  adapted_.clear();
  for (const IBaseAdaptedOutput* adapted : adapted_outputs) adapted_.push_back(Known(*adapted));
}

Stamp DemandList::EarliestNeeded() const {
  Stamp earliest = kFarFuture;
  for (const Consumer& consumer : consumers_) {
    if (consumer.demand != nullptr) {
      earliest = std::min(earliest, consumer.demand->EarliestNeeded());
    } else if (const ITimeSet* times = consumer.item != nullptr ? consumer.item->TimeSet() : nullptr) {
      earliest = std::min(earliest, HorizonBeginOf(*times));
    }
  }
  for (const Adapted& adapted : adapted_) {
    if (adapted.demand != nullptr) earliest = std::min(earliest, adapted.demand->EarliestNeeded());
  }
  return earliest;
}

bool DemandList::AreRowsRead() const {
  const auto reads = [](const IDemand* one) { return one == nullptr || one->ReadsRows(); };
  for (const Consumer& consumer : consumers_) {
    if (reads(consumer.own)) return true;
  }
  for (const Adapted& adapted : adapted_) {
    if (reads(adapted.demand)) return true;
  }
  return false;
}

}  // namespace openmi
