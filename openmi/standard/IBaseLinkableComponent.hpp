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

/// A component that can be linked with other components.
///
/// Order of calls: set arguments; `Initialize`; link; `Validate` (may be repeated); `Prepare`; `Update` as often as
/// needed; `Finish`. In the status Created only `Arguments`, `Status` and `StatusChanged` may be used.
///
/// A call that the status does not allow throws StateError and changes nothing. After any other exception the component
/// is Failed.
///
/// Source: OGC 11-014r3, requirement 12.1 (/req/linkable-component/IBaseLinkableComponent), table 33.
class IBaseLinkableComponent : public virtual IIdentifiable {
 public:
  /// The factories that the component offers, borrowed. Callers may add and remove factories.
  virtual std::vector<IAdaptedOutputFactory*>& AdaptedOutputFactories() = 0;

  /// The settings; available from construction on. The list is fixed; its members can be changed.
  virtual std::span<IArgument* const> Arguments() const = 0;

  /// The last call. Ends in Finished, or in Created when the component can run again.
  virtual void Finish() = 0;

  /// The first call. Ends in Initialized, or in Failed with an exception.
  ///
  /// Afterwards identity, inputs and outputs are defined.
  virtual void Initialize() = 0;

  /// The inputs, in no particular order. Guaranteed to be available between `Initialize` and `Validate`.
  /// \throws StateError  the status is Created
  virtual std::span<IBaseInput* const> Inputs() const = 0;

  /// The outputs without the adapted ones, in no particular order.
  ///
  /// Available when `Inputs()` are.
  /// \throws StateError  the status is Created
  virtual std::span<IBaseOutput* const> Outputs() const = 0;

  /// Makes the component ready for the first `Update`. Ends in Updated, or in Failed with an exception.
  ///
  /// Afterwards outputs can be asked for values.
  virtual void Prepare() = 0;

  /// The current status.
  virtual LinkableComponentStatus Status() const = 0;

  /// Raised at each change of the status (requirement 8.3).
  virtual IEvent<LinkableComponentStatusChangeEventArgs>& StatusChanged() = 0;

  /// Computes one step. Ends in Updated, Done or WaitingForData, or in Failed with an exception.
  ///
  /// Does nothing when the status is Done.
  /// \param required_outputs  the outputs that the caller wants updated; empty: at least all outputs that have
  ///   consumers
  virtual void Update(std::span<IBaseOutput* const> required_outputs) = 0;

  /// Checks arguments and links. Ends in Valid or Invalid.
  /// \returns messages: for information when Valid; when Invalid, at least one states a fatal error
  virtual std::vector<std::string> Validate() = 0;
};

}  // namespace openmi
