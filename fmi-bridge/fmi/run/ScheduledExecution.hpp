#pragma once

#include "fmi-bridge/fmi/run/Clocks.hpp"
#include "fmi-bridge/fmi/run/IStepper.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"

namespace openmi::fmi {

/// The scheduler of an FMU for scheduled execution (3.0), in simulated time.
///
/// Each input clock stands for a model partition. Partitions are activated in the order of time; those of one time in
/// the order of their priorities, the smallest value first, and then as the description lists them. A partition ends
/// before the next one starts, so nothing is preempted and a run always gives the same values.
///
/// A partition may announce ticks of output clocks and intervals of countdown clocks. One of interval 0 follows at the
/// same time, in the order of priority.
///
/// Source: FMI 3.0, section 5.2, Clock Activation Mode.
class ScheduledExecution final : public IStepper {
 public:
  /// \param hooks  set_inputs and set_discrete are called before each activation, at_event after it; the clocks they
  ///   receive are active if their partition is this one, or if it announced them
  explicit ScheduledExecution(Instance& instance, StepperHooks hooks = {});
  ~ScheduledExecution() override { instance_.HearClocks({}); }
  ScheduledExecution(const ScheduledExecution&) = delete;
  ScheduledExecution& operator=(const ScheduledExecution&) = delete;

  void Initialize(double time) override { clocks_.Start(instance_, time); }
  /// Activates the partitions of the start, which use the start values of inputs.
  bool Start(double time) override {
    RunUntil(time, false);
    return false;
  }
  /// Activates the partitions until `to`, those of that time too.
  Reached Advance(double, double to, double) override {
    RunUntil(to, true);
    return {to, false};
  }
  bool HandleEvent(double) override { return false; }
  Clocks& ItsClocks() override { return clocks_; }
  const Clocks& ItsClocks() const override { return clocks_; }
  void SetEarliestState(double) override {}  // there is no step that could say so to the FMU
  void Save(StateWriter& writer) override { clocks_.Save(writer); }
  void Load(StateReader& reader) override { clocks_.Load(reader); }

 private:
  void RunUntil(double time, bool inputs);
  void Activate(InputClock& clock, double time, bool inputs);

  Instance& instance_;
  StepperHooks hooks_;
  Clocks clocks_;
  double now_ = 0.0;
};

}  // namespace openmi::fmi
