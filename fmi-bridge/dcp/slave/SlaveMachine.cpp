#include "fmi-bridge/dcp/slave/SlaveMachine.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace openmi::dcp {
namespace {

using enum ErrorCode;

constexpr std::size_t kMostLogBytes = 8192;  // of one RSP_log_ack or NTF_log

bool IsStc(PduType type) {
  return static_cast<std::uint8_t>(type) < 0x20;
}
bool IsCfg(PduType type) {
  return static_cast<std::uint8_t>(type) >= 0x20 && static_cast<std::uint8_t>(type) < 0x80;
}
bool IsData(PduType type) {
  return type == PduType::DAT_input_output || type == PduType::DAT_parameter;
}

/// The state in an STC, where the master believes the slave is; nothing for other PDUs.
std::optional<State> StateIn(const Pdu& pdu) {
  return std::visit(
      [](const auto& one) -> std::optional<State> {
        using T = std::decay_t<decltype(one)>;
        if constexpr (requires {
                        one.state;
                        one.receiver;
                      }) {
          return one.state;
        } else {
          static_assert(!std::is_same_v<T, StcPlain>);
          return std::nullopt;
        }
      },
      pdu);
}

ErrorCode JudgeRegister(const StcRegister& pdu, const SlaveDescription& description) {
  if (pdu.uuid != description.uuid) return INVALID_UUID;
  if (pdu.mode > OpMode::NRT || !description.Supports(pdu.mode)) return INVALID_OP_MODE;
  if (pdu.major != description.major_version) return INVALID_MAJOR_VERSION;
  if (pdu.minor != description.minor_version) return INVALID_MINOR_VERSION;
  return NONE;
}

}  // namespace

SlaveMachine::SlaveMachine(const SlaveDescription& description, SlaveValues& values, ISlaveOutlet& outlet,
                           std::function<bool(const CfgNetworkInformation&)> is_allowed)
    : description_(description),
      outlet_(outlet),
      configuration_(values, std::move(is_allowed)),
      heartbeat_(description) {
  out_.resize(kMostLogBytes + 64);
}

void SlaveMachine::Emit(const Pdu& pdu, bool is_reply) {
  const std::size_t size = Encode(pdu, out_);
  if (size == 0) return;
  const ByteView bytes = ByteView(out_).first(size);
  is_reply ? outlet_.Reply(bytes) : outlet_.Notify(bytes);
}

void SlaveMachine::Nack(const RequestHead& head, ErrorCode error) {
  ++counts_.nacks;
  Emit(RspNack{.sequence = head.sequence,
               .sender = state_ == State::ALIVE ? head.receiver : id_,
               .expected_sequence = numbers_.Next(),
               .error = error},
       true);
}

void SlaveMachine::Enter(State state) {
  state_ = state;
  Emit(NtfStateChanged{.sender = id_, .state = state}, false);
}

void SlaveMachine::Receive(ByteView pdu, const Moment& now) {
  if (pdu.empty()) {
    ++counts_.dropped;
  } else if (IsData(static_cast<PduType>(pdu[0]))) {
    ReceiveData(pdu);
  } else {
    ReceiveRequest(pdu, now);
  }
}

void SlaveMachine::ReceiveData(ByteView pdu) {
  const Decoded decoded = Decode(pdu);
  if (decoded.fault != DecodeFault::None || !IsAllowed(state_, TypeOf(decoded.pdu))) {
    ++counts_.dropped;
    return;
  }
  const Dat& data = std::get<Dat>(decoded.pdu);
  auto& groups = data.type == PduType::DAT_parameter ? configuration_.Parameters() : configuration_.Inputs();
  const auto found = groups.find(data.id);
  if (found == groups.end() || found->second.layout.IsEmpty()) {
    ++counts_.dropped;
    return;
  }
  InputGroup& group = found->second;
  // Older data must not replace the newest.
  const SequenceWatch::Verdict verdict = group.watch.See(data.sequence);
  if (verdict == SequenceWatch::Verdict::Duplicate || verdict == SequenceWatch::Verdict::Late) {
    ++(verdict == SequenceWatch::Verdict::Late ? counts_.late : counts_.repeated);
    ++counts_.dropped;
    return;
  }
  if (verdict == SequenceWatch::Verdict::Gap && !JudgeGap(data, group)) return;
  if (!group.layout.DecodePayload(data.payload)) {
    ++group.malformed;
    ++counts_.dropped;
    return;
  }
  group.missing = 0;
  ++group.taken;
  ++counts_.data;
}

bool SlaveMachine::JudgeGap(const Dat& data, const InputGroup& group) {
  const std::uint16_t missed = group.watch.Missed();
  counts_.missed += missed;
  if (missed <= group.missing) return true;  // each loss was reported when its step began
  const bool is_borne = bears_soft_loss_ && mode_ == OpMode::SRT;
  const MissedData found{.type = data.type,
                         .id = data.id,
                         .number = static_cast<std::uint16_t>(data.sequence - missed),
                         .in_a_row = missed,
                         .is_at_begin = false,
                         .is_too_many = group.most_missed && missed > *group.most_missed && !is_borne};
  outlet_.Missed(found);
  if (found.is_too_many) Fail(PROTOCOL_ERROR_PROPERTY_VIOLATED);
  return !found.is_too_many;
}

bool SlaveMachine::JudgeInputs() {
  bool goes_on = true;
  missing_.Judge(state_ == State::INITIALIZING, [&](const MissedData& found) {
    ++counts_.without;
    outlet_.Missed(found);
    goes_on = goes_on && !found.is_too_many;
  });
  if (!goes_on) Fail(PROTOCOL_ERROR_PROPERTY_VIOLATED);
  return goes_on;
}

ErrorCode SlaveMachine::CheckSupport(PduType type) const {
  const CapabilityFlags& flags = description_.capabilities;
  const bool has_log = flags.can_provide_log_on_request || flags.can_provide_log_on_notification;
  bool is_supported = state_ == State::ALIVE || IsSupported(mode_, type);
  if (IsCfg(type)) is_supported = is_supported && flags.can_accept_config_pdus;
  if (type == PduType::STC_reset) is_supported = flags.can_handle_reset;
  if (type == PduType::CFG_logging) is_supported = has_log;
  if (type == PduType::INF_log) is_supported = flags.can_provide_log_on_request;
  return is_supported ? NONE : NOT_SUPPORTED_PDU;
}

void SlaveMachine::ReceiveRequest(ByteView pdu, const Moment& now) {
  RequestHead head;
  const bool is_alive = state_ == State::ALIVE;
  if (!DecodeHead(pdu, head) || !IsKnown(head.type) || head.receiver == 0 || (!is_alive && head.receiver != id_)) {
    ++counts_.dropped;
    return;
  }
  ++counts_.requests;
  if (!is_alive) {  // before there is a master, numbers are not checked
    if (!numbers_.IsNext(head.sequence)) return Nack(head, INVALID_SEQUENCE_ID);
    heartbeat_.Take(head.type == PduType::INF_state, now.clock);
  }
  numbers_.Take(head.sequence);
  if (const ErrorCode error = CheckSupport(head.type); error != NONE) return Nack(head, error);
  const Decoded decoded = Decode(pdu);
  if (decoded.fault != DecodeFault::None) return Nack(head, INVALID_LENGTH);
  if (!IsAllowed(state_, head.type)) {
    const bool is_under_way = RequestUnderWay(state_) == head.type;
    return Nack(head, is_under_way ? PROTOCOL_ERROR_STATE_TRANSITION_IN_PROGRESS
                                   : PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE);
  }
  if (AnswerInformation(decoded.pdu, head)) return;
  const ErrorCode error = IsStc(head.type) ? JudgeState(decoded.pdu, now) : Configure(decoded.pdu);
  if (error != NONE) return Nack(head, error);
  if (is_alive) id_ = head.receiver;
  Emit(RspAck{.sequence = head.sequence, .sender = id_}, true);
  Act(decoded.pdu, now);
}

bool SlaveMachine::AnswerInformation(const Pdu& pdu, const RequestHead& head) {
  const std::uint8_t sender = state_ == State::ALIVE ? head.receiver : id_;
  if (head.type == PduType::INF_state) {
    Emit(RspStateAck{.sequence = head.sequence, .sender = sender, .state = state_}, true);
    return true;
  }
  if (head.type == PduType::INF_error) {
    Emit(RspErrorAck{.sequence = head.sequence, .sender = sender, .error = error_}, true);
    return true;
  }
  if (head.type != PduType::INF_log) return false;
  const InfLog& asked = std::get<InfLog>(pdu);
  const auto& log = description_.log;
  if (asked.category != 0 &&
      (!log || std::ranges::find(log->categories, asked.category, &LogCategory::id) == log->categories.end())) {
    Nack(head, INVALID_LOG_CATEGORY);
    return true;
  }
  const ByteView entries = log_.Take(asked.category, asked.max_entries, kMostLogBytes);
  Emit(RspLogAck{.sequence = head.sequence, .sender = sender, .entries = entries}, true);
  return true;
}

ErrorCode SlaveMachine::JudgeState(const Pdu& pdu, const Moment& now) const {
  if (StateIn(pdu) != state_) return INVALID_STATE_ID;
  if (const auto* request = std::get_if<StcRegister>(&pdu)) return JudgeRegister(*request, description_);
  if (const auto* request = std::get_if<StcRun>(&pdu))
    return mode_ != OpMode::NRT && request->time != 0 && request->time < now.unix_seconds ? INVALID_START_TIME : NONE;
  if (const auto* request = std::get_if<StcDoStep>(&pdu)) return JudgeDoStep(*request);
  if (TypeOf(pdu) == PduType::STC_prepare) return configuration_.CheckComplete(mode_);
  return NONE;
}

ErrorCode SlaveMachine::JudgeDoStep(const StcDoStep& pdu) const {
  if (pdu.steps == 0 || !description_.non_real_time->Allows(pdu.steps)) return INVALID_STEPS;
  const bool differs = steps_ && *steps_ != pdu.steps;
  return differs && !description_.capabilities.can_handle_variable_steps ? NOT_SUPPORTED_VARIABLE_STEPS : NONE;
}

ErrorCode SlaveMachine::Configure(const Pdu& pdu) {
  return std::visit(
      [&](const auto& one) {
        if constexpr (requires { configuration_.Apply(one); }) {
          return configuration_.Apply(one);
        } else {
          return NONE;  // done after it was acknowledged
        }
      },
      pdu);
}

void SlaveMachine::Act(const Pdu& pdu, const Moment& now) {
  const PduType type = TypeOf(pdu);
  if (type == PduType::CFG_clear) configuration_.Clear();
  numbers_.MayRestart(type == PduType::CFG_clear || type == PduType::STC_reset);
  if (!IsStc(type)) return;
  const State next = *After(state_, type);
  switch (type) {
    case PduType::STC_register:
      mode_ = std::get<StcRegister>(pdu).mode;
      numbers_.NoteRegistered();
      heartbeat_.Begin(now.clock);
      configuration_.Clear();
      log_.Clear();
      error_ = NONE;
      break;
    case PduType::STC_run:
      start_time_ = mode_ == OpMode::NRT ? 0 : std::get<StcRun>(pdu).time;
      break;
    case PduType::STC_do_step:
      origin_ = state_;
      steps_ = std::get<StcDoStep>(pdu).steps;
      break;
    case PduType::STC_reset:
    case PduType::STC_deregister:
      configuration_.Clear();
      steps_.reset();
      error_ = NONE;
      heartbeat_.Renew(now.clock);
      break;
    default:
      break;
  }
  Enter(next);
  if (next == State::ALIVE) id_ = 0;
}

void SlaveMachine::ReceiveFromStranger(ByteView pdu) {
  RequestHead head;
  const bool is_request = DecodeHead(pdu, head) && head.receiver != 0;
  if (is_request && head.type == PduType::INF_state) {
    ++counts_.requests;
    Emit(RspStateAck{.sequence = head.sequence, .sender = head.receiver, .state = state_}, true);
  } else if (is_request && head.type == PduType::STC_register) {
    ++counts_.strangers;
    ++counts_.requests;
    ++counts_.nacks;
    Emit(RspNack{.sequence = head.sequence,
                 .sender = head.receiver,
                 .expected_sequence = static_cast<std::uint16_t>(head.sequence + 1),
                 .error = PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE},
         true);
  } else {
    if (is_request) ++counts_.strangers;
    ++counts_.dropped;
  }
}

bool SlaveMachine::IsNextRequest(ByteView pdu) const {
  RequestHead head;
  return DecodeHead(pdu, head) && IsKnown(head.type) && head.receiver == id_ && head.sequence == numbers_.Next();
}

bool SlaveMachine::Raise(Signal signal) {
  const std::optional<State> next = After(state_, signal, origin_);
  if (!next) return false;
  if (signal != Signal::exit) Enter(*next);
  return true;
}

void SlaveMachine::Fail(ErrorCode reason) {
  if (!After(state_, Signal::error)) return;
  error_ = reason;
  Raise(Signal::error);
}

void SlaveMachine::Restart() {
  if (state_ != State::ERRORRESOLVED) return;
  configuration_.Clear();
  log_.Clear();
  steps_.reset();
  error_ = NONE;
  Enter(State::ALIVE);
  id_ = 0;
}

std::optional<SlaveMachine::Clock::time_point> SlaveMachine::HeartbeatDeadline() const {
  return kNormalOperation.Has(state_) ? heartbeat_.Deadline() : std::nullopt;
}

bool SlaveMachine::IsMasterSilent(Clock::time_point now) const {
  const auto end = heartbeat_.Deadline();
  return state_ != State::ALIVE && end && now > *end;
}

void SlaveMachine::CheckHeartbeat(Clock::time_point now) {
  const auto deadline = HeartbeatDeadline();
  if (deadline && now > *deadline) Fail(PROTOCOL_ERROR_HEARTBEAT_MISSED);
}

void SlaveMachine::Log(std::uint8_t log_template, ByteView arguments, std::int64_t unix_seconds) {
  if (!description_.log || state_ == State::ALIVE) return;
  const auto& templates = description_.log->templates;
  const auto found = std::ranges::find(templates, log_template, &LogTemplate::id);
  if (found == templates.end() || arguments.size() > kMostLogBytes - 16) return;
  switch (configuration_.LogModeOf(found->category, found->level)) {
    case LogMode::OnRequest:
      log_.Add(unix_seconds, log_template, found->category, arguments);
      break;
    case LogMode::OnNotification:
      Emit(NtfLog{.sender = id_, .time = unix_seconds, .log_template = log_template, .arguments = arguments}, false);
      break;
    default:
      break;
  }
}

}  // namespace openmi::dcp
