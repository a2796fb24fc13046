// The steps of a session: the data it sends, and what arrives.

#include <fmt/format.h>

#include <algorithm>

#include "fmi-bridge/dcp/master/SlaveSession.hpp"
#include "fmi-bridge/dcp/protocol/description/LogMessage.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {

void SlaveSession::SendInputs(bool all) {
  has_missed_inputs_ = false;
  Transport& transport = data_transport_ ? *data_transport_ : *control_transport_;
  for (Group& group : inputs_) {
    if (group.stands_by && !all && !takes_over_) continue;
    if (group.layout.PayloadSize() + 5 > buffer_.size()) buffer_.resize(group.layout.PayloadSize() + 64);
    const PduType type = group.is_tunable ? PduType::DAT_parameter : PduType::DAT_input_output;
    const std::size_t size = EncodeData(type, group.sequence++, group.id, group.layout, buffer_);
    const Door door = group.is_tunable ? tunable_out_ : data_out_;
    if (!transport.Send(door, PlaceOf(group), Bytes(buffer_).first(size))) {
      is_gone_ = options_.data == TransportProtocol::TCP_IPv4;
      Fail(fmt::format("data {} to be taken", group.id), "that they could not be sent", "see that it runs");
    }
    ++counts_.data_sent;
  }
}

void SlaveSession::MarkStale() {
  for (Group& group : outputs_) group.is_fresh = false;
}

bool SlaveSession::AreFresh(bool at_initialization) const {
  return std::ranges::all_of(outputs_, [this, at_initialization](const Group& group) {
    if (group.is_fresh || at_initialization) return group.is_fresh;
    // In real time a group may be sent less often than this side steps.
    const bool is_slower = options_.mode != OpMode::NRT && !options_.is_lock_step && group.steps > options_.steps;
    return group.scope == Scope::Initialization || is_slower;
  });
}

void SlaveSession::AwaitOutputs(bool at_initialization, Clock::time_point deadline, std::string_view when) {
  while (!AreFresh(at_initialization)) {
    if (Pump(deadline)) continue;
    if (is_gone_) Fail(fmt::format("its outputs of {}", when), "that its connection ended", "see that it runs");
    if (options_.on_loss == OnLoss::Hold && !at_initialization) {
      ++counts_.held;
      for (Group& group : outputs_) {
        if (!group.is_fresh && group.scope != Scope::Initialization) ++counts_.data_missed;
      }
      return;
    }
    std::size_t missing = 0;
    for (const Group& group : outputs_) missing += group.is_fresh ? 0 : 1;
    Fail(fmt::format("its outputs of {} within {} ms", when, options_.data_timeout.count()),
         fmt::format("{} of {} data PDUs missing", missing, outputs_.size()),
         options_.data == TransportProtocol::TCP_IPv4
             ? "see its own messages"
             : "use TCP for data, or let a lost datagram pass by on-loss=hold");
  }
}

void SlaveSession::BeginStep(std::uint32_t steps) {
  BeatIfDue();
  MarkStale();
  const SentTogether together(Together());
  SendInputs();
  seen_ = 0;
  Send(StcDoStep{.state = State::RUNNING, .steps = steps});
}

void SlaveSession::AskForOutputs() {
  const auto deadline = step_deadline_ = After(options_.step_timeout);
  for (;;) {
    const auto steps = static_cast<std::uint32_t>(pending_[5]) | static_cast<std::uint32_t>(pending_[6]) << 8U |
                       static_cast<std::uint32_t>(pending_[7]) << 16U | static_cast<std::uint32_t>(pending_[8]) << 24U;
    const Answer answer = Await();
    if (answer.is_ack) break;
    RequireHealth();
    if (!answer.IsEarly() || Clock::now() > deadline) {
      Fail("to take STC_do_step",
           fmt::format("{} ({:#06x})", NameOf(answer.error), static_cast<unsigned>(answer.error)),
           answer.error == ErrorCode::NOT_SUPPORTED_VARIABLE_STEPS || answer.error == ErrorCode::INVALID_STEPS
               ? "choose a time step that its description allows"
               : "see its own messages");
    }
    const State now = AskState();
    RequireHealth();
    if (now == State::COMPUTING || now == State::COMPUTED) break;
    Send(StcDoStep{.state = State::RUNNING, .steps = steps});
  }
  WaitFor(State::COMPUTED, deadline, "STC_do_step");
  SendCommand(PduType::STC_send_outputs, State::COMPUTED);
}

void SlaveSession::FinishStep() {
  FinishCommand(PduType::STC_send_outputs, State::COMPUTED, State::RUNNING, step_deadline_);
  AwaitOutputs(false, After(options_.data_timeout), "a step");
  ++counts_.steps;
}

void SlaveSession::BeginLockStep() {
  BeatIfDue();
  MarkStale();
  const SentTogether together(Together());
  SendInputs();
}

void SlaveSession::FinishLockStep() {
  const auto deadline = After(options_.step_timeout);
  auto poll = Clock::now() + PollInterval();
  while (!AreFresh(false)) {
    if (Pump(std::min(deadline, poll))) {
      RequireHealth();
      continue;
    }
    if (is_gone_) Fail("its outputs of a step", "that its connection ended", "see that it runs");
    if (Clock::now() >= deadline) {
      AwaitOutputs(false, deadline, fmt::format("a lock-step (time-out of {} ms)", options_.step_timeout.count()));
      break;
    }
    // Only the state distinguishes a slave that computes from one that is gone, or that waits for data that were lost.
    ++counts_.polls;
    AskState(deadline);
    RequireHealth();
    poll = Clock::now() + PollInterval();
  }
  ++counts_.steps;
}

bool SlaveSession::StepInRealTime(Clock::time_point due, Clock::duration slack) {
  // What arrives before `due` - `slack` belongs to earlier steps. When this side is late, because it waited for other
  // slaves, it cannot know when a PDU arrived. A slave sends once a step, so each late step takes the next PDU. All
  // PDUs are taken only when this side is too late to catch up.
  constexpr int kMostBehind = 16;  // steps, of 2 `slack`
  const auto now = Clock::now();
  const bool is_early = now < due - slack;
  const bool is_behind = !is_early && now < due + 2 * kMostBehind * slack;
  while (!(is_behind && AreFresh(false)) && Pump(Clock::time_point::min())) {
  }
  RequireHealth();
  BeatIfDue();
  if (is_gone_)
    Fail("its outputs", has_hung_up_ ? "that its connection ended" : "that it had not answered before either",
         "see that it runs");
  SendInputs();
  if (is_early) {
    MarkStale();
    // A PDU received after that moment arrived just now and stays; the next would arrive a step later, after the end.
    while (Pump(due - slack) && Clock::now() < due - slack) MarkStale();
  }
  while (!AreFresh(false)) {
    if (Pump(due + slack)) continue;
    RequireHealth();
    AskIfSilent(2 * slack);
    ++counts_.held;
    ++counts_.steps;
    return false;
  }
  RequireHealth();
  MarkStale();
  if (Clock::now() > due + slack) ++counts_.overruns;
  AskIfSilent(2 * slack);
  ++counts_.steps;
  return true;
}

void SlaveSession::AskIfSilent(Clock::duration step) {
  const auto now = Clock::now();
  if (heard_ != heard_before_) {
    heard_before_ = heard_;
    silent_since_ = now;
    return;
  }
  std::uint32_t slowest = options_.steps;
  for (const Group& group : outputs_) slowest = std::max(slowest, group.steps);
  const auto twice = 2 * step * (slowest / std::max(options_.steps, 1U));
  if (now - silent_since_ < std::max(PollInterval(), twice)) return;
  AskState();
  RequireHealth();
}

// --- what arrives ---

bool SlaveSession::Pump(Clock::time_point deadline) {
  Arrival arrival;
  if (transports_.size() == 1) {
    if (!transports_[0]->Receive(arrival, deadline)) return false;
  } else if (ReceiveAny(transports_, arrival, deadline) < 0) {
    return false;
  }
  if (arrival.is_end) {
    // A slave closes its data connections when it stops; it closes the connection for requests only when it ends.
    if (arrival.door == control_socket_ && options_.control == TransportProtocol::TCP_IPv4) {
      is_gone_ = has_hung_up_ = true;
      return false;
    }
    return true;
  }
  Take(arrival);
  return true;
}

void SlaveSession::Take(const Arrival& arrival) {
  if (arrival.from.address != options_.slave.address) {
    ++counts_.strays;
    return;
  }
  const Decoded decoded = Decode(arrival.pdu);
  if (decoded.fault != DecodeFault::None) {
    ++counts_.strays;
    return;
  }
  ++heard_;
  const auto answered = [this](std::uint16_t sequence, std::uint8_t sender) {
    if (sequence != sequence_ || sender != options_.id || answer_.is_here) return false;
    answer_.is_here = true;
    answer_.sequence = sequence;
    return true;
  };
  if (const auto* data = std::get_if<Dat>(&decoded.pdu)) {
    if (!TakeData(*data)) return;
    (data_transport_ ? data_transport_ : control_transport_)->Admit(arrival.door, arrival.from);
  } else if (const auto* ack = std::get_if<RspAck>(&decoded.pdu)) {
    if (answered(ack->sequence, ack->sender)) answer_.is_ack = true;
  } else if (const auto* nack = std::get_if<RspNack>(&decoded.pdu)) {
    if (answered(nack->sequence, nack->sender)) {
      answer_.error = nack->error;
      answer_.expected = nack->expected_sequence;
    }
  } else if (const auto* state = std::get_if<RspStateAck>(&decoded.pdu)) {
    if (IsState(static_cast<std::uint8_t>(state->state)) && answered(state->sequence, state->sender)) {
      answer_.is_ack = true;
      answer_.state = state->state;
    }
  } else if (const auto* error = std::get_if<RspErrorAck>(&decoded.pdu)) {
    if (answered(error->sequence, error->sender)) {
      answer_.is_ack = true;
      answer_.error = error->error;
    }
  } else if (const auto* notice = std::get_if<NtfStateChanged>(&decoded.pdu)) {
    if (notice->sender != options_.id || !IsState(static_cast<std::uint8_t>(notice->state))) {
      ++counts_.strays;
      return;
    }
    state_ = notice->state;
    seen_ |= 1U << static_cast<unsigned>(state_);
  } else if (const auto* entry = std::get_if<NtfLog>(&decoded.pdu)) {
    static_cast<void>(TakeLog(entry->log_template, entry->arguments));
  } else if (const auto* log = std::get_if<RspLogAck>(&decoded.pdu)) {
    if (!answered(log->sequence, log->sender)) return;
    answer_.is_ack = true;
    constexpr std::size_t kHead = sizeof(std::int64_t) + 1;  // time and template
    for (Bytes rest = log->entries; rest.size() >= kHead; ++answer_.entries) {
      const auto taken = TakeLog(static_cast<std::uint8_t>(rest[kHead - 1]), rest.subspan(kHead));
      if (!taken) break;  // where the next entry starts is unknown
      rest = rest.subspan(kHead + *taken);
    }
  } else {
    ++counts_.strays;
  }
}

bool SlaveSession::TakeData(const Dat& data) {
  Group* group = data.type == PduType::DAT_input_output ? GroupOf(outputs_, data.id) : nullptr;
  if (group == nullptr) {
    ++counts_.strays;
    return false;
  }
  ++counts_.data_received;
  const SequenceWatch::Verdict verdict = group->watch.See(data.sequence);
  switch (verdict) {
    case SequenceWatch::Verdict::Duplicate:
      ++counts_.duplicated;
      return false;
    case SequenceWatch::Verdict::Late:
      ++counts_.late;
      return false;
    case SequenceWatch::Verdict::Gap:
      counts_.data_missed += group->watch.Missed();
      break;
    case SequenceWatch::Verdict::First:
    case SequenceWatch::Verdict::Next:
      break;
  }
  if (!group->layout.DecodePayload(data.payload)) {
    ++counts_.strays;
    return false;
  }
  group->is_fresh = true;
  return verdict == SequenceWatch::Verdict::First;
}

std::optional<std::size_t> SlaveSession::TakeLog(std::uint8_t log_template, Bytes arguments) {
  if (!description_.log) return std::nullopt;
  const auto found = std::ranges::find(description_.log->templates, log_template, &LogTemplate::id);
  if (found == description_.log->templates.end()) return std::nullopt;
  if (found->message == kMissedData) {
    if (arguments.size() < kMissedDataBytes) return std::nullopt;
    TakeMissedData(arguments);
    if (!options_.log) return kMissedDataBytes;
  }
  std::size_t taken = 0;
  const std::string message = FormatLogMessage(*found, arguments, taken);
  if (found->level <= LogLevel::Error) complaint_ = message;
  if (options_.log) options_.log(message);
  return taken;
}

void SlaveSession::TakeMissedData(Bytes arguments) {
  const MissedDataEntry entry = DecodeMissedData(arguments);
  ++counts_.inputs_missed;
  ++counts_.data_missed;
  // else another slave sends it directly
  has_missed_inputs_ = has_missed_inputs_ || GroupOf(inputs_, entry.id) != nullptr;
}

void SlaveSession::FetchLog() {
  const CapabilityFlags& can = description_.capabilities;
  if (!options_.log_level || !can.can_provide_log_on_request || can.can_provide_log_on_notification) return;
  constexpr int kMostRounds = 64;  // one PDU full of entries each
  for (int round = 0; round < kMostRounds; ++round) {
    Send(InfLog{.category = 0, .max_entries = 255});
    const Answer answer = Await();
    if (!answer.is_ack || answer.entries == 0) return;
  }
}

}  // namespace openmi::dcp
