#pragma once

#include <string>

#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "openmi/standard/IManageState.hpp"

namespace openmi {

/// What a component can do with its states.
struct StateAbility {
  bool in_memory = true;  ///< keep them, and return to them
  bool as_bytes = true;   ///< convert them to bytes and back (IByteStateConverter)
  std::string why_not;    ///< what was found instead, if one of them is false; for messages
};

/// A component with IManageState that knows only from what it wraps whether its states can be kept.
///
/// Optional interface. A component without it keeps states if it offers IManageState. Callers use `ManagedStates`.
class IStateAbility {
 public:
  virtual ~IStateAbility() = default;
  /// The answer, which does not change from the status Initialized on. The first call may take long: it may try what
  /// is claimed.
  virtual const StateAbility& AbilityOfStates() = 0;
};

/// What a component says of its states; that all is well if it says nothing.
inline StateAbility AbilityOf(IBaseLinkableComponent& component) {
  auto* ability = dynamic_cast<IStateAbility*>(&component);
  return ability != nullptr ? ability->AbilityOfStates() : StateAbility();
}

/// The states of a component; null if it does not keep any.
inline IManageState* ManagedStates(IBaseLinkableComponent& component) {
  auto* states = dynamic_cast<IManageState*>(&component);
  return states != nullptr && AbilityOf(component).in_memory ? states : nullptr;
}

/// Why a component does not keep states, to be added to a message: " (reason)"; empty if it gives no reason.
inline std::string ReasonForNoStates(IBaseLinkableComponent& component) {
  const std::string why = AbilityOf(component).why_not;
  return why.empty() ? why : " (" + why + ")";
}

}  // namespace openmi
