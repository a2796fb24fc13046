#include "fmi-bridge/fmi/run/ScheduledExecution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {
namespace {

// Times that differ by less than rounding are one.
double JustAfter(double time) {
  return time + 1e-12 * std::max(1.0, std::abs(time));
}

}  // namespace

ScheduledExecution::ScheduledExecution(Instance& instance, StepperHooks hooks)
    : instance_(instance), hooks_(std::move(hooks)), clocks_(instance) {
  instance_.HearClocks([this] { OnAnnouncement(); });
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
  clock.Tick(time, JustAfter(time) - time);
  if (inputs && hooks_.set_inputs) hooks_.set_inputs(time);
  if (inputs && hooks_.set_discrete) hooks_.set_discrete(clocks_);
  running_ = std::this_thread::get_id();
  try {
    instance_.ActivatePartition(clock.Reference(), time);
  } catch (...) {
    running_ = std::thread::id();
    throw;
  }
  running_ = std::thread::id();
  if (hooks_.at_event) hooks_.at_event(clocks_);
  clock.Change(instance_, time);
  clocks_.AfterRound();
}

void ScheduledExecution::OnAnnouncement() {
  if (running_.load() != std::this_thread::get_id()) {
    throw ModelError(instance_.Place(),
                     "expected the FMU to call fmi3ClockUpdateCallback in fmi3ActivateModelPartition, on its thread, "
                     "found a call from elsewhere",
                     "run FMUs that announce events by themselves with a scheduler in real time");
  }
  clocks_.Announced(instance_, now_);
}

}  // namespace openmi::fmi
