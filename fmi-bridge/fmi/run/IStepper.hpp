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

class Clocks;

/// What a stepper asks of the one who knows the values; empty ones are not asked.
struct StepperHooks {
  /// Sets the continuous inputs as they are at a time within the step.
  std::function<void(double time)> set_inputs;
  /// Sets what may change in event mode only: discrete inputs, and those of clocks that tick.
  std::function<void(const Clocks& clocks)> set_discrete;
  /// Reads what may be read in event mode only: outputs of clocks that tick. Once a round.
  std::function<void(const Clocks& clocks)> at_event;
};

/// Moves an initialized instance through time; times in units of its independent variable.
class IStepper {
 public:
  virtual ~IStepper() = default;
  /// In initialization mode, at its end: asks for what is to be known of the events to come.
  virtual void Initialize(double time) = 0;
  /// After initialization: handles the events of the start. \returns whether the FMU asks to end at once
  virtual bool Start(double time) = 0;
  /// \param step  to - from, as it was given: the difference of rounded times is another number
  virtual Reached Advance(double from, double to, double step) = 0;
  /// Lets an event happen at the present time, where the instance has event mode; else nothing.
  /// \returns whether the FMU asks to end
  virtual bool HandleEvent(double time) = 0;
  virtual Clocks& ItsClocks() = 0;
  virtual const Clocks& ItsClocks() const = 0;
  /// The FMU learns at each step whether it may be set back to a state before the step begins.
  /// \param time  of the earliest state that is kept; infinity: none is
  virtual void SetEarliestState(double time) = 0;
  /// Writes what the stepper remembers beside the state of the instance. Going on from here and from a state that was
  /// read back gives the same values.
  virtual void Save(StateWriter& writer) = 0;
  /// The instance was set to the state that belongs to it.
  virtual void Load(StateReader& reader) = 0;
};

}  // namespace openmi::fmi
