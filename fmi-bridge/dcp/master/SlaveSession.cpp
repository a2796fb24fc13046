#include "fmi-bridge/dcp/master/SlaveSession.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "fmi-bridge/dcp/protocol/description/LogMessage.hpp"
#include "fmi-bridge/dcp/protocol/transport/Sockets.hpp"

namespace openmi::dcp {

namespace {

SlaveSession::Clock::time_point After(std::chrono::milliseconds time) {
  return SlaveSession::Clock::now() + time;
}

std::string TextOf(ErrorCode error) {
  return fmt::format("{} ({:#06x})", NameOf(error), static_cast<unsigned>(error));
}

/// The address of this machine that packets to `to` leave from. Nothing is sent.
std::uint32_t AddressTowards(Endpoint to) {
  if (to.port == 0) to.port = 9;
  const sockaddr_in address = ToAddress(to);
  const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return kLoopback;
  const bool has_way = connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const std::uint32_t found = has_way ? LocalOf(descriptor).address : kLoopback;
  close(descriptor);
  return found;
}

/// Chooses the port where a slave receives data when none is set.
/// \returns `preferred` where the description allows it or leaves it open, else the first port that it offers
std::uint16_t ChoosePort(const std::optional<DataPorts>& offered, std::uint16_t preferred) {
  if (!offered || offered->ranges.empty() || offered->Allows(preferred)) return preferred;
  return offered->ranges.front().from;
}

/// Options with what is not set: the ports for data and the address of this side.
SessionOptions Completed(SessionOptions options, const SlaveDescription& description) {
  if (const std::optional<Ipv4>& ip = description.transports.Of(options.data)) {
    if (options.slave_data_port == 0) options.slave_data_port = ChoosePort(ip->data, options.slave.port);
    if (options.slave_parameter_port == 0) {
      options.slave_parameter_port = ChoosePort(ip->parameters, options.slave_data_port);
    }
  }
  if (options.local.address == 0) options.local.address = AddressTowards(options.slave);
  return options;
}

/// Whether to send the request again: the slave was not ready for it, or its answer was lost.
bool IsEarly(const Answer& answer) {
  return answer.was_received || answer.error == ErrorCode::INVALID_STATE_ID ||
         answer.error == ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE ||
         answer.error == ErrorCode::PROTOCOL_ERROR_STATE_TRANSITION_IN_PROGRESS;
}

}  // namespace

SlaveSession::SlaveSession(const SlaveDescription& description, SessionOptions options)
    : description_(description), options_(Completed(std::move(options), description)), values_(description) {}

SlaveSession::~SlaveSession() {
  Stop();
}

void SlaveSession::Plan(std::span<const Index> inputs, std::span<const Index> outputs,
                        std::span<const Index> parameters, std::span<const Index> stand_by) {
  direct_in_.clear();
  direct_out_.clear();
  parameters_.assign(parameters.begin(), parameters.end());
  data_.Plan(inputs, outputs, stand_by);
}

void SlaveSession::SendDirectly(std::uint16_t data_id, std::span<const Index> outputs, Endpoint to) {
  direct_out_.push_back({DirectGroup(data_id, outputs), to});
}

void SlaveSession::ReceiveDirectly(std::uint16_t data_id, std::span<const Index> inputs,
                                   std::span<const DataType> sent_as) {
  direct_in_.push_back({DirectGroup(data_id, inputs), {sent_as.begin(), sent_as.end()}});
}

DataGroup SlaveSession::DirectGroup(std::uint16_t id, std::span<const Index> variables) const {
  // Only in steps: at initialization all data pass through the master, which knows the order.
  return {.id = id, .variables = {variables.begin(), variables.end()}, .scope = Scope::Run, .steps = options_.steps};
}

// --- requests ---

void SlaveSession::Send(const Pdu& request) {
  ++counts_.requests;
  requests_.Send(request);
}

Answer SlaveSession::Await(Clock::time_point patience) {
  int renumbered = 0;
  const std::uint64_t unheard = sockets_.Unheard();
  for (int attempt = 1;;) {
    while (!requests_.IsAnswered() && Pump(requests_.SentAt() + options_.answer_timeout)) {
    }
    if (requests_.IsAnswered()) {
      const std::uint16_t number = requests_.Number();
      if (const std::optional<Answer> answer = requests_.Settle(attempt > 1)) return *answer;
      if (++renumbered > 3) {
        slave_.Fail(fmt::format("sequence number {}", number),
                    fmt::format("that it asks for {} again and again", requests_.Number()),
                    "see whether another master uses it");
      }
    } else {
      slave_.RequireHere(fmt::format("an answer to {}", NameOf(requests_.Type())));
      const bool is_given_up = Clock::now() >= patience || sockets_.Unheard() > unheard;
      if (attempt++ >= options_.tries && is_given_up) {
        slave_.Lose(false);
        slave_.Fail(fmt::format("an answer to {} within {} ms, sent {} times", NameOf(requests_.Type()),
                                options_.answer_timeout.count(), attempt - 1),
                    "none",
                    "see that it runs, that host and port are right, and that the network lets packets through");
      }
    }
    if (attempt > 1) ++counts_.repeated;
    requests_.Repeat();
  }
}

Answer SlaveSession::Ask(const Pdu& request, Clock::time_point patience) {
  Answer answer;
  for (int round = 0; round < std::max(options_.tries, 4); ++round) {
    Send(request);
    answer = Await(patience);
    if (!answer.was_received) break;
  }
  return answer;
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
  if (slave_.IsGone() || !slave_.IsRegistered()) return;
  try {
    BeatIfDue();
  } catch (const std::exception&) {  // the next step fails too
  }
}

State SlaveSession::AskState(Clock::time_point patience) {
  beaten_at_ = Clock::now();
  const State before = slave_.Last();
  const Answer answer = Ask(InfPlain{.type = PduType::INF_state}, patience);
  if (answer.was_received) return slave_.Last();
  if (!answer.is_ack) slave_.Fail("its state", std::string(NameOf(answer.error)), "see its own messages");
  if (answer.state == State::ALIVE && slave_.IsRegistered() && !is_ending_) {
    slave_.Fail(
        "to continue",
        fmt::format("state ALIVE where it was {}: it was started anew, or another master took it", NameOf(before)),
        "let one master use it, and look at why it began again");
  }
  slave_.Note(answer.state);
  return answer.state;
}

// Throws when the slave has reported an error.
void SlaveSession::RequireHealth() {
  if (is_ending_) return;
  const State state = slave_.Last();
  if (state == State::ERRORHANDLING || state == State::ERRORRESOLVED) {
    const ErrorCode error = Ask(InfPlain{.type = PduType::INF_error}).error;
    std::string found = fmt::format("state {}, error {}", NameOf(slave_.Last()), TextOf(error));
    if (!slave_.LastError().empty()) found += ": " + slave_.LastError();
    const bool is_of_data = error == ErrorCode::PROTOCOL_ERROR_PROPERTY_VIOLATED && !data_.Inputs().empty();
    if (is_of_data) found += fmt::format("; sent to it last: {}", data_.LastInputs());
    slave_.Fail("to continue", found,
                is_of_data ? "if an input was lost on the network, use TCP (transport=tcp), or allow the slave to lose "
                             "inputs (maxConsecMissedPdus; --missed-inputs of openmi dcp serve)"
                           : "see its own messages (log-level and log-file keep them here)");
  }
  if (state == State::STOPPING || state == State::STOPPED) {
    slave_.Fail("to continue", fmt::format("that it stopped by itself (state {})", NameOf(state)),
                "see its own messages");
  }
}

void SlaveSession::SendCommand(PduType type, State from) {
  slave_.ForgetReached();
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
    if (!IsEarly(answer)) {
      slave_.Fail(fmt::format("{} in state {}", NameOf(type), NameOf(from)), TextOf(answer.error),
                  answer.error == ErrorCode::INCOMPLETE_CONFIG_STEPS
                      ? "see its description"
                      : "compare its description with the slave that runs");
    }
    // A notification of another step may have arrived late, or an answer was lost: request the state.
    const State now = AskState();
    RequireHealth();
    if (now == goal) return;
    if (Clock::now() > deadline) {
      slave_.Fail(fmt::format("{} to be taken", NameOf(type)), fmt::format("state {}", NameOf(now)),
                  "see its own messages");
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

template <class IsReached, class Expected>
bool SlaveSession::PollUntil(IsReached is_reached, Clock::time_point deadline, Expected expected) {
  auto poll = Clock::now() + PollInterval();
  while (!is_reached()) {
    if (!Pump(std::min(deadline, poll))) {
      slave_.RequireHere(expected());
      if (Clock::now() >= deadline) return false;
      // Only the state distinguishes a slave that computes from one that is gone, or that waits for data that were
      // lost.
      AskState(deadline);
      poll = Clock::now() + PollInterval();
    }
    RequireHealth();
  }
  return true;
}

void SlaveSession::WaitFor(State goal, Clock::time_point deadline, std::string_view what) {
  const auto expected = [&] { return fmt::format("state {} after {}", NameOf(goal), what); };
  if (PollUntil([&] { return slave_.HasReached(goal); }, deadline, expected)) return;
  const State now = AskState();
  if (now == goal) return;
  slave_.Fail(expected() + " within the time allowed", fmt::format("state {}", NameOf(now)),
              "give it more time, or see its own messages");
}

// --- configuration ---

void SlaveSession::Configure(const Pdu& request, const std::string& what) {
  const Answer answer = Ask(request);
  if (answer.is_ack) return;
  if (answer.was_received) {
    slave_.Fail(fmt::format("an answer to {}", what), "that each was lost", "use TCP, or a better network");
  }
  slave_.Fail(fmt::format("to accept {}", what), TextOf(answer.error),
              answer.error == ErrorCode::NOT_SUPPORTED_PDU
                  ? "its description says whether it can be configured (canAcceptConfigPdus)"
                  : "compare its description with the slave that runs");
}

void SlaveSession::Prepare() {
  if (description_.FixedResolution() == nullptr) {
    Configure(CfgTimeRes{.numerator = options_.numerator, .denominator = options_.denominator},
              fmt::format("the time resolution {}/{} s", options_.numerator, options_.denominator));
  }
  Bytes bytes;
  // Structural parameters first: arrays take their sizes from them.
  for (const bool structural : {true, false}) {
    for (const Index index : parameters_) {
      const Variable& variable = values_.VariableAt(index);
      if ((variable.kind == VariableKind::StructuralParameter) != structural) continue;
      const TypedValue& value = values_.At(index);
      bytes.resize(value.EncodedSize());
      if (value.Encode(bytes) != bytes.size()) slave_.Fail("a value that can be sent", variable.name, {});
      Configure(CfgParameter{.parameter_vr = variable.value_reference, .source_type = value.Type(), .value = bytes},
                fmt::format("a value of the parameter '{}'", variable.name));
    }
  }
  std::vector<DataType> types;
  for (const DataGroup& group : data_.Inputs()) {
    types.clear();
    for (const Index index : group.variables) types.push_back(values_.At(index).Type());
    ConfigureInputs(group, types);
  }
  for (const DataGroup& group : data_.Outputs()) ConfigureOutputs(group, sockets_.Here(group.lane));
  for (const auto& [group, sent_as] : direct_in_) ConfigureInputs(group, sent_as);
  for (const auto& [group, to] : direct_out_) ConfigureOutputs(group, to);
  ConfigureLog();
  Command(PduType::STC_prepare, State::CONFIGURATION, State::PREPARED, After(options_.change_timeout));
}

void SlaveSession::Connect() {
  for (const DataGroup& group : data_.Inputs()) sockets_.ConnectData(group.is_tunable, group.lane);
  Command(PduType::STC_configure, State::PREPARED, State::CONFIGURED, After(options_.change_timeout));
}

void SlaveSession::ConfigureNetwork(PduType type, std::uint16_t id, Endpoint where) {
  Configure(
      CfgNetworkInformation{
          .type = type, .id = id, .protocol = options_.data, .port = where.port, .address = where.address},
      fmt::format("{} of data {} ({})", NameOf(type), id, ToText(where)));
}

void SlaveSession::ConfigureScope(const DataGroup& group) {
  Configure(CfgScope{.data_id = group.id, .scope = group.scope}, fmt::format("the scope of data {}", group.id));
}

void SlaveSession::ConfigureInputs(const DataGroup& group, std::span<const DataType> sent_as) {
  const bool is_direct = group.scope == Scope::Run;
  for (std::size_t i = 0; i < group.variables.size(); ++i) {
    const Variable& variable = values_.VariableAt(group.variables[i]);
    const auto position = static_cast<std::uint16_t>(i);
    if (group.is_tunable) {
      Configure(CfgTunableParameter{.param_id = group.id,
                                    .position = position,
                                    .parameter_vr = variable.value_reference,
                                    .source_type = sent_as[i]},
                fmt::format("the tunable parameter '{}'", variable.name));
    } else {
      Configure(CfgInput{.data_id = group.id,
                         .position = position,
                         .target_vr = variable.value_reference,
                         .source_type = sent_as[i]},
                fmt::format("the input '{}'{}", variable.name, is_direct ? " from another slave" : ""));
    }
  }
  if (!group.is_tunable) ConfigureScope(group);
  ConfigureNetwork(group.is_tunable ? PduType::CFG_param_network_information : PduType::CFG_source_network_information,
                   group.id, sockets_.PlaceOf(group.is_tunable, group.lane));
}

void SlaveSession::ConfigureOutputs(const DataGroup& group, Endpoint to) {
  for (std::size_t i = 0; i < group.variables.size(); ++i) {
    const Variable& variable = values_.VariableAt(group.variables[i]);
    Configure(
        CfgOutput{
            .data_id = group.id, .position = static_cast<std::uint16_t>(i), .source_vr = variable.value_reference},
        fmt::format("the output '{}'", variable.name));
  }
  ConfigureScope(group);
  ConfigureNetwork(PduType::CFG_target_network_information, group.id, to);
  const CfgSteps request{.steps = group.steps, .data_id = group.id};
  if (options_.mode != OpMode::NRT) {
    return Configure(request, fmt::format("{} steps of data {}", group.steps, group.id));
  }
  // The standard lists it for real time only; some slaves require it in every mode, others refuse it.
  Send(request);
  const Answer answer = Await();
  const bool is_no_matter = answer.is_ack || answer.was_received || answer.error == ErrorCode::NOT_SUPPORTED_PDU ||
                            answer.error == ErrorCode::INVALID_STEPS;
  if (!is_no_matter) {
    slave_.Fail(fmt::format("to accept the steps of data {}", group.id), std::string(NameOf(answer.error)),
                "see its description");
  }
}

void SlaveSession::ConfigureLog() {
  const CapabilityFlags& can = description_.capabilities;
  const bool is_notified = can.can_provide_log_on_notification;
  if (!description_.log) return;
  const auto ask = [&](std::uint8_t category, LogLevel level) {
    Configure(
        CfgLogging{
            .category = category, .level = level, .mode = is_notified ? LogMode::OnNotification : LogMode::OnRequest},
        "that it keeps a log");
  };
  if (options_.log_level && (is_notified || can.can_provide_log_on_request)) {
    for (std::uint8_t level = 0; level <= static_cast<std::uint8_t>(*options_.log_level); ++level) {
      ask(0, static_cast<LogLevel>(level));
    }
  }
  const auto& templates = description_.log->templates;
  if (!is_notified || std::ranges::find(templates, kMissedData, &LogTemplate::message) == templates.end()) return;
  // A slave of this SDK: its log errors describe what was lost, and tolerated losses are counted.
  for (const LogTemplate& one : templates) {
    const bool is_wanted = one.message == kMissedData || (one.level == LogLevel::Error && TakesOneText(one));
    if (is_wanted && (!options_.log_level || one.level > *options_.log_level)) ask(one.category, one.level);
  }
}

// --- life ---

void SlaveSession::Register() {
  sockets_.Open();
  slave_.Regain();
  is_ending_ = false;
  slave_.ForgetReached();
  Send(StcRegister{.state = State::ALIVE, .uuid = description_.uuid, .mode = options_.mode, .major = 1, .minor = 0});
  const Answer answer = Await();
  if (answer.is_ack) {
    slave_.SetRegistered(true);
    return WaitFor(State::CONFIGURATION, After(options_.change_timeout), "STC_register");
  }
  const bool has_master = answer.error == ErrorCode::INVALID_SEQUENCE_ID ||
                          answer.error == ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE ||
                          answer.error == ErrorCode::INVALID_STATE_ID;
  // The slave may have accepted the first request although its answer was lost: then it answers to our id, and it must
  // be deregistered whatever follows.
  if (has_master && counts_.repeated > 0) {
    slave_.SetRegistered(true);
    is_ending_ = true;  // ALIVE is then an answer, and no failure
    const State state = AskState();
    is_ending_ = false;
    if (state == State::CONFIGURATION) return;
    slave_.SetRegistered(false);
  }
  const char* const remedy =
      has_master ? "another master uses it, or left it without a word: let that one finish, or start the slave anew"
      : answer.error == ErrorCode::INVALID_UUID
          ? "this is another slave than the description's; take its own description"
      : answer.error == ErrorCode::INVALID_OP_MODE ? "choose a mode that it supports"
      : answer.error == ErrorCode::INVALID_MAJOR_VERSION || answer.error == ErrorCode::INVALID_MINOR_VERSION
          ? "it does not speak DCP 1.0"
          : "see its own messages";
  slave_.Fail("to take STC_register", TextOf(answer.error), remedy);
}

void SlaveSession::Initialize() {
  // Where the slave reports that inputs did not arrive, it is initialized once more with them.
  for (int round = 1;; ++round) {
    data_.MarkStale();
    SendInputs(true);
    const auto deadline = After(options_.change_timeout);
    Command(PduType::STC_initialize, State::CONFIGURED, State::INITIALIZED, deadline);
    Command(PduType::STC_send_outputs, State::INITIALIZED, State::CONFIGURED, deadline);
    AwaitOutputs(true, After(options_.data_timeout), "initialization");
    if (!data_.HasMissedInputs()) return;
    if (round < options_.tries) continue;
    slave_.Fail(
        "to initialize with the inputs that it was sent",
        fmt::format("that it says {} times that they did not come; sent to it last: {}", round, data_.LastInputs()),
        "use TCP (transport=tcp), or a better network");
  }
}

void SlaveSession::RunFrom(State from, State goal, std::int64_t time) {
  slave_.ForgetReached();
  for (int round = 0; round < 4; ++round) {
    Send(StcRun{.state = from, .time = time});
    const Answer answer = Await();
    if (answer.is_ack) break;
    if (answer.was_received || answer.error == ErrorCode::INVALID_STATE_ID ||
        answer.error == ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE) {
      if (AskState() != from) break;
      continue;
    }
    slave_.Fail("to take STC_run", TextOf(answer.error),
                answer.error == ErrorCode::INVALID_START_TIME ? "set the clocks of both machines by NTP or PTP"
                                                              : "see its own messages");
  }
  WaitFor(goal, After(options_.change_timeout), "STC_run");
}

std::string SlaveSession::Stop() noexcept {
  if (!sockets_.IsOpen()) return {};
  is_ending_ = true;
  const bool was_gone = slave_.IsGone();
  std::string problem;
  try {
    // The remaining requests must not take long, whatever happened before.
    options_.tries = was_gone ? 1 : std::min(options_.tries, 2);
    options_.answer_timeout = std::min(options_.answer_timeout, std::chrono::milliseconds(200));
    if (slave_.IsRegistered() && !(was_gone && options_.control == TransportProtocol::TCP_IPv4)) {
      slave_.Regain();
      const auto deadline = After(std::chrono::milliseconds(2000));
      State state = AskState();
      if (state != State::ALIVE) FetchLog();
      if (state >= State::PREPARING && state <= State::SENDING_D) {
        Command(PduType::STC_stop, state, State::STOPPED, deadline);
        state = State::STOPPED;
      } else if (state == State::STOPPING || state == State::ERRORHANDLING) {
        WaitFor(state == State::STOPPING ? State::STOPPED : State::ERRORRESOLVED, deadline, "STC_stop");
        state = slave_.Last();
      }
      if (state == State::CONFIGURATION || state == State::STOPPED || state == State::ERRORRESOLVED) {
        SendCommand(PduType::STC_deregister, state);
        Await();
      }
    }
  } catch (const std::exception& error) {  // the slave is gone, or will notice by the missing heartbeat
    if (!was_gone) problem = error.what();
  }
  slave_.SetRegistered(false);
  sockets_.Close();
  return problem;
}

// --- steps ---

void SlaveSession::SendInputs(bool all) {
  const std::uint16_t unsent = data_.SendInputs(all);
  if (unsent == 0) return;
  if (options_.data == TransportProtocol::TCP_IPv4) slave_.Lose(false);
  slave_.Fail(fmt::format("data {} to be taken", unsent), "that they could not be sent", "see that it runs");
}

void SlaveSession::AwaitOutputs(bool at_initialization, Clock::time_point deadline, std::string_view when) {
  while (!data_.AreFresh(at_initialization)) {
    if (Pump(deadline)) continue;
    slave_.RequireHere(fmt::format("its outputs of {}", when));
    if (options_.on_loss == OnLoss::Hold && !at_initialization) {
      ++counts_.held;
      counts_.data_missed += static_cast<std::uint64_t>(std::ranges::count_if(
          data_.Outputs(), [](const DataGroup& one) { return !one.is_fresh && one.scope != Scope::Initialization; }));
      return;
    }
    slave_.Fail(fmt::format("its outputs of {} within {} ms", when, options_.data_timeout.count()),
                fmt::format("{} of {} data PDUs missing",
                            std::ranges::count(data_.Outputs(), false, &DataGroup::is_fresh), data_.Outputs().size()),
                options_.data == TransportProtocol::TCP_IPv4
                    ? "see its own messages"
                    : "use TCP for data, or let a lost datagram pass by on-loss=hold");
  }
}

void SlaveSession::BeginStep(std::uint32_t steps) {
  BeatIfDue();
  data_.MarkStale();
  const SentTogether together(sockets_.Together());
  SendInputs();
  slave_.ForgetReached();
  steps_ = steps;
  Send(StcDoStep{.state = State::RUNNING, .steps = steps});
}

void SlaveSession::AskForOutputs() {
  step_deadline_ = After(options_.step_timeout);
  for (;;) {
    const Answer answer = Await();
    if (answer.is_ack) break;
    RequireHealth();
    if (!IsEarly(answer) || Clock::now() > step_deadline_) {
      slave_.Fail("to take STC_do_step", TextOf(answer.error),
                  answer.error == ErrorCode::NOT_SUPPORTED_VARIABLE_STEPS || answer.error == ErrorCode::INVALID_STEPS
                      ? "choose a time step that its description allows"
                      : "see its own messages");
    }
    const State now = AskState();
    RequireHealth();
    if (now == State::COMPUTING || now == State::COMPUTED) break;
    Send(StcDoStep{.state = State::RUNNING, .steps = steps_});
  }
  WaitFor(State::COMPUTED, step_deadline_, "STC_do_step");
  SendCommand(PduType::STC_send_outputs, State::COMPUTED);
}

void SlaveSession::FinishStep() {
  FinishCommand(PduType::STC_send_outputs, State::COMPUTED, State::RUNNING, step_deadline_);
  AwaitOutputs(false, After(options_.data_timeout), "a step");
  ++counts_.steps;
}

void SlaveSession::BeginLockStep() {
  BeatIfDue();
  data_.MarkStale();
  const SentTogether together(sockets_.Together());
  SendInputs();
}

void SlaveSession::FinishLockStep() {
  const auto deadline = After(options_.step_timeout);
  const auto expected = [] { return std::string("its outputs of a step"); };
  if (!PollUntil([this] { return data_.AreFresh(false); }, deadline, expected)) {
    AwaitOutputs(false, deadline, fmt::format("a lock-step (time-out of {} ms)", options_.step_timeout.count()));
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
  while (!(is_behind && data_.AreFresh(false)) && Pump(Clock::time_point::min())) {
  }
  RequireHealth();
  BeatIfDue();
  slave_.RequireHere("its outputs");
  SendInputs();
  if (is_early) {
    data_.MarkStale();
    // A PDU received after that moment arrived just now and stays; the next would arrive a step later, after the end.
    while (Pump(due - slack) && Clock::now() < due - slack) data_.MarkStale();
  }
  while (!data_.AreFresh(false)) {
    if (Pump(due + slack)) continue;
    RequireHealth();
    AskIfSilent(2 * slack);
    ++counts_.held;
    ++counts_.steps;
    return false;
  }
  RequireHealth();
  data_.MarkStale();
  if (Clock::now() > due + slack) ++counts_.overruns;
  AskIfSilent(2 * slack);
  ++counts_.steps;
  return true;
}

void SlaveSession::AskIfSilent(Clock::duration step) {
  std::uint32_t slowest = options_.steps;
  for (const DataGroup& group : data_.Outputs()) slowest = std::max(slowest, group.steps);
  const auto twice = 2 * step * (slowest / std::max(options_.steps, 1U));
  if (!slave_.IsSilentFor(std::max(PollInterval(), twice))) return;
  AskState();
  RequireHealth();
}

// --- what arrives ---

bool SlaveSession::Pump(Clock::time_point deadline) {
  Arrival arrival;
  if (!sockets_.Receive(arrival, deadline)) return false;
  // A slave closes its data connections when it stops; it closes the connection for requests only when it ends.
  const bool is_gone = sockets_.IsEndOfRequests(arrival);
  if (is_gone) slave_.Lose(true);
  if (!arrival.is_end && !Take(arrival)) ++counts_.strays;
  return !is_gone;
}

bool SlaveSession::Take(const Arrival& arrival) {
  if (arrival.from.address != options_.slave.address) return false;
  const Decoded decoded = Decode(arrival.pdu);
  if (decoded.fault != DecodeFault::None) return false;
  slave_.NoteArrival();
  if (const auto* data = std::get_if<Dat>(&decoded.pdu)) {
    if (data_.Take(*data)) sockets_.Admit(arrival);
  } else if (const auto* notice = std::get_if<NtfStateChanged>(&decoded.pdu)) {
    if (notice->sender != options_.id || !IsState(static_cast<std::uint8_t>(notice->state))) return false;
    slave_.Note(notice->state);
  } else if (const auto* entry = std::get_if<NtfLog>(&decoded.pdu)) {
    static_cast<void>(TakeLog(entry->log_template, entry->arguments));
  } else {
    return requests_.Take(decoded.pdu);
  }
  return true;
}

std::optional<std::size_t> SlaveSession::TakeLog(std::uint8_t log_template, ByteView arguments) {
  if (!description_.log) return std::nullopt;
  const auto found = std::ranges::find(description_.log->templates, log_template, &LogTemplate::id);
  if (found == description_.log->templates.end()) return std::nullopt;
  if (found->message == kMissedData) {
    if (arguments.size() < kMissedDataBytes) return std::nullopt;
    data_.NoteMissed(DecodeMissedData(arguments).id);
    if (!options_.log) return kMissedDataBytes;
  }
  std::size_t taken = 0;
  const std::string message = FormatLogMessage(*found, arguments, taken);
  if (found->level <= LogLevel::Error) slave_.NoteError(message);
  if (options_.log) options_.log(message);
  return taken;
}

void SlaveSession::FetchLog() {
  const CapabilityFlags& can = description_.capabilities;
  if (!options_.log_level || !can.can_provide_log_on_request || can.can_provide_log_on_notification) return;
  constexpr std::size_t kHead = sizeof(std::int64_t) + 1;  // time and template
  constexpr int kMostRounds = 64;                          // one PDU full of entries each
  for (int round = 0; round < kMostRounds; ++round) {
    std::size_t entries = 0;
    for (ByteView rest = Ask(InfLog{.category = 0, .max_entries = 255}).entries; rest.size() >= kHead; ++entries) {
      const auto taken = TakeLog(static_cast<std::uint8_t>(rest[kHead - 1]), rest.subspan(kHead));
      if (!taken) break;  // where the next entry starts is unknown
      rest = rest.subspan(kHead + *taken);
    }
    if (entries == 0) return;
  }
}

}  // namespace openmi::dcp
