#pragma once

#include <span>
#include <string>
#include <vector>

#include "openmi/standard/IAdaptedOutputFactory.hpp"
#include "openmi/standard/IArgument.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "openmi/standard/IBaseOutput.hpp"
#include "openmi/standard/IEvent.hpp"
#include "openmi/standard/IIdentifiable.hpp"
#include "openmi/standard/LinkableComponentStatus.hpp"
#include "openmi/standard/LinkableComponentStatusChangeEventArgs.hpp"

namespace openmi {

/// A component that can be linked with others.
///
/// Order of calls: set arguments; Initialize; link; Validate (may be repeated); Prepare; Update as often as wanted;
/// Finish. While Created only Arguments, Status and StatusChanged may be used. A call at a wrong time throws StateError
/// and changes nothing. A call that throws otherwise leaves the component Failed.
///
/// Source: OGC 11-014r3, requirement 12.1 (/req/linkable-component/IBaseLinkableComponent), table 33.
class IBaseLinkableComponent : public virtual IIdentifiable {
 public:
  /// The factories the component offers; others may add and remove. Borrowed.
  virtual std::vector<IAdaptedOutputFactory*>& AdaptedOutputFactories() = 0;

  /// The settings, from construction on. The list is fixed, its members can be edited.
  virtual std::span<IArgument* const> Arguments() const = 0;

  /// The last call; ends Finished, or Created when the component can run again.
  virtual void Finish() = 0;

  /// The first call; ends Initialized, or Failed and throws. Afterwards identity, inputs and outputs are defined.
  virtual void Initialize() = 0;

  /// The inputs, in no particular order. Guaranteed between Initialize and Validate.
  /// \throws StateError  while Created
  virtual std::span<IBaseInput* const> Inputs() const = 0;

  /// The outputs without the adapted ones, in no particular order; as Inputs().
  virtual std::span<IBaseOutput* const> Outputs() const = 0;

  /// Gets ready for the first Update; ends Updated, or Failed and throws. Values can be had afterwards.
  virtual void Prepare() = 0;

  virtual LinkableComponentStatus Status() const = 0;

  /// Raised at every change of status (requirement 8.3).
  virtual IEvent<LinkableComponentStatusChangeEventArgs>& StatusChanged() = 0;

  /// Makes a step; ends Updated, Done or WaitingForData, or Failed and throws. Does nothing when Done.
  /// \param required_outputs  what the caller wants updated; empty: at least all outputs that are consumed
  virtual void Update(std::span<IBaseOutput* const> required_outputs) = 0;

  /// Checks arguments and links; ends Valid or Invalid.
  /// \returns messages: information when Valid; when Invalid at least one is fatal
  virtual std::vector<std::string> Validate() = 0;
};

}  // namespace openmi
