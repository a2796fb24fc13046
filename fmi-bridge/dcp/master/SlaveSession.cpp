#include "fmi-bridge/dcp/master/SlaveSession.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "fmi-bridge/dcp/protocol/description/LogMessage.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {

namespace {

/// The address of this machine that packets to `to` leave from. Nothing is sent.
std::uint32_t AddressTowards(Endpoint to) {
  const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return kLoopback;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(to.port == 0 ? std::uint16_t{9} : to.port);
  address.sin_addr.s_addr = htonl(to.address);
  std::uint32_t found = kLoopback;
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    socklen_t size = sizeof address;
    if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
      found = ntohl(address.sin_addr.s_addr);
    }
  }
  close(descriptor);
  return found;
}

std::unique_ptr<Transport> MakeTransport(TransportProtocol protocol, const SlaveDescription& description) {
  const std::optional<Ipv4>& ip = description.transports.Of(protocol);
  const std::size_t most = ip ? ip->max_pdu_size : kMaxUdpPdu;
  if (protocol == TransportProtocol::TCP_IPv4) return MakeTcpTransport(std::min<std::size_t>(most, 16U << 20));
  return MakeUdpTransport(std::max<std::size_t>(std::min<std::size_t>(most, kMaxUdpPdu), 1500));
}

}  // namespace

std::uint16_t ChoosePort(const std::optional<DataPorts>& offered, std::uint16_t preferred) {
  if (!offered || offered->ranges.empty() || offered->Allows(preferred)) return preferred;
  return offered->ranges.front().from;
}

SlaveSession::SlaveSession(const SlaveDescription& description, SessionOptions options)
    : description_(description), options_(std::move(options)), values_(description) {
  control_transport_ = MakeTransport(options_.control, description);
  transports_.push_back(control_transport_.get());
  if (options_.data != options_.control) {
    data_transport_ = MakeTransport(options_.data, description);
    transports_.push_back(data_transport_.get());
  }
  if (const std::optional<Ipv4>& ip = description.transports.Of(options_.data)) {
    auto& data_port = options_.slave_data_port;
    auto& parameter_port = options_.slave_parameter_port;
    if (data_port == 0) data_port = ChoosePort(ip->data, options_.slave.port);
    if (parameter_port == 0) parameter_port = ChoosePort(ip->parameters, data_port);
  }
  if (options_.local.address == 0) options_.local.address = AddressTowards(options_.slave);
}

SlaveSession::~SlaveSession() {
  Stop();
}

std::string SlaveSession::SlaveName() const {
  return fmt::format("slave '{}' at {}", description_.name, ToText(options_.slave));
}

void SlaveSession::Fail(const std::string& expected, const std::string& found, const std::string& remedy) const {
  const std::string where = is_gone_ && is_registered_ ? fmt::format(" (last seen in {})", NameOf(state_)) : "";
  throw ModelError({.file = description_.file, .component = options_.component},
                   fmt::format("expected {} of the {}{}, found {}", expected, SlaveName(), where, found), remedy);
}

// --- what is exchanged ---

void SlaveSession::Plan(std::span<const Index> inputs, std::span<const Index> outputs,
                        std::span<const Index> parameters, std::span<const Index> stand_by) {
  inputs_.clear();
  outputs_.clear();
  direct_in_.clear();
  direct_out_.clear();
  parameters_.assign(parameters.begin(), parameters.end());
  AddGroups(inputs, true, false);
  AddGroups(stand_by, true, true);
  AddGroups(outputs, false, false);
  std::size_t largest = 64;
  for (const auto* groups : {&inputs_, &outputs_}) {
    for (const Group& group : *groups) {
      largest = std::max(largest, group.layout.LargestPayload().value_or(group.layout.PayloadSize() + 65'536) + 16);
    }
  }
  buffer_.resize(largest);
}

void SlaveSession::SendDirectly(std::uint16_t data_id, std::span<const Index> outputs, Endpoint to) {
  direct_out_.push_back({.id = data_id, .variables = {outputs.begin(), outputs.end()}, .sent_as = {}, .to = to});
}

void SlaveSession::ReceiveDirectly(std::uint16_t data_id, std::span<const Index> inputs,
                                   std::span<const DataType> sent_as) {
  direct_in_.push_back({.id = data_id,
                        .variables = {inputs.begin(), inputs.end()},
                        .sent_as = {sent_as.begin(), sent_as.end()},
                        .to = {}});
}

void SlaveSession::AddGroups(std::span<const Index> variables, bool are_inputs, bool stand_by) {
  const std::size_t most_bytes =
      std::min<std::size_t>(data_transport_ ? data_transport_->MaxPduSize() : control_transport_->MaxPduSize(),
                            description_.transports.Of(options_.data)
                                ? description_.transports.Of(options_.data)->max_pdu_size
                                : kMaxUdpPdu) -
      5;
  std::vector<Group>& groups = are_inputs ? inputs_ : outputs_;
  for (const Index index : variables) {
    const Variable& variable = values_.VariableAt(index);
    TypedValue& value = values_.At(index);
    Group fresh;
    fresh.is_tunable = variable.IsTunable();
    fresh.stands_by = stand_by;
    if (!are_inputs) {
      fresh.scope = variable.is_constant ? Scope::Initialization : Scope::InitializationAndRun;
      fresh.steps = variable.steps.Allows(options_.steps) ? options_.steps : variable.steps.standard;
    }
    const std::size_t bytes = IsText(value.Type()) ? std::size_t{4} + std::min<std::size_t>(value.MaxSize(), most_bytes)
                                                   : value.EncodedSize();
    Group* group = nullptr;
    for (Group& one : groups) {
      const std::size_t used = one.layout.LargestPayload().value_or(most_bytes);
      const bool has_room = used + bytes <= most_bytes && one.variables.size() < 65'535 &&
                            (options_.most_in_group == 0 || one.variables.size() < options_.most_in_group);
      const bool is_alike = one.is_tunable == fresh.is_tunable && one.stands_by == fresh.stands_by &&
                            one.scope == fresh.scope && one.steps == fresh.steps;
      if (is_alike && has_room) group = &one;
    }
    if (group == nullptr) {
      fresh.id = static_cast<std::uint16_t>(inputs_.size() + outputs_.size() + 1);
      group = &groups.emplace_back(std::move(fresh));
    }
    group->layout.Put(static_cast<std::uint16_t>(group->variables.size()),
                      {.value_reference = variable.value_reference, .wire_type = value.Type(), .value = &value});
    group->variables.push_back(index);
  }
}

SlaveSession::Group* SlaveSession::GroupOf(std::vector<Group>& groups, std::uint16_t id) {
  const auto found = std::ranges::find(groups, id, &Group::id);
  return found == groups.end() ? nullptr : &*found;
}

// --- requests ---

void SlaveSession::SendRequest(const Pdu& pdu) {
  if (const std::size_t size = EncodedSize(pdu); pending_.size() < size) pending_.resize(size);
  pending_size_ = Encode(pdu, pending_);
  answer_ = {};
  ++counts_.requests;
  sent_at_ = Clock::now();
  control_transport_->Send(control_socket_, options_.slave, Bytes(pending_).first(pending_size_));
}

SlaveSession::Answer SlaveSession::Await(Clock::time_point patience) {
  int resynchronised = 0;
  const std::uint64_t unheard = control_transport_->Counts().unheard;
  const auto is_given_up = [&] { return Clock::now() >= patience || control_transport_->Counts().unheard > unheard; };
  for (int attempt = 1;;) {
    const Clock::time_point deadline = sent_at_ + options_.answer_timeout;
    while (!answer_.is_here && Pump(deadline)) {
    }
    const auto type = static_cast<PduType>(pending_[0]);
    if (answer_.is_here) {
      const Answer answer = answer_;
      if (answer.is_ack || answer.error != ErrorCode::INVALID_SEQUENCE_ID || type == PduType::STC_register) {
        ++sequence_;
        return answer;
      }
      const auto next = static_cast<std::uint16_t>(sequence_ + 1);
      if (answer.expected == next && attempt > 1) {  // the request was taken, and its answer was lost
        sequence_ = next;
        Answer received;
        received.is_here = received.was_received = true;
        return received;
      }
      if (++resynchronised > 3) {
        Fail(fmt::format("sequence number {}", sequence_),
             fmt::format("that it asks for {} again and again", answer.expected), "see whether another master uses it");
      }
      sequence_ = answer.expected;
      pending_[1] = static_cast<std::byte>(sequence_ & 0xFFU);
      pending_[2] = static_cast<std::byte>(sequence_ >> 8U);
    } else if (is_gone_) {
      Fail(fmt::format("an answer to {}", NameOf(type)),
           has_hung_up_ ? "that its connection ended" : "that it had not answered before either", "see that it runs");
    } else if (attempt++ >= options_.tries && is_given_up()) {
      is_gone_ = true;
      Fail(fmt::format("an answer to {} within {} ms, sent {} times", NameOf(type), options_.answer_timeout.count(),
                       attempt - 1),
           "none", "see that it runs, that host and port are right, and that the network lets packets through");
    }
    if (attempt > 1) ++counts_.repeated;
    answer_ = {};
    sent_at_ = Clock::now();
    control_transport_->Send(control_socket_, options_.slave, Bytes(pending_).first(pending_size_));
  }
}

SlaveSession::Clock::duration SlaveSession::PollInterval() const {
  if (!description_.heartbeat) return options_.answer_timeout;
  const auto third = std::chrono::duration<double>(description_.heartbeat->Seconds() / 3.0);
  return std::min<Clock::duration>(options_.answer_timeout, std::chrono::duration_cast<Clock::duration>(third));
}

void SlaveSession::BeatIfDue() {
  if (description_.heartbeat && Clock::now() - beaten_at_ >= PollInterval()) {
    AskState();
    RequireHealth();
  }
}

void SlaveSession::Beat() noexcept {
  if (is_gone_ || !is_registered_) return;
  try {
    BeatIfDue();
  } catch (const std::exception&) {  // the next step fails too
  }
}

State SlaveSession::AskState(Clock::time_point patience) {
  beaten_at_ = Clock::now();
  for (int round = 0; round < 4; ++round) {
    Send(InfPlain{.type = PduType::INF_state});
    const Answer answer = Await(patience);
    if (answer.was_received) continue;
    if (answer.is_ack) {
      state_ = answer.state;
      seen_ |= 1U << static_cast<unsigned>(state_);
      return state_;
    }
    Fail("its state", fmt::format("{}", NameOf(answer.error)), "see its own messages");
  }
  return state_;
}

ErrorCode SlaveSession::AskError() {
  Send(InfPlain{.type = PduType::INF_error});
  return Await().error;
}

// Throws when the slave has reported an error.
void SlaveSession::RequireHealth() {
  if (is_ending_) return;
  if (state_ == State::ERRORHANDLING || state_ == State::ERRORRESOLVED) {
    const ErrorCode error = AskError();
    std::string found =
        fmt::format("state {}, error {} ({:#06x})", NameOf(state_), NameOf(error), static_cast<unsigned>(error));
    if (!complaint_.empty()) found += ": " + complaint_;
    const bool is_of_data = error == ErrorCode::PROTOCOL_ERROR_PROPERTY_VIOLATED && !inputs_.empty();
    if (is_of_data) found += fmt::format("; sent to it last: {}", LastInputs());
    Fail("to go on", found,
         is_of_data ? "where an input was lost on its way use TCP (transport=tcp), or let the slave bear it "
                      "(maxConsecMissedPdus; --missed-inputs of openmi dcp serve)"
                    : "see its own messages (log-level and log-file keep them here)");
  }
  if (state_ == State::STOPPING || state_ == State::STOPPED) {
    Fail("to go on", fmt::format("that it stopped by itself (state {})", NameOf(state_)), "see its own messages");
  }
}

std::string SlaveSession::LastInputs() const {
  std::string text;
  for (const Group& group : inputs_) {
    if (group.stands_by && !takes_over_) continue;
    text += fmt::format("{}PDU {} of data {}", text.empty() ? "" : ", ", static_cast<std::uint16_t>(group.sequence - 1),
                        group.id);
    if (text.size() > 200) return text + ", ...";
  }
  return text;
}

void SlaveSession::SendCommand(PduType type, State from) {
  seen_ = 0;
  Send(StcPlain{.type = type, .state = from});
}

void SlaveSession::Command(PduType type, State from, State goal, Clock::time_point deadline) {
  SendCommand(type, from);
  FinishCommand(type, from, goal, deadline);
}

// Waits after a request for a change of state until the slave is in `goal`.
void SlaveSession::FinishCommand(PduType type, State from, State goal, Clock::time_point deadline) {
  for (;;) {
    const Answer answer = Await();
    if (answer.is_ack) break;
    RequireHealth();
    if (!answer.IsEarly()) {
      Fail(fmt::format("{} in state {}", NameOf(type), NameOf(from)),
           fmt::format("{} ({:#06x})", NameOf(answer.error), static_cast<unsigned>(answer.error)),
           answer.error == ErrorCode::INCOMPLETE_CONFIG_STEPS ? "see its description"
                                                              : "compare its description with the slave that runs");
    }
    // A notification of another step may have arrived late, or an answer was lost: request the state.
    const State now = AskState();
    RequireHealth();
    if (now == goal) return;
    if (Clock::now() > deadline) {
      Fail(fmt::format("{} to be taken", NameOf(type)), fmt::format("state {}", NameOf(now)), "see its own messages");
    }
    if (now != from) {
      // The slave is changing its state.
      const Clock::time_point soon = std::min(deadline, After(std::chrono::milliseconds(1)));
      while (Pump(soon)) {
      }
      if (answer.was_received) break;
    }
    Send(StcPlain{.type = type, .state = from});
  }
  WaitFor(goal, deadline, NameOf(type));
}

void SlaveSession::WaitFor(State goal, Clock::time_point deadline, std::string_view what) {
  auto poll = Clock::now() + PollInterval();
  while (!HasReached(goal)) {
    if (Pump(std::min(deadline, poll))) {
      RequireHealth();
      continue;
    }
    if (is_gone_)
      Fail(fmt::format("state {} after {}", NameOf(goal), what), "that its connection ended", "see that it runs");
    const State before = state_;
    if (Clock::now() >= deadline) {
      const State now = AskState();
      if (now == goal) return;
      Fail(fmt::format("state {} after {} within the time allowed", NameOf(goal), what),
           fmt::format("state {}", NameOf(now)), "give it more time, or see its own messages");
    }
    ++counts_.polls;
    const State now = AskState(deadline);
    RequireHealth();
    if (now == State::ALIVE && goal != State::ALIVE) {
      Fail(fmt::format("state {} after {}", NameOf(goal), what),
           fmt::format("state ALIVE where it was {}: it was started anew, or another master took it", NameOf(before)),
           "let one master use it, and look at why it began again");
    }
    poll = Clock::now() + PollInterval();
  }
}

// --- life ---

Door SlaveSession::Reach(Transport& transport, Endpoint to) const {
  try {
    return transport.Connect(-1, to, After(options_.change_timeout));
  } catch (const FileError& error) {
    throw ModelError({.file = description_.file, .component = options_.component},
                     fmt::format("expected a connection with the {}, found none ({})", SlaveName(), error.what()),
                     "see that it runs, and that host and port are right");
  }
}

void SlaveSession::OpenDoors() {
  if (is_open_) return;
  const Endpoint any{options_.local.address, options_.local.port};
  if (options_.control == TransportProtocol::TCP_IPv4) {
    control_socket_ = Reach(*control_transport_, options_.slave);
  } else {
    control_socket_ = control_transport_->Open(any);
    control_transport_->Prefer(control_socket_, options_.slave);
  }
  if (options_.data != TransportProtocol::TCP_IPv4) {
    Transport& transport = data_transport_ ? *data_transport_ : *control_transport_;
    data_in_ = data_transport_ ? transport.Open({any.address, 0}) : control_socket_;
    data_out_ = tunable_out_ = data_in_;
  } else {
    Transport& transport = data_transport_ ? *data_transport_ : *control_transport_;
    data_in_ = transport.Open({any.address, 0});  // the slave connects to it
  }
  is_open_ = true;
}

void SlaveSession::Register() {
  OpenDoors();
  is_gone_ = is_ending_ = has_hung_up_ = false;
  for (int round = 0; round < 4; ++round) {
    seen_ = 0;
    Send(StcRegister{.state = State::ALIVE, .uuid = description_.uuid, .mode = options_.mode, .major = 1, .minor = 0});
    const Answer answer = Await();
    if (answer.is_ack) {
      is_registered_ = true;
      WaitFor(State::CONFIGURATION, After(options_.change_timeout), "STC_register");
      return;
    }
    const bool is_repeat =
        counts_.repeated > 0 && (answer.error == ErrorCode::INVALID_SEQUENCE_ID ||
                                 answer.error == ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE ||
                                 answer.error == ErrorCode::INVALID_STATE_ID);
    if (is_repeat) {
      // The first request may have been taken and its answer lost: then the slave answers to our id.
      is_registered_ = true;
      if (AskState() == State::CONFIGURATION) return;
      is_registered_ = false;
    }
    const char* remedy = "see its own messages";
    if (answer.error == ErrorCode::INVALID_UUID)
      remedy = "this is another slave than the description's; take its own description";
    if (answer.error == ErrorCode::INVALID_OP_MODE) remedy = "choose a mode that it supports";
    if (answer.error == ErrorCode::INVALID_MAJOR_VERSION || answer.error == ErrorCode::INVALID_MINOR_VERSION) {
      remedy = "it does not speak DCP 1.0";
    }
    if (answer.error == ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE ||
        answer.error == ErrorCode::INVALID_SEQUENCE_ID || answer.error == ErrorCode::INVALID_STATE_ID) {
      remedy = "another master uses it, or left it without a word: let that one finish, or start the slave anew";
    }
    Fail("to take STC_register", fmt::format("{} ({:#06x})", NameOf(answer.error), static_cast<unsigned>(answer.error)),
         remedy);
  }
}

void SlaveSession::Initialize() {
  // Where the slave reports that inputs did not arrive, it is initialized once more with them.
  for (int round = 1;; ++round) {
    MarkStale();
    SendInputs(true);
    const auto deadline = After(options_.change_timeout);
    Command(PduType::STC_initialize, State::CONFIGURED, State::INITIALIZED, deadline);
    Command(PduType::STC_send_outputs, State::INITIALIZED, State::CONFIGURED, deadline);
    AwaitOutputs(true, After(options_.data_timeout), "initialization");
    if (!has_missed_inputs_) return;
    if (round < options_.tries) continue;
    Fail("to initialize with the inputs that it was sent",
         fmt::format("that it says {} times that they did not come; sent to it last: {}", round, LastInputs()),
         "use TCP (transport=tcp), or a better network");
  }
}

void SlaveSession::RunFrom(State from, State goal, std::int64_t time) {
  seen_ = 0;
  for (int round = 0; round < 4; ++round) {
    Send(StcRun{.state = from, .time = time});
    const Answer answer = Await();
    if (answer.is_ack) break;
    if (answer.was_received || answer.error == ErrorCode::INVALID_STATE_ID ||
        answer.error == ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE) {
      if (AskState() != from) break;
      continue;
    }
    Fail("to take STC_run", fmt::format("{} ({:#06x})", NameOf(answer.error), static_cast<unsigned>(answer.error)),
         answer.error == ErrorCode::INVALID_START_TIME ? "set the clocks of both machines by NTP or PTP"
                                                       : "see its own messages");
  }
  WaitFor(goal, After(options_.change_timeout), "STC_run");
}

void SlaveSession::Synchronize() {
  RunFrom(State::CONFIGURED, State::SYNCHRONIZED, 0);
}

void SlaveSession::Run(std::int64_t start_time) {
  RunFrom(State::SYNCHRONIZED, State::RUNNING, options_.mode == OpMode::NRT ? 0 : start_time);
}

std::string SlaveSession::Stop() noexcept {
  if (!is_open_) return {};
  is_ending_ = true;
  const bool was_gone = is_gone_;
  std::string problem;
  try {
    // The remaining requests must not take long, whatever happened before.
    options_.tries = is_gone_ ? 1 : std::min(options_.tries, 2);
    options_.answer_timeout = std::min(options_.answer_timeout, std::chrono::milliseconds(200));
    if (is_registered_ && !(is_gone_ && options_.control == TransportProtocol::TCP_IPv4)) {
      is_gone_ = false;
      const auto deadline = After(std::chrono::milliseconds(2000));
      State state = AskState();
      if (state != State::ALIVE) FetchLog();
      if (state >= State::PREPARING && state <= State::SENDING_D) {
        Command(PduType::STC_stop, state, State::STOPPED, deadline);
        state = State::STOPPED;
      } else if (state == State::STOPPING || state == State::ERRORHANDLING) {
        WaitFor(state == State::STOPPING ? State::STOPPED : State::ERRORRESOLVED, deadline, "STC_stop");
        state = state_;
      }
      if (state == State::CONFIGURATION || state == State::STOPPED || state == State::ERRORRESOLVED) {
        SendCommand(PduType::STC_deregister, state);
        Await();
      }
    }
  } catch (const std::exception& error) {  // the slave is gone, or will notice by the missing heartbeat
    if (!was_gone) problem = error.what();
  }
  is_registered_ = false;
  is_open_ = false;
  for (Transport* transport : transports_) {
    for (const Door door : {control_socket_, data_in_, data_out_, tunable_out_}) {
      const bool is_of_data = door != control_socket_;
      if (door >= 0 &&
          (is_of_data && data_transport_ ? data_transport_.get() : control_transport_.get()) == transport) {
        try {
          transport->Close(door);
        } catch (const std::exception&) {
        }
      }
    }
  }
  control_socket_ = data_in_ = data_out_ = tunable_out_ = -1;
  return problem;
}

}  // namespace openmi::dcp
