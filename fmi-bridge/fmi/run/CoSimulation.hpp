#pragma once

#include <limits>

#include "fmi-bridge/fmi/run/EventMode.hpp"
#include "fmi-bridge/fmi/run/IStepper.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"

namespace openmi::fmi {

/// Communication steps of a co-simulation FMU of any version.
///
/// Completes steps that return early, tries smaller ones after Discard, and handles events, time events and clocks if
/// the instance was made with event mode.
class CoSimulation final : public IStepper {
 public:
  /// \param keep_states  whether a state is kept before each step, so that a smaller step of 2.0 can be tried after
  ///   Discard
  explicit CoSimulation(Instance& instance, StepperHooks hooks = {}, bool keep_states = false);

  void Initialize(double time) override {
    if (event_mode_) events_.Initialize(time);
  }
  bool Start(double time) override;
  Reached Advance(double from, double to, double step) override {
    if (event_mode_ || keep_states_) [[unlikely]]
      return AdvanceInFull(from, to, step);
    StepResult result;
    const CallStatus status = instance_.DoStep(from, step, NoReturn(from), result);
    if (status != CallStatus::Discard && !result.terminate && !result.early_return) [[likely]]
      return {to, false};
    return Finish(from, from + step, to, status, result);
  }
  void Save(StateWriter& writer) override;
  void Load(StateReader& reader) override;
  bool HandleEvent(double time) override;
  Clocks& ItsClocks() override { return events_.ItsClocks(); }
  const Clocks& ItsClocks() const override { return events_.ItsClocks(); }
  void SetEarliestState(double time) override { earliest_state_ = time; }

 private:
  Reached AdvanceInFull(double from, double to, double step);
  Reached AdvanceWithEvents(double from, double to);
  Reached Finish(double from, double time, double to, CallStatus status, StepResult result);
  bool Handle(double time, bool inputs);
  // Whether no state of an earlier time is kept: noSetFMUStatePriorToCurrentPoint.
  bool NoReturn(double from) const { return from <= earliest_state_; }

  Instance& instance_;
  EventMode events_;
  double earliest_state_ = std::numeric_limits<double>::infinity();
  bool keep_states_;
  bool event_mode_;
  StateHandle kept_;
};

}  // namespace openmi::fmi
