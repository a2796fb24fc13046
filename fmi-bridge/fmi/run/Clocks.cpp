#include "fmi-bridge/fmi/run/Clocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

// A product, or a quotient of products, so that rounding errors do not accumulate.
double Clocks::Input::TimeOfTick(std::int64_t number) const {
  if (interval.resolution > 0 && shift.resolution == interval.resolution) {
    return start + static_cast<double>(shift.counter + static_cast<std::uint64_t>(number) * interval.counter) /
                       static_cast<double>(interval.resolution);
  }
  if (interval.resolution > 0) {
    return start + shift.Length() +
           static_cast<double>(static_cast<std::uint64_t>(number) * interval.counter) /
               static_cast<double>(interval.resolution);
  }
  return start + shift.Length() + static_cast<double>(number) * interval.decimal;
}

Clocks::Clocks(const Instance& instance) {
  const ModelDescription& description = instance.Description();
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& variable = description.variables[i];
    if (variable.type != VariableType::Clock) continue;
    if (variable.causality != Causality::Input) {
      outputs_.push_back({.reference = variable.value_reference, .variable = static_cast<Index>(i)});
      output_references_.push_back(variable.value_reference);
      continue;
    }
    const ClockAttributes& attributes = description.clocks[static_cast<std::size_t>(variable.clock)];
    Input& clock = inputs_.emplace_back();
    clock.reference = variable.value_reference;
    clock.variable = static_cast<Index>(i);
    clock.kind = attributes.interval_variability;
    clock.as_fraction = attributes.supports_fraction;
    const bool counts = attributes.supports_fraction && attributes.resolution && attributes.interval_counter;
    clock.given = counts || attributes.interval_decimal.has_value();
    if (counts) {
      clock.interval = {.counter = *attributes.interval_counter, .resolution = *attributes.resolution};
      clock.shift = {.counter = attributes.shift_counter, .resolution = *attributes.resolution};
    } else {
      clock.interval = {.decimal = attributes.interval_decimal.value_or(0.0)};
      clock.shift = {.decimal = attributes.shift_decimal};
    }
  }
  due_.reserve(inputs_.size());
  all_true_ = std::make_unique<bool[]>(inputs_.size());
  std::fill_n(all_true_.get(), inputs_.size(), true);
  output_states_ = std::make_unique<bool[]>(outputs_.size());
}

void Clocks::SetInterval(const ModelDescription& description, Index clock, double interval) {
  const auto found = std::ranges::find(inputs_, clock, &Input::variable);
  const bool can = found != inputs_.end() && found->given &&
                   (found->kind == IntervalVariability::Fixed || found->kind == IntervalVariability::Tunable);
  const Variable& variable = description.variables[static_cast<std::size_t>(clock)];
  if (!can) {
    throw ArgumentError({.file = description.file, .line = variable.line, .item = variable.name},
                        "expected an input clock with a fixed or tunable interval that the description gives, found "
                        "another",
                        "remove the setting");
  }
  if (!(interval > 0.0) || !std::isfinite(interval)) {
    throw ArgumentError({.file = description.file, .line = variable.line, .item = variable.name},
                        fmt::format("expected an interval above 0, found {}", interval), "give the time between ticks");
  }
  ClockSpan& span = found->interval;
  const double count = interval * static_cast<double>(span.resolution);
  if (span.resolution > 0 && std::abs(count - std::round(count)) <= 1e-9 * count && std::round(count) >= 1.0) {
    span.counter = static_cast<std::uint64_t>(std::llround(count));
  } else {
    span = {.decimal = interval};
  }
  found->is_new_given = true;
}

void Clocks::AskInterval(Instance& instance, Input& clock, double time) {
  if (instance.GetInterval(clock.reference, clock.as_fraction, clock.interval)) {
    clock.next = time + clock.interval.Length();
  }
}

void Clocks::Start(Instance& instance, double time) {
  for (Input& clock : inputs_) {
    clock.start = time;
    clock.due = clock.ticks = 0;
    if (clock.kind == IntervalVariability::Triggered) continue;
    if (!clock.IsPeriodic()) {
      AskInterval(instance, clock, time);
      continue;
    }
    if (clock.is_new_given) {
      instance.SetInterval(clock.reference, clock.interval);
    } else if (!clock.given) {
      instance.GetInterval(clock.reference, clock.as_fraction, clock.interval);
      clock.shift = instance.GetShift(clock.reference, clock.as_fraction);
    }
    clock.next = clock.interval.Length() > 0.0 ? clock.TimeOfTick(0) : kNever;
  }
}

double Clocks::Next() const {
  double next = kNever;
  for (const Input& clock : inputs_) next = std::min(next, clock.next);
  return next;
}

void Clocks::Ask(Index clock) {
  for (Input& input : inputs_) input.asked |= input.variable == clock;
}

void Clocks::Tick(Instance& instance, double time, double tolerance) {
  due_.clear();
  for (Input& clock : inputs_) {
    const bool is_due = clock.next <= time + tolerance;
    clock.active = clock.ticked = clock.asked || is_due;
    if (!clock.active) continue;
    due_.push_back(clock.reference);
    clock.asked = false;
    ++clock.ticks;
    if (!is_due) continue;
    ++clock.due;
    clock.next = clock.IsPeriodic() ? clock.TimeOfTick(clock.due) : kNever;
  }
  if (!due_.empty()) instance.SetClocks(due_, {all_true_.get(), due_.size()});
}

void Clocks::Look(Instance& instance) {
  if (outputs_.empty()) return;
  instance.GetClocks(output_references_, {output_states_.get(), outputs_.size()});
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    outputs_[i].active = output_states_[i];
    outputs_[i].ticks += output_states_[i] ? 1 : 0;
  }
}

void Clocks::AfterRound() {
  for (Input& clock : inputs_) clock.active = false;
  for (Output& clock : outputs_) clock.active = false;
}

void Clocks::AfterEvent(Instance& instance, double time) {
  for (Input& clock : inputs_) {
    const bool asks =
        clock.kind == IntervalVariability::Countdown || (clock.kind == IntervalVariability::Changing && clock.ticked);
    clock.ticked = false;
    if (asks) AskInterval(instance, clock, time);
  }
}

bool Clocks::IsActive(const std::vector<Index>& clocks) const {
  const auto ticks = [&](const auto& list, Index clock) {
    const auto found = std::ranges::find_if(list, [clock](const auto& one) { return one.variable == clock; });
    return found != list.end() && found->active;
  };
  return clocks.empty() ||
         std::ranges::any_of(clocks, [&](Index clock) { return ticks(inputs_, clock) || ticks(outputs_, clock); });
}

std::int64_t Clocks::TicksOf(Index clock) const {
  for (const Input& input : inputs_) {
    if (input.variable == clock) return input.ticks;
  }
  for (const Output& output : outputs_) {
    if (output.variable == clock) return output.ticks;
  }
  return 0;
}

void Clocks::Save(StateWriter& writer) const {
  for (const Input& clock : inputs_) {
    for (const ClockSpan* span : {&clock.interval, &clock.shift}) {
      writer.Write(span->decimal);
      writer.Write(static_cast<std::int64_t>(span->counter));
      writer.Write(static_cast<std::int64_t>(span->resolution));
    }
    writer.Write(clock.start);
    writer.Write(clock.due);
    writer.Write(clock.ticks);
    writer.Write(clock.next);
  }
  for (const Output& clock : outputs_) writer.Write(clock.ticks);
}

void Clocks::Load(StateReader& reader) {
  for (Input& clock : inputs_) {
    for (ClockSpan* span : {&clock.interval, &clock.shift}) {
      span->decimal = reader.ReadDouble();
      span->counter = static_cast<std::uint64_t>(reader.ReadInteger());
      span->resolution = static_cast<std::uint64_t>(reader.ReadInteger());
    }
    clock.start = reader.ReadDouble();
    clock.due = reader.ReadInteger();
    clock.ticks = reader.ReadInteger();
    clock.next = reader.ReadDouble();
    clock.asked = clock.active = clock.ticked = false;
  }
  for (Output& clock : outputs_) {
    clock.ticks = reader.ReadInteger();
    clock.active = false;
  }
}

}  // namespace openmi::fmi
