#include "fmi-bridge/fmi/run/CoSimulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fmi-bridge/fmi/run/StepEnds.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {
namespace {

constexpr int kMostHalvings = 20;
constexpr int kMostEventRounds = 1000;

}  // namespace

CoSimulation::CoSimulation(Instance& instance, StepperHooks hooks, bool keep_states)
    : instance_(instance),
      events_(instance, std::move(hooks)),
      keep_states_(keep_states && instance.Offers().can_get_and_set_state),
      event_mode_(instance.Options().event_mode),
      kept_(instance) {}

bool CoSimulation::Start(double time) {
  return instance_.CurrentMode() == Instance::Mode::Event && Handle(time, false);
}

void CoSimulation::Save(StateWriter& writer) {
  events_.Save(writer);
}

void CoSimulation::Load(StateReader& reader) {
  events_.Load(reader);
}

bool CoSimulation::HandleEvent(double time) {
  return event_mode_ && Handle(time, true);
}

bool CoSimulation::Handle(double time, bool inputs) {
  if (instance_.CurrentMode() != Instance::Mode::Event) instance_.EnterEventMode();
  bool nominals = false;
  if (events_.Handle(time, inputs, nominals)) return true;
  instance_.EnterStepMode();
  return false;
}

Reached CoSimulation::AdvanceInFull(double from, double to, double step) {
  if (event_mode_) return AdvanceWithEvents(from, to);
  if (keep_states_) kept_.Keep();
  StepResult result;
  const CallStatus status = instance_.DoStep(from, step, NoReturn(from), result);
  if (status != CallStatus::Discard && !result.terminate && !result.early_return) [[likely]]
    return {to, false};
  return Finish(from, from + step, to, status, result);
}

// Continues after a step that was not completed.
Reached CoSimulation::Finish(double from, double end, double to, CallStatus status, StepResult result) {
  double time = from;
  double tried = end - from;
  const double tolerance = ToleranceWithin(to, to - from);
  int halvings = 0;
  for (;;) {
    if (status == CallStatus::Discard) {
      const bool is_old = instance_.Description().version != FmiMajor::Fmi3;
      if (is_old && result.terminate) return {result.last_time, true};
      if (is_old && result.last_time > time + tolerance) {
        time = result.last_time;  // a part of the step was made
      } else if (!is_old || keep_states_) {
        if (++halvings > kMostHalvings) {
          throw ModelError(instance_.Place(),
                           fmt::format("expected the FMU to do a step from {}, found Discard for all steps down to {}",
                                       time, tried));
        }
        if (is_old) instance_.SetState(kept_.Get(), Instance::Mode::Step);
        tried /= 2.0;
        status = instance_.DoStep(time, tried, NoReturn(time), result);
        if (status != CallStatus::Discard && !result.early_return) {
          result.early_return = true;  // a part of the requested step
          result.last_time = time + tried;
        }
        continue;
      } else {
        throw ModelError(instance_.Place(), fmt::format("expected a step of {} from {}, found Discard", tried, time),
                         instance_.Description().version == FmiMajor::Fmi1
                             ? "take smaller steps; if the FMU wants to end the simulation here, which FMI 1.0 can "
                               "only express as Discard, end the run at this time"
                         : instance_.Offers().can_get_and_set_state ? "set retry-steps to true, or take smaller steps"
                                                                    : "take smaller steps");
      }
    } else if (result.terminate) {
      return {result.early_return ? result.last_time : time + tried, true};
    } else if (!result.early_return) {
      return {to, false};
    } else {
      time = result.last_time;
    }
    if (time >= to - tolerance) return {to, false};
    if (keep_states_) kept_.Keep();
    tried = LengthUntil(time, to);
    halvings = 0;
    status = instance_.DoStep(time, tried, NoReturn(time), result);
  }
}

Reached CoSimulation::AdvanceWithEvents(double from, double to) {
  double time = from;
  const double tolerance = ToleranceWithin(to, to - from);
  int without_progress = 0;
  for (;;) {
    const double next = events_.Next();
    if (next <= time + tolerance) {
      if (HandleEvent(std::max(time, next))) return {time, true};
      if (++without_progress > kMostEventRounds) {
        throw ModelError(instance_.Place(),
                         fmt::format("expected the time to advance after events at {}, found {} rounds of events", time,
                                     kMostEventRounds));
      }
      continue;
    }
    if (time >= to - tolerance) return {to, false};
    double target = next < to - tolerance ? next : to;
    if (std::abs(next - to) <= tolerance) target = to;
    StepResult result;
    CallStatus status = CallStatus::Discard;
    double step = LengthUntil(time, target);
    for (int halvings = 0; halvings <= kMostHalvings && status == CallStatus::Discard; ++halvings, step /= 2.0) {
      status = instance_.DoStep(time, step, NoReturn(time), result);
      if (status != CallStatus::Discard && halvings > 0 && !result.early_return) {
        result.early_return = true;
        result.last_time = time + step;
      }
    }
    if (status == CallStatus::Discard) {
      throw ModelError(
          instance_.Place(),
          fmt::format("expected the FMU to do a step from {}, found Discard for all steps down to {}", time, step));
    }
    const double reached = result.early_return ? result.last_time : target;
    if (reached > time) without_progress = 0;
    time = reached;
    if (result.terminate) return {time, true};
    if (result.event_needed && HandleEvent(time)) return {time, true};
  }
}

}  // namespace openmi::fmi
