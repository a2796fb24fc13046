#pragma once

#include <span>

#include "openmi/standard/IArgument.hpp"
#include "openmi/standard/IBaseOutput.hpp"

namespace openmi {

/// An output that derives its values from another output, the adaptee.
///
/// An adapted output is a part of a link. It changes units, times, places or value types.
///
/// Source: OGC 11-014r3, requirement 10.1 (/req/adapted-output/IBaseAdaptedOutput), table 29.
class IBaseAdaptedOutput : public virtual IBaseOutput {
 public:
  /// The output that this one adapts.
  virtual IBaseOutput& Adaptee() const = 0;

  /// The settings. The list is fixed; its members can be changed until `Initialize()`.
  virtual std::span<IArgument* const> Arguments() const = 0;

  /// Makes the adapted output ready to answer.
  ///
  /// The component calls this at the end of `Prepare`, when all arguments are set: for an adaptee first, then for the
  /// adapted outputs on it.
  virtual void Initialize() = 0;

  /// Takes up a change of the adaptee, then calls `Refresh` on the adapted outputs of this output.
  ///
  /// The adaptee calls this after each change.
  /// \throws StateError  before `Initialize()`, or while the component neither prepares nor updates
  virtual void Refresh() = 0;
};

}  // namespace openmi
