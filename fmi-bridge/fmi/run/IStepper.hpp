#pragma once

#include <functional>

#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::fmi {

/// How far a step came.
struct Reached {
  double time = 0.0;
  bool ended = false;  ///< the FMU requests the end of the simulation at that time
};

class Clocks;

/// What a stepper calls to exchange values; empty functions are not called.
struct StepperHooks {
  /// Sets the continuous inputs to their values at a time within the step.
  std::function<void(double time)> set_inputs;
  /// Sets the inputs that may change only in event mode: discrete inputs, and those of clocks that tick.
  std::function<void(const Clocks& clocks)> set_discrete;
  /// Reads the outputs that are accessible only in event mode: those of clocks that tick. Called once for each round,
  /// with the time of the event.
  std::function<void(const Clocks& clocks, double time)> at_event;
  /// Called in event mode when the discrete states have settled. May read all variables without a clock.
  std::function<void()> after_event;
};

/// Advances an initialized instance; times in units of its independent variable.
class IStepper {
 public:
  virtual ~IStepper() = default;
  /// Reads what is known about coming events. Call it at the end of initialization mode.
  virtual void Initialize(double time) = 0;
  /// Handles the events at the start, after initialization.
  /// \returns whether the FMU requests the end at once
  virtual bool Start(double time) = 0;
  /// Advances the instance from `from` to `to`.
  /// \param step  to - from, as it was given: the difference of rounded times is another number
  virtual Reached Advance(double from, double to, double step) = 0;
  /// Handles an event at the present time, if the instance has event mode; else does nothing.
  /// \returns whether the FMU requests the end
  virtual bool HandleEvent(double time) = 0;
  virtual Clocks& ItsClocks() = 0;
  virtual const Clocks& ItsClocks() const = 0;
  /// Sets the earliest time that the instance may be set back to. The FMU is informed of it at each step.
  /// \param time  time of the earliest state that is kept; infinity: there is none
  virtual void SetEarliestState(double time) = 0;
  /// Writes the data of the stepper that must be kept in addition to the state of the instance.
  ///
  /// Continuing from here gives the same values as continuing from a state that was read back.
  virtual void Save(StateWriter& writer) = 0;
  /// Reads those data, after the instance was set to the state that belongs to them.
  virtual void Load(StateReader& reader) = 0;
};

}  // namespace openmi::fmi
