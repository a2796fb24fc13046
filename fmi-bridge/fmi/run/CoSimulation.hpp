#pragma once

#include <limits>

#include "fmi-bridge/fmi/run/IStepper.hpp"
#include "fmi-bridge/fmi/run/InputClocks.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"

namespace openmi::fmi {

/// Communication steps of a co-simulation FMU of any version: finishes those that return early, tries smaller ones
/// after Discard, handles events, time events and clocks where the instance was made with event mode.
class CoSimulation final : public IStepper {
 public:
  /// \param keep_states  before each step, so that 2.0 can be asked again with a smaller one after Discard
  explicit CoSimulation(Instance& instance, StepperHooks hooks = {}, bool keep_states = false);
  ~CoSimulation() override;

  /// In initialization mode: asks for the intervals of clocks.
  void Initialize(double time) { clocks_.Start(instance_, time); }
  bool Start(double time) override;
  Reached Advance(double from, double to, double step) override {
    if (event_mode_ || keep_states_) [[unlikely]]
      return AdvanceInFull(from, to, step);
    StepResult result;
    const CallStatus status = instance_.DoStep(from, step, no_return_, result);
    if (status != CallStatus::Discard && !result.terminate && !result.early_return) [[likely]]
      return {to, false};
    return Finish(from, from + step, to, status, result);
  }
  void Save(StateWriter& writer) override;
  void Load(StateReader& reader) override;
  InputClocks& Clocks() { return clocks_; }

 private:
  Reached AdvanceInFull(double from, double to, double step);
  Reached AdvanceWithEvents(double from, double to);
  Reached Finish(double from, double time, double to, CallStatus status, StepResult result);
  bool HandleEvent(double time);
  double Tolerance(double time) const;

  Instance& instance_;
  StepperHooks hooks_;
  InputClocks clocks_;
  bool no_return_;
  bool keep_states_;
  bool event_mode_;
  void* kept_ = nullptr;
  double next_event_ = std::numeric_limits<double>::infinity();
};

}  // namespace openmi::fmi
