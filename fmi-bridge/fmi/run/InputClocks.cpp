#include "fmi-bridge/fmi/run/InputClocks.hpp"

#include <algorithm>

namespace openmi::fmi {
namespace {
constexpr double kNever = std::numeric_limits<double>::infinity();
}

InputClocks::InputClocks(const Instance& instance) {
  const ModelDescription& description = instance.Description();
  for (const Variable& variable : description.variables) {
    if (variable.type != VariableType::Clock || variable.causality != Causality::Input) continue;
    const ClockAttributes& attributes = description.clocks[static_cast<std::size_t>(variable.clock)];
    Clock& clock = clocks_.emplace_back();
    clock.reference = variable.value_reference;
    clock.clock = variable.clock;
    clock.kind = attributes.interval_variability;
    clock.given = attributes.interval_decimal.has_value();
    clock.interval = attributes.interval_decimal.value_or(0.0);
    clock.first = attributes.shift_decimal;
  }
}

void InputClocks::Start(Instance& instance, double time) {
  for (Clock& clock : clocks_) {
    switch (clock.kind) {
      case IntervalVariability::Triggered:
        continue;
      case IntervalVariability::Constant:
      case IntervalVariability::Fixed:
      case IntervalVariability::Tunable:
        if (!clock.given) {
          bool changed = false;
          instance.GetInterval(clock.reference, clock.interval, changed);
          clock.first = instance.GetShift(clock.reference);
        }
        clock.first += time;
        clock.next = clock.interval > 0.0 ? clock.first : kNever;
        break;
      case IntervalVariability::Changing:
      case IntervalVariability::Countdown: {
        bool changed = false;
        instance.GetInterval(clock.reference, clock.interval, changed);
        clock.next = changed ? time + clock.interval : kNever;
        break;
      }
    }
  }
}

double InputClocks::Next() const {
  double next = kNever;
  for (const Clock& clock : clocks_) next = std::min(next, clock.next);
  return next;
}

void InputClocks::Ask(Index position) {
  for (Clock& clock : clocks_) {
    if (clock.clock == position) clock.asked = asked_ = true;
  }
}

void InputClocks::Tick(Instance& instance, double time, double tolerance) {
  references_.clear();
  for (Clock& clock : clocks_) {
    clock.ticked = clock.asked || clock.next <= time + tolerance;
    if (!clock.ticked) continue;
    references_.push_back(clock.reference);
    clock.asked = false;
    if (clock.next > time + tolerance) continue;
    ++clock.ticks;
    const bool periodic = clock.kind != IntervalVariability::Changing && clock.kind != IntervalVariability::Countdown;
    clock.next = periodic ? clock.first + static_cast<double>(clock.ticks) * clock.interval : kNever;
  }
  asked_ = false;
  for (const ValueReference reference : references_) {
    const bool active = true;
    instance.SetClocks({&reference, 1}, {&active, 1});
  }
}

void InputClocks::AfterEvent(Instance& instance, double time) {
  for (Clock& clock : clocks_) {
    const bool asks =
        clock.kind == IntervalVariability::Countdown || (clock.kind == IntervalVariability::Changing && clock.ticked);
    clock.ticked = false;
    if (!asks) continue;
    bool changed = false;
    instance.GetInterval(clock.reference, clock.interval, changed);
    if (changed) clock.next = time + clock.interval;
  }
}

void InputClocks::Save(StateWriter& writer) const {
  for (const Clock& clock : clocks_) {
    for (const double value : {clock.interval, clock.first, clock.next}) writer.Write(value);
    writer.Write(clock.ticks);
  }
}

void InputClocks::Load(StateReader& reader) {
  for (Clock& clock : clocks_) {
    for (double* value : {&clock.interval, &clock.first, &clock.next}) *value = reader.ReadDouble();
    clock.ticks = reader.ReadInteger();
    clock.asked = clock.ticked = false;
  }
  asked_ = false;
}

}  // namespace openmi::fmi
