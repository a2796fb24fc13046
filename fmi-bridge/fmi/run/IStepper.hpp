#pragma once

#include <functional>

#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi::fmi {

/// How far a step came.
struct Reached {
  double time = 0.0;
  bool ended = false;  ///< the FMU asks to end the simulation there
};

/// What a stepper asks of whoever knows the values; empty ones are not asked.
struct StepperHooks {
  /// Sets the continuous inputs as they are at a time within the step.
  std::function<void(double time)> set_inputs;
  /// Sets what may change in event mode only: discrete inputs.
  std::function<void()> set_discrete;
  /// Reads what may be read in event mode only: outputs of clocks.
  std::function<void()> at_event;
};

/// Moves an initialized instance through time; times in units of its independent variable.
class IStepper {
 public:
  virtual ~IStepper() = default;
  /// After initialization: handles the events of the begin. \returns whether the FMU asks to end at once
  virtual bool Start(double time) = 0;
  /// \param step  to - from, as it was given: the difference of rounded times is another number
  virtual Reached Advance(double from, double to, double step) = 0;
  /// Writes what the stepper remembers beside the state of the instance. Going on from here and from a state that was
  /// read back gives the same values.
  virtual void Save(StateWriter& writer) = 0;
  /// The instance was set to the state that belongs to it.
  virtual void Load(StateReader& reader) = 0;
};

}  // namespace openmi::fmi
