#pragma once

#include <span>

#include "timespace/times/Stamp.hpp"

namespace openmi {

class NumericInput;
class NumericOutput;

/// A component that a population can drive as one of many.
///
/// Optional interface. The owner of the members gives their inputs and outputs memory in its own rows
/// (`NumericInput::Lend`, `NumericOutput::Lend`) and steps each member directly: no query, no row history, no event and
/// no change of status for each member and step.
///
/// Order of calls: `Initialize`; `Lend` for each item; `Validate`; `Prepare`; then `StepTo` as often as needed;
/// `Finish`. `Update` is not called. The base classes of the SDK implement this interface.
class IMember {
 public:
  virtual ~IMember() = default;
  /// The inputs of numbers, in the order of their declaration. From `Initialize` on, as the outputs.
  virtual std::span<NumericInput* const> MemberInputs() const = 0;
  /// The outputs of numbers, in the order of their declaration.
  virtual std::span<NumericOutput* const> MemberOutputs() const = 0;
  /// Makes one step, from the present time to `to`, with the values that the lent rows hold.
  /// \throws ModelError  the next step of the component does not end at `to`, or the component published rows of its
  ///   own within the step
  /// \throws Error       the component's own
  virtual void StepTo(Stamp to) = 0;
};

}  // namespace openmi
