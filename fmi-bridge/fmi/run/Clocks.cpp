#include "fmi-bridge/fmi/run/Clocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

InputClock::InputClock(const Variable& variable, Index index, const ClockAttributes& attributes)
    : reference_(variable.value_reference),
      variable_(index),
      priority_(attributes.priority.value_or(std::numeric_limits<std::uint32_t>::max())),
      kind_(attributes.interval_variability),
      as_fraction_(attributes.supports_fraction) {
  if (as_fraction_ && attributes.resolution && attributes.interval_counter) {
    is_given_ = true;
    interval_ = {.counter = *attributes.interval_counter, .resolution = *attributes.resolution};
    shift_ = {.counter = attributes.shift_counter, .resolution = *attributes.resolution};
  } else {
    is_given_ = attributes.interval_decimal.has_value();
    interval_ = {.decimal = attributes.interval_decimal.value_or(0.0)};
    shift_ = {.decimal = attributes.shift_decimal};
  }
}

// A product, or a quotient of products, so that rounding errors do not accumulate.
double InputClock::TimeOfTick(std::int64_t number) const {
  const double count = static_cast<double>(number);
  if (interval_.resolution == 0) return start_ + shift_.Length() + count * interval_.decimal;
  const auto resolution = static_cast<double>(interval_.resolution);
  const std::uint64_t parts = static_cast<std::uint64_t>(number) * interval_.counter;
  if (shift_.resolution != interval_.resolution) {
    return start_ + shift_.Length() + static_cast<double>(parts) / resolution;
  }
  return start_ + static_cast<double>(shift_.counter + parts) / resolution;
}

void InputClock::SetInterval(double interval) {
  const double count = interval * static_cast<double>(interval_.resolution);
  if (interval_.resolution > 0 && std::abs(count - std::round(count)) <= 1e-9 * count && std::round(count) >= 1.0) {
    interval_.counter = static_cast<std::uint64_t>(std::llround(count));
  } else {
    interval_ = {.decimal = interval};
  }
  is_new_given_ = true;
}

void InputClock::AskInterval(Instance& instance, double time) {
  if (!instance.GetInterval(reference_, as_fraction_, interval_)) return;
  const double length = interval_.Length();
  if (!(length >= 0.0)) {
    throw ModelError(instance.Place(), fmt::format("expected an interval of clock {} of 0 or more, found {} at {}",
                                                   instance.Description().At(variable_).name, length, time));
  }
  next_ = time + length;
}

void InputClock::Start(Instance& instance, double time) {
  start_ = time;
  due_ = ticks_ = 0;
  asked_ = {};
  last_ = -kNever;
  if (kind_ == IntervalVariability::Triggered) return;
  if (!IsPeriodic()) return AskInterval(instance, time);
  if (is_new_given_) {
    instance.SetInterval(reference_, interval_);
  } else if (!is_given_) {
    instance.GetInterval(reference_, as_fraction_, interval_);
    shift_ = instance.GetShift(reference_, as_fraction_);
  }
  next_ = interval_.Length() > 0.0 ? TimeOfTick(0) : kNever;
}

bool InputClock::Tick(double time, double tolerance) {
  const bool is_due = next_ <= time + tolerance;
  const bool is_within = asked_.Next() <= time + tolerance;
  is_active_ = has_ticked_ = is_asked_ || is_due || is_within;
  is_asked_ = false;
  asked_.done += is_within ? 1 : 0;
  if (is_active_) last_ = time;
  ticks_ += is_active_ ? 1 : 0;
  if (is_due) {
    ++due_;
    next_ = IsPeriodic() ? TimeOfTick(due_) : kNever;
  }
  return is_active_;
}

void InputClock::AfterEvent(Instance& instance, double time) {
  Count(instance, time);
  if (has_ticked_) Change(instance, time);
  has_ticked_ = false;
}

void InputClock::Count(Instance& instance, double time) {
  if (kind_ == IntervalVariability::Countdown) AskInterval(instance, time);
}

void InputClock::Change(Instance& instance, double time) {
  if (kind_ == IntervalVariability::Changing) AskInterval(instance, time);
}

void InputClock::Save(StateWriter& writer) const {
  for (const ClockSpan* span : {&interval_, &shift_}) {
    writer.Write(span->decimal);
    writer.Write(static_cast<std::int64_t>(span->counter));
    writer.Write(static_cast<std::int64_t>(span->resolution));
  }
  writer.Write(start_);
  writer.Write(due_);
  writer.Write(ticks_);
  writer.Write(next_);
}

void InputClock::Load(StateReader& reader) {
  for (ClockSpan* span : {&interval_, &shift_}) {
    span->decimal = reader.ReadDouble();
    span->counter = static_cast<std::uint64_t>(reader.ReadInteger());
    span->resolution = static_cast<std::uint64_t>(reader.ReadInteger());
  }
  start_ = reader.ReadDouble();
  due_ = reader.ReadInteger();
  ticks_ = reader.ReadInteger();
  next_ = reader.ReadDouble();
  if (due_ < 0 || ticks_ < 0 || std::isnan(next_) || (IsPeriodic() && !(interval_.Length() > 0.0) && next_ < kNever)) {
    throw FormatError({}, "expected the state of a clock, found counts or times that no clock has");
  }
  is_asked_ = is_active_ = has_ticked_ = false;
  asked_ = {};
  last_ = -kNever;
}

Clocks::Clocks(const Instance& instance) {
  const ModelDescription& description = instance.Description();
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& variable = description.variables[i];
    if (variable.type != VariableType::Clock) continue;
    if (variable.causality == Causality::Input) {
      inputs_.emplace_back(variable, static_cast<Index>(i), description.ClockOf(variable));
    } else {
      outputs_.push_back({.variable = static_cast<Index>(i)});
      output_references_.push_back(variable.value_reference);
    }
  }
  due_.reserve(inputs_.size());
  all_true_ = std::make_unique<bool[]>(inputs_.size());
  std::fill_n(all_true_.get(), inputs_.size(), true);
  output_states_ = std::make_unique<bool[]>(outputs_.size());
}

void Clocks::SetInterval(const ModelDescription& description, Index clock, double interval) {
  const Variable& variable = description.At(clock);
  const Where where{.file = description.file, .line = variable.line, .item = variable.name};
  const auto found = std::ranges::find(inputs_, clock, &InputClock::VariableIndex);
  if (found == inputs_.end() || !found->CanSetInterval()) {
    throw ArgumentError(where,
                        "expected an input clock whose interval is fixed or tunable and given in the description, "
                        "found another clock",
                        "remove the setting");
  }
  if (!(interval > 0.0) || !std::isfinite(interval)) {
    throw ArgumentError(where, fmt::format("expected an interval above 0, found {}", interval),
                        "give the time between ticks");
  }
  found->SetInterval(interval);
}

void Clocks::Start(Instance& instance, double time) {
  for (InputClock& clock : inputs_) clock.Start(instance, time);
}

double Clocks::Next() const {
  double next = kNever;
  for (const InputClock& clock : inputs_) next = std::min(next, clock.Next());
  return next;
}

void Clocks::Ask(Index clock) {
  const auto found = std::ranges::find(inputs_, clock, &InputClock::VariableIndex);
  if (found != inputs_.end()) found->Ask();
}

void Clocks::AskWithin(const Instance& instance, Index clock, double from, double to, double number,
                       std::int64_t& made) {
  constexpr double kMost = 1000.0;
  const auto found = std::ranges::find(inputs_, clock, &InputClock::VariableIndex);
  const double left = std::round(number) - static_cast<double>(made);
  if (found == inputs_.end() || !(left >= 1.0)) return;
  if (left > kMost) {
    const ModelDescription& description = instance.Description();
    throw ModelError(
        {.file = description.file, .component = instance.Options().name, .item = description.At(clock).name},
        fmt::format("expected a clock that is to tick {} times at most in a step, found {}", kMost, left),
        "link a number that counts ticks");
  }
  const auto count = to > from ? static_cast<std::int64_t>(left) : 1;
  found->AskWithin(from, to, count);
  made += count;
}

InputClock* Clocks::First(double until) {
  InputClock* first = nullptr;
  for (InputClock& clock : inputs_) {
    if (clock.Next() <= until && (first == nullptr || clock.Priority() < first->Priority())) first = &clock;
  }
  return first;
}

void Clocks::Announced(Instance& instance, double time) {
  Look(instance);
  for (InputClock& clock : inputs_) clock.Count(instance, time);
}

void Clocks::Tick(Instance& instance, double time, double tolerance) {
  due_.clear();
  for (InputClock& clock : inputs_) {
    if (clock.Tick(time, tolerance)) due_.push_back(clock.Reference());
  }
  if (!due_.empty()) instance.SetClocks(due_, {all_true_.get(), due_.size()});
}

void Clocks::Look(Instance& instance) {
  if (outputs_.empty()) return;
  instance.GetClocks(output_references_, {output_states_.get(), outputs_.size()});
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    outputs_[i].is_active |= output_states_[i];
    outputs_[i].ticks += output_states_[i] ? 1 : 0;
  }
}

void Clocks::AfterRound() {
  for (InputClock& clock : inputs_) clock.AfterRound();
  for (Output& clock : outputs_) clock.is_active = false;
}

void Clocks::AfterEvent(Instance& instance, double time) {
  for (InputClock& clock : inputs_) clock.AfterEvent(instance, time);
}

bool Clocks::IsActive(const std::vector<Index>& clocks) const {
  return clocks.empty() || std::ranges::any_of(clocks, [this](Index clock) {
           const auto input = std::ranges::find(inputs_, clock, &InputClock::VariableIndex);
           const auto output = std::ranges::find(outputs_, clock, &Output::variable);
           return (input != inputs_.end() && input->IsActive()) || (output != outputs_.end() && output->is_active);
         });
}

std::int64_t Clocks::TicksOf(Index clock) const {
  const auto input = std::ranges::find(inputs_, clock, &InputClock::VariableIndex);
  if (input != inputs_.end()) return input->Ticks();
  const auto output = std::ranges::find(outputs_, clock, &Output::variable);
  return output != outputs_.end() ? output->ticks : 0;
}

void Clocks::Save(StateWriter& writer) const {
  for (const InputClock& clock : inputs_) clock.Save(writer);
  for (const Output& clock : outputs_) writer.Write(clock.ticks);
}

void Clocks::Load(StateReader& reader) {
  for (InputClock& clock : inputs_) clock.Load(reader);
  for (Output& clock : outputs_) {
    clock.ticks = reader.ReadInteger();
    clock.is_active = false;
  }
}

}  // namespace openmi::fmi
