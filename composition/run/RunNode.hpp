#pragma once

#include <cstdint>
#include <vector>

#include "composition/link/Composition.hpp"
#include "composition/threads/CurrentComponent.hpp"
#include "timespace/optional/IHistoryProvider.hpp"

namespace openmi {

class IUpdatesApart;
class LoopGroup;

/// A component in a run: what its updates need at hand, and how far a pass has to bring it.
struct RunNode {
  /// A link whose adaptors may need the provider further than the consumer asks.
  struct Ahead {
    std::size_t provider = 0;              // position in RunNodes
    std::vector<const ILookAhead*> chain;  // from the consumer to the provider
  };
  Instance* instance = nullptr;
  IBaseLinkableComponent* component = nullptr;
  const ISteps* steps = nullptr;
  LoopGroup* group = nullptr;      // of an iterated loop
  IUpdatesApart* apart = nullptr;  // in other processes, and of no iterated loop
  std::uint64_t posted = 0;        // ticks when its update request was sent
  std::size_t failed = 0;          // the index of the component that threw when this node was updated
  std::size_t number = 0;
  bool is_in_loop = false;
  bool is_pulled_only = false;  // IUpdatesApart::IsPulledOnly
  bool is_watched = false;      // its status shows when it computes: a member of a loop, or upstream of one
  bool is_trigger = false;
  bool is_order_kept = false;          // downstream of a loop whose values depend on which component asks first
  std::vector<std::size_t> providers;  // positions in RunNodes
  std::vector<Ahead> ahead;
  Stamp required = kFarPast;
  Stamp time = kFarPast;  // when its time was last read
  Stamp next = kFarPast;  // end of its next step: of a trigger in this pass, of all nodes while passes are foreseen
  Stamp Time() const { return steps != nullptr ? steps->CurrentTime() : instance->CurrentTime(); }
  /// A component that does not report the end of its next step is asked for any time later than now.
  Stamp Next() const { return steps != nullptr ? steps->NextTime() : Time() + kTimeTolerance * 4.0; }
  /// Whether it is brought to its consumers' times by passing over all nodes: in no loop, and not pulled only.
  bool IsSwept() const { return !is_in_loop && !is_pulled_only; }
  bool IsTimeless() const { return time == kFarPast; }
  void UpdateComponent() const {
    CallComponent(*instance->conduct, [this] { component->Update({}); });
  }
  bool CanUpdate() const {
    const LinkableComponentStatus status = component->Status();
    return status == LinkableComponentStatus::Updated || status == LinkableComponentStatus::WaitingForData;
  }
};

}  // namespace openmi
