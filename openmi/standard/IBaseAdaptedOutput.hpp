#pragma once

#include <span>

#include "openmi/standard/IArgument.hpp"
#include "openmi/standard/IBaseOutput.hpp"

namespace openmi {

/// An output made of another output: it stands on a link where units, times, places or types differ.
///
/// Source: OGC 11-014r3, requirement 10.1 (/req/adapted-output/IBaseAdaptedOutput), table 29.
class IBaseAdaptedOutput : public virtual IBaseOutput {
 public:
  /// The output that is adapted.
  virtual IBaseOutput& Adaptee() const = 0;

  /// The settings; the list is fixed, its members can be edited until Initialize().
  virtual std::span<IArgument* const> Arguments() const = 0;

  /// Called by the component at the end of Prepare, the adaptee's before this one's, with all arguments set.
  virtual void Initialize() = 0;

  /// Called by the adaptee after it changed; calls Refresh on this output's own adapted outputs.
  /// \throws StateError  before Initialize(), or while the component neither prepares nor updates
  virtual void Refresh() = 0;
};

}  // namespace openmi
