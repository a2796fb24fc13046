#include "fmi-bridge/fmi/run/ScheduledExecution.hpp"

#include <fmt/format.h>

#include <utility>

#include "fmi-bridge/fmi/run/StepEnds.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {
namespace {

// Times that differ by less than rounding are one.
double JustAfter(double time) {
  return time + ToleranceWithin(time);
}

}  // namespace

ScheduledExecution::ScheduledExecution(Instance& instance, StepperHooks hooks)
    : instance_(instance), hooks_(std::move(hooks)), clocks_(instance) {
  instance_.HearClocks([this] { clocks_.Announced(instance_, now_); });
}

void ScheduledExecution::RunUntil(double time, bool inputs) {
  for (;;) {
    const double next = clocks_.Next();
    if (next > JustAfter(time)) return;
    Activate(*clocks_.First(JustAfter(next)), next, inputs);
  }
}

void ScheduledExecution::Activate(InputClock& clock, double time, bool inputs) {
  if (!(time > clock.Last())) {
    throw ModelError(
        instance_.Place(),
        fmt::format("expected activations of the partition of clock {} at growing times, found a second one "
                    "at {}",
                    instance_.Description().At(clock.VariableIndex()).name, time),
        "see that the FMU asks for no interval of 0 at the time of the tick itself");
  }
  now_ = time;
  clock.Tick(time, ToleranceWithin(time));
  if (inputs && hooks_.set_inputs) hooks_.set_inputs(time);
  if (inputs && hooks_.set_discrete) hooks_.set_discrete(clocks_);
  instance_.ExpectClocks(true);
  try {
    instance_.ActivatePartition(clock.Reference(), time);
  } catch (...) {
    instance_.ExpectClocks(false);
    throw;
  }
  instance_.ExpectClocks(false);
  if (hooks_.at_event) hooks_.at_event(clocks_, time);
  clock.Change(instance_, time);
  clocks_.AfterRound();
}

}  // namespace openmi::fmi
