#pragma once

#include "openmi/standard/IIdentifiable.hpp"

namespace openmi {

/// A component that can keep its state and return to it.
///
/// Optional interface; callers find it with `dynamic_cast`.
///
/// Source: OGC 11-014r3, requirement 11.1 (/req/manage-state/IManageState), table 31.
class IManageState {
 public:
  virtual ~IManageState() = default;

  /// Discards a kept state.
  /// \throws ArgumentError  the state is unknown
  virtual void ClearState(const IIdentifiable& state_id) = 0;

  /// Keeps the present state.
  /// \returns the id of the state; valid until the state is cleared or the component is destroyed
  virtual const IIdentifiable& KeepCurrentState() = 0;

  /// Returns to a kept state, which stays kept.
  /// \throws ArgumentError  the state is unknown
  virtual void RestoreState(const IIdentifiable& state_id) = 0;
};

}  // namespace openmi
