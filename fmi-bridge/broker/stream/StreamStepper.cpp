#include "fmi-bridge/broker/stream/StreamStepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi::broker {

StreamStepper::StreamStepper(std::vector<Field> fields, MessageParser parser, StepRules rules, IMessageSource& source)
    : fields_(std::move(fields)), parser_(std::move(parser)), rules_(rules), source_(source), states_(fields_.size()) {}

std::string StreamStepper::WhatCame() const {
  std::string text;
  for (const NamedCount& named : kStreamCounts) {
    const std::uint64_t count = counts_.*named.count;
    if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, named.name);
  }
  return text.empty() ? "no message came at all" : "so far: " + text;
}

bool StreamStepper::TakeNext(const std::function<std::string()>& wanted) {
  constexpr std::chrono::milliseconds kSlice{1000};
  if (has_ended_) return false;
  Delivery delivery;
  const auto begin = Clock::now();
  while (true) {
    // A message that has arrived is taken even when no time is left.
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
    const auto wait = std::clamp(left, std::chrono::milliseconds(0), kSlice);
    const Taken taken = source_.Take(delivery, wait, counts_);
    if (taken == Taken::End) {
      has_ended_ = true;
      return false;
    }
    if (taken == Taken::Nothing) {
      if (Clock::now() >= deadline_) return false;
      const double waited = std::chrono::duration<double>(Clock::now() - begin).count();
      const std::string sentence =
          fmt::format("waiting for {} on {}, for {:.0f} s, {:.0f} s left; {}", wanted(), source_.Name(), waited,
                      std::chrono::duration<double>(deadline_ - Clock::now()).count(), WhatCame());
      Log(sentence);
      if (on_wait_) on_wait_(sentence);
      continue;
    }
    ++counts_.taken;
    last_place_ = delivery.place;
    if (delivery.is_oversized) {
      ++counts_.oversized;
      Log(fmt::format("message {} of {}: {} bytes are more than allowed; dropped", delivery.place, source_.Name(),
                      delivery.size));
      continue;
    }
    const Verdict verdict = parser_.Parse(delivery.body, next_, counts_);
    next_.place = delivery.place;
    if (!parser_.Complaint().empty()) {
      Log(fmt::format("message {} of {}: {}", delivery.place, source_.Name(), parser_.Complaint()));
    }
    if (verdict == Verdict::Good) return true;
    ++(verdict == Verdict::Malformed ? counts_.malformed
       : verdict == Verdict::NoStamp ? counts_.without_stamp
                                     : counts_.foreign);
    if (Clock::now() >= deadline_) return false;
  }
}

void StreamStepper::Apply(Message& message, Nanos time, Nanos most_recent) {
  for (FieldValue& value : message.values) {
    FieldState& state = states_[value.field];
    if (state.has_value && state.stamp > most_recent) continue;
    state.has_value = true;
    state.is_stale = false;
    state.number = value.number;
    state.stamp = time;
    if (fields_[value.field].type == FieldType::String) std::swap(state.text, value.text);
  }
  ++counts_.applied;
}

void StreamStepper::Keep() {
  if (kept_count_ == kept_.size()) kept_.emplace_back();
  std::swap(kept_[kept_count_++], next_);
}

void StreamStepper::ReleaseUsed() {
  const auto used = kept_count_ == 0 || kept_[0].place == 0 ? last_place_ : kept_[0].place - 1;
  if (used != 0) source_.Release(used);
}

void StreamStepper::FindStale() {
  if (rules_.maximum_age <= 0) return;
  for (FieldState& state : states_) {
    if (!state.has_value) continue;
    state.is_stale = now_ - state.stamp > rules_.maximum_age;
    if (state.is_stale) ++counts_.stale;
  }
}

void StreamStepper::Begin(std::optional<Nanos> zero) {
  now_ = 0;
  kept_count_ = 0;
  has_ended_ = false;
  std::ranges::fill(states_, FieldState{});
  const auto wanted = [&] {
    return zero ? fmt::format("the first message at or after {}", FormatWallTime(*zero))
                : std::string("the first message, which defines time zero,");
  };
  deadline_ = Clock::now() + rules_.timeout;
  while (true) {
    if (!TakeNext(wanted)) {
      throw ModelError({.file = {}, .item = source_.Name()},
                       has_ended_ ? fmt::format("expected {}, found the end of the recording; {}", wanted(), WhatCame())
                                  : fmt::format("expected {} within {}, found none; {}", wanted(),
                                                FormatNanos(Nanos{rules_.timeout.count()} * 1'000'000), WhatCame()),
                       "start the program that publishes, or check the name of the queue, its binding and the names of "
                       "the fields; the argument timeout says how long to wait");
    }
    if (!zero) zero = next_.stamp;
    if (next_.stamp >= *zero) break;
    ++counts_.before_zero;
  }
  zero_ = *zero;
  if (next_.stamp == zero_) {
    Apply(next_, 0);
  } else {
    Keep();
  }
  // Nothing is released before the first step: a run that restarts before it takes the same messages again.
}

void StreamStepper::Step(Nanos to) {
  int ended = 0;
  std::size_t left = 0;
  for (std::size_t i = 0; i < kept_count_; ++i) {
    const Nanos time = kept_[i].stamp - zero_;
    if (time >= to) ++ended;
    if (time <= to) {
      Apply(kept_[i], time);
    } else {
      if (left != i) std::swap(kept_[left], kept_[i]);
      ++left;
    }
  }
  kept_count_ = left;
  const auto wanted = [&] {
    return fmt::format("a message at or past {} ({} of simulation time)", FormatWallTime(zero_ + to), FormatNanos(to));
  };
  deadline_ = Clock::now() + rules_.timeout;
  while (ended < rules_.look_ahead) {
    if (!TakeNext(wanted)) {
      if (rules_.holds_on_timeout) break;
      if (has_ended_) {
        // The messages read ahead are enough: no other message can come before them.
        if (ended > 0) break;
        throw ModelError({.item = source_.Name()},
                         fmt::format("expected {}, found the end of the recording; {}", wanted(), WhatCame()),
                         "let the run end no later than the recording, or set on-timeout to hold");
      }
      throw ModelError({.item = source_.Name()},
                       fmt::format("expected {} within {}, found none; {}", wanted(),
                                   FormatNanos(Nanos{rules_.timeout.count()} * 1'000'000), WhatCame()),
                       "check the publisher; the argument timeout sets how long to wait, and on-timeout=hold lets the "
                       "run continue with the present values");
    }
    const Nanos time = next_.stamp - zero_;
    if (time < now_) {
      ++(time < 0 ? counts_.before_zero : counts_.late);
      continue;
    }
    if (time >= to) ++ended;
    if (time == now_) {  // belongs to the end of the last step and arrived after it
      Apply(next_, time, now_);
    } else if (time <= to) {
      Apply(next_, time);
    } else {
      Keep();
    }
    deadline_ = Clock::now() + rules_.timeout;
  }
  now_ = to;
  FindStale();
  ReleaseUsed();
}

void StreamStepper::Save(StateWriter& writer) const {
  writer.Write(static_cast<std::int64_t>(source_.Position()));
  writer.Write(zero_);
  writer.Write(now_);
  writer.Write(static_cast<std::int64_t>(states_.size()));
  for (const FieldState& state : states_) {
    writer.Write(state.has_value);
    writer.Write(state.is_stale);
    writer.Write(state.number);
    writer.Write(state.text);
    writer.Write(state.stamp);
  }
  writer.Write(static_cast<std::int64_t>(kept_count_));
  for (std::size_t i = 0; i < kept_count_; ++i) {
    writer.Write(kept_[i].stamp);
    writer.Write(static_cast<std::int64_t>(kept_[i].values.size()));
    for (const FieldValue& value : kept_[i].values) {
      writer.Write(static_cast<std::int64_t>(value.field));
      writer.Write(value.number);
      writer.Write(value.text);
    }
  }
  for (const NamedCount& named : kStreamCounts) writer.Write(static_cast<std::int64_t>(counts_.*named.count));
}

void StreamStepper::Load(StateReader& reader) {
  const std::int64_t position = reader.ReadInteger();
  const Nanos zero = reader.ReadInteger();
  const Nanos now = reader.ReadInteger();
  const auto require = [](bool fits, const char* what, std::int64_t found) {
    if (fits) return;
    throw FormatError({}, fmt::format("expected {} in a state, found {}", what, found),
                      "restore it with the arguments it was kept with");
  };
  const std::int64_t fields = reader.ReadInteger();
  require(fields == static_cast<std::int64_t>(states_.size()), "the values of as many fields as there are", fields);
  std::vector<FieldState> states(states_.size());
  for (FieldState& state : states) {
    state.has_value = reader.ReadBool();
    state.is_stale = reader.ReadBool();
    state.number = reader.ReadDouble();
    state.text = reader.ReadText();
    state.stamp = reader.ReadInteger();
  }
  const std::int64_t kept_count = reader.ReadInteger();
  require(kept_count >= 0 && kept_count <= 1'000'000, "a number of kept messages", kept_count);
  std::vector<Message> kept;
  for (std::int64_t i = 0; i < kept_count; ++i) {
    Message& message = kept.emplace_back();
    message.stamp = reader.ReadInteger();
    const std::int64_t values = reader.ReadInteger();
    require(values >= 0 && values <= fields, "a number of values in a message", values);
    for (std::int64_t j = 0; j < values; ++j) {
      FieldValue& value = message.values.emplace_back();
      const std::int64_t field = reader.ReadInteger();
      require(field >= 0 && field < fields, "the number of a field", field);
      value.field = static_cast<std::size_t>(field);
      value.number = reader.ReadDouble();
      value.text = reader.ReadText();
    }
  }
  StreamCounts counts;
  for (const NamedCount& named : kStreamCounts) {
    counts.*named.count = static_cast<std::uint64_t>(reader.ReadInteger());
  }
  source_.ReturnTo(static_cast<std::uint64_t>(position));
  zero_ = zero;
  now_ = now;
  states_ = std::move(states);
  kept_ = std::move(kept);
  kept_count_ = kept_.size();
  last_place_ = 0;
  has_ended_ = false;
  counts_ = counts;
}

}  // namespace openmi::broker
