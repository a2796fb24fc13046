#include "fmi-bridge/dcp/slave/SlaveRunner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "fmi-bridge/dcp/protocol/description/LogMessage.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {
namespace {

using Clock = Transport::Clock;

constexpr std::chrono::milliseconds kRound{20};       // the longest time until Stop takes effect
constexpr std::chrono::milliseconds kLookEvery{50};   // between reads of transports that the experiment does not use
constexpr int kMostDrained = 4096;                    // PDUs taken before a step
constexpr std::chrono::milliseconds kInputsLate{50};  // how long inputs may arrive after the request for their step
constexpr std::size_t kFirstBuffer = 64 << 10;
constexpr std::size_t kMostDeferred = std::size_t{32} << 20;  // bytes of data that are kept during one hook

bool IsRequestByte(Bytes pdu) {
  return !pdu.empty() && IsRequest(static_cast<std::uint8_t>(pdu[0]));
}

/// Whether to report an event that repeats: at the counts 1, 10, 100, ...
/// \param told  the count that was last reported; updated
bool IsWorthReporting(std::uint64_t count, std::uint64_t& told) {
  if (told > 0 && count < 10 * told) return false;
  told = count;
  return true;
}

bool IsRegister(Bytes pdu) {
  return !pdu.empty() && pdu[0] == static_cast<std::byte>(PduType::STC_register);
}

}  // namespace

/// Sends what the machine emits to its receiver.
class SlaveRunner::Outlet final : public ISlaveOutlet {
 public:
  explicit Outlet(SlaveRunner& runner) : runner_(runner) {}
  void Reply(Bytes pdu) override { Send(runner_.asker_, pdu); }
  void Notify(Bytes pdu) override { Send(runner_.master_ ? *runner_.master_ : runner_.asker_, pdu); }
  void Missed(const MissedData& data) override { runner_.ReportMissed(data); }

 private:
  void Send(const Peer& peer, Bytes pdu) {
    if (peer.transport == nullptr) return;
    peer.transport->Send(peer.door, peer.at, pdu);
    if (runner_.options_.watch) runner_.options_.watch(true, peer.at, pdu);
  }
  SlaveRunner& runner_;
};

SlaveRunner::SlaveRunner(const SlaveDescription& description, SlaveModel& model, SlaveOptions options)
    : description_(description),
      model_(model),
      options_(std::move(options)),
      host_(ResolveAddress(options_.host)),
      values_(description),
      outlet_(std::make_unique<Outlet>(*this)),
      machine_(description, values_, *outlet_, [this](const CfgNetworkInformation& pdu) { return Accepts(pdu); }),
      buffer_(kFirstBuffer) {
  for (const std::string& host : options_.data_hosts) data_hosts_.push_back(ResolveAddress(host));
  transports_ = options_.transports;
  if (description.transports.udp)
    OpenControl(MakeUdpTransport(description.transports.udp->max_pdu_size), options_.udp_port);
  if (description.transports.tcp)
    OpenControl(
        MakeTcpTransport(std::min<std::size_t>(description.transports.tcp->max_pdu_size, std::size_t{16} << 20)),
        options_.tcp_port);
  if (transports_.empty()) {
    throw ArgumentError({.file = description.file},
                        "expected a slave description with UDP_IPv4 or TCP_IPv4, found neither",
                        "add one of them to TransportProtocols");
  }
  active_ = transports_;
  if (options_.allows_restarted_numbers) machine_.AllowRestartedNumbers();
  if (options_.supervises_only_who_beats) machine_.SuperviseOnlyWhoBeats();
  if (options_.bears_loss_in_soft_real_time) machine_.BearLossInSoftRealTime();
  model_.attend_ = [this] { Attend(); };
  model_.report_ = [this](LogLevel level, std::string_view message) { Report(level, message); };
}

SlaveRunner::~SlaveRunner() {
  model_.attend_ = nullptr;
  model_.report_ = nullptr;
}

void SlaveRunner::OpenControl(std::unique_ptr<Transport> transport, const std::optional<std::uint16_t>& wanted) {
  const auto& stated = description_.transports.Of(transport->Protocol())->control_port;
  Endpoint at{.address = host_, .port = wanted ? *wanted : stated.value_or(0)};
  const bool is_free_choice = at.port == 0 && !controls_.empty();
  if (is_free_choice) at.port = controls_.front().transport->Local(controls_.front().door).port;
  Door door = 0;
  try {
    door = transport->Open(at);
  } catch (const FileError&) {
    if (!is_free_choice) throw;
    door = transport->Open({.address = host_, .port = 0});
  }
  controls_.push_back({.transport = transport.get(), .door = door, .address = host_});
  transports_.push_back(transport.get());
  owned_.push_back(std::move(transport));
}

Endpoint SlaveRunner::ControlEndpoint(TransportProtocol protocol) const {
  const auto found = std::ranges::find_if(
      controls_, [&](const Control& control) { return control.transport->Protocol() == protocol; });
  return found == controls_.end() ? Endpoint{} : found->transport->Local(found->door);
}

std::uint64_t SlaveRunner::Unsent() const {
  std::uint64_t sum = 0;
  for (const Transport* one : transports_) sum += one->Counts().unsent;
  return sum;
}

Transport* SlaveRunner::TransportOf(TransportProtocol protocol) const {
  const auto found = std::ranges::find(transports_, protocol, &Transport::Protocol);
  return found == transports_.end() ? nullptr : *found;
}

SlaveMachine::Moment SlaveRunner::Now() const {
  return {.clock = round_, .unix_seconds = std::time(nullptr)};
}

void SlaveRunner::Tell(const std::string& line) const {
  if (options_.tell) options_.tell(line);
}

void SlaveRunner::Fail(ErrorCode code, const std::string& why) {
  problem_ = why;
  Tell(why);
  Report(LogLevel::Error, why);
  machine_.Fail(code);
}

void SlaveRunner::FailBy(const char* what, const char* why) {
  Fail(ErrorCode::PROTOCOL_ERROR_GENERIC, fmt::format("{} failed: {}", what, why));
}

void SlaveRunner::Log(std::uint8_t log_template, Bytes arguments) {
  machine_.Log(log_template, arguments, Now().unix_seconds);
}

void SlaveRunner::Report(LogLevel level, std::string_view message) {
  constexpr std::size_t kMostBytes = 4000;
  if (!description_.log) return;
  for (const LogTemplate& one : description_.log->templates) {
    if (one.level != level || !TakesOneText(one)) continue;
    std::size_t end = std::min(message.size(), kMostBytes);
    while (end < message.size() && end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0U) == 0x80U) --end;
    TypedValue text(DataType::string);
    text.SetText(message.substr(0, end));
    std::vector<std::byte> argument(text.EncodedSize());
    if (text.Encode(argument) == argument.size()) Log(one.id, argument);
    return;
  }
}

void SlaveRunner::Run() {
  has_served_ = false;
  round_ = Clock::now();
  while (!must_stop_.exchange(false, std::memory_order_relaxed)) {  // a Stop before Run takes effect too
    Turn(round_ + kRound);
    const bool is_alive = machine_.CurrentState() == State::ALIVE;
    if (options_.is_once && has_served_ && is_alive) return;
    has_served_ = has_served_ || !is_alive;
  }
}

void SlaveRunner::Turn(Clock::time_point deadline) {
  if (const auto heartbeat = machine_.HeartbeatDeadline()) deadline = std::min(deadline, *heartbeat);
  const bool is_clocked = IsClocked();
  if (is_clocked && !is_started_) {
    deadline = std::min(deadline, start_);
  } else if (is_clocked && !options_.is_lock_step) {
    deadline = std::min(deadline, clock_.Due());
  }
  if (!deferred_.empty()) deadline = {};
  Arrival arrival;
  const int from = ReceiveAny(active_, arrival, deadline);
  const SentTogether together(transports_);
  round_ = Clock::now();
  if (!deferred_.empty()) TakeDeferred();
  if (from >= 0) {
    Handle(*active_[static_cast<std::size_t>(from)], arrival);
    DoDuties();
  }
  if (active_.size() < transports_.size() && round_ >= next_look_) {
    next_look_ = round_ + kLookEvery;
    const int other = ReceiveAny(transports_, arrival, {});
    if (other >= 0) Handle(*transports_[static_cast<std::size_t>(other)], arrival);
  }
  // The heartbeat is checked when no PDU waits that could be one, or when a flood of PDUs would delay the check.
  constexpr int kMostBusy = 1000;
  busy_turns_ = from >= 0 ? busy_turns_ + 1 : 0;
  if (busy_turns_ == 0 || busy_turns_ > kMostBusy) {
    machine_.CheckHeartbeat(Clock::now());
    if (machine_.LastError() == ErrorCode::PROTOCOL_ERROR_HEARTBEAT_MISSED && kError.Has(machine_.CurrentState()) &&
        done_ != machine_.CurrentState()) {
      problem_ = "the master's heartbeat has stopped: no INF_state within the interval of the slave description";
      Tell(problem_);
    }
  }
  StepOnTime();
  DoDuties();
  WatchMaster();
  ReportStarvation();
  DoDuties();
}

void SlaveRunner::Handle(Transport& transport, const Arrival& arrival) {
  const Peer peer{.transport = &transport, .door = arrival.door, .at = arrival.from};
  if (arrival.is_end) return HandleEnd(peer);
  if (options_.watch) options_.watch(false, arrival.from, arrival.pdu);
  if (IsRequestByte(arrival.pdu)) {
    HandleRequest(peer, arrival.pdu);
  } else {
    HandleData(peer, arrival.pdu);
  }
}

bool SlaveRunner::TakesDataFrom(const Peer& peer, Bytes pdu) const {
  if (!master_ || *master_ == peer) return true;  // without a master no data are taken at all
  const std::uint32_t host = peer.at.address;
  const bool is_allowed = host == master_->at.address || (IsOnLoopback(host) && IsOnLoopback(master_->at.address)) ||
                          std::ranges::find(data_hosts_, host) != data_hosts_.end();
  return is_allowed && senders_.Takes(peer, pdu);
}

void SlaveRunner::HandleData(const Peer& peer, Bytes pdu) {
  if (!TakesDataFrom(peer, pdu)) {
    if (IsWorthReporting(++refused_.data, refused_.reported_data)) {
      const std::string line = fmt::format(
          "refused {} data PDU(s), the last from {}: data are taken from the master's host or one that is "
          "listed (--data-host), and those of one id from one sender",
          refused_.data, ToText(peer.at));
      Tell(line);
      Report(LogLevel::Warning, line);
    }
    return;
  }
  has_other_senders_ = has_other_senders_ || master_ != peer;
  const std::uint64_t taken = machine_.Total().data;
  machine_.Receive(pdu, {});
  const bool is_taken = machine_.Total().data != taken;
  if (is_taken && senders_.Note(peer, pdu)) peer.transport->Admit(peer.door, peer.at);
}

void SlaveRunner::HandleRequest(const Peer& peer, Bytes pdu) {
  asker_ = peer;
  const bool is_masterless =
      machine_.CurrentState() == State::ERRORRESOLVED &&
      (machine_.LastError() == ErrorCode::PROTOCOL_ERROR_HEARTBEAT_MISSED || machine_.IsMasterSilent(round_));
  if (is_masterless && IsRegister(pdu)) {
    machine_.Restart();
    DoDuties();
    asker_ = peer;
  }
  if (machine_.CurrentState() != State::ALIVE && master_ && *master_ != peer) {
    if (!GivesWay(pdu)) return HandleStranger(peer, pdu);
    asker_ = peer;
  }
  signs_.reminders = signs_.refusals = 0;
  signs_.heard = round_;
  machine_.Receive(pdu, Now());
  if (!master_ && machine_.CurrentState() != State::ALIVE) {
    FollowMaster(peer);
    Tell(fmt::format("registered by {} as slave {} in {}", ToText(peer.at), machine_.Id(), NameOf(machine_.Mode())));
  }
}

bool SlaveRunner::GivesWay(Bytes pdu) {
  if (!IsRegister(pdu) || !machine_.IsNewlyRegistered() || round_ - signs_.heard < options_.longest_idle_registration)
    return false;
  is_connection_lost_ = true;
  Fail(ErrorCode::PROTOCOL_ERROR_GENERIC,
       fmt::format("the master at {} registered, and asked for nothing more: another takes its place",
                   ToText(master_->at)));
  DoDuties();
  return machine_.CurrentState() == State::ALIVE;
}

void SlaveRunner::HandleStranger(const Peer& peer, Bytes pdu) {
  constexpr int kReminders = 4;
  constexpr std::chrono::seconds kSilence{1};
  machine_.ReceiveFromStranger(pdu);
  const std::uint64_t requests = machine_.Total().strangers;
  const bool may_be_gone =
      master_->transport->Protocol() == TransportProtocol::UDP_IPv4 && round_ - signs_.heard > kSilence;
  if (IsRegister(pdu) && may_be_gone && signs_.reminders == 0) signs_.reminders = kReminders;
  if (requests <= refused_.reported_requests || !IsWorthReporting(requests, refused_.reported_requests)) return;
  const std::string line =
      fmt::format("refused {} request(s) of others, the last from {}: the master is at {}, and no other is followed",
                  requests, ToText(peer.at), ToText(master_->at));
  Tell(line);
  Report(LogLevel::Warning, line);
}

void SlaveRunner::FollowMaster(const Peer& peer) {
  master_ = peer;
  problem_.clear();
  peer.transport->Prefer(peer.door, peer.at);
  peer.transport->Admit(peer.door, peer.at);
  signs_ = {.unheard = peer.transport->Counts().unheard, .heard = round_};
}

void SlaveRunner::HandleEnd(const Peer& peer) {
  senders_.Leave(peer);
  if (!master_ || *master_ != peer || machine_.CurrentState() == State::ALIVE) return;
  is_connection_lost_ = true;
  if (machine_.CurrentState() == State::ERRORRESOLVED) {
    machine_.Restart();
  } else {
    Fail(ErrorCode::PROTOCOL_ERROR_GENERIC, fmt::format("the connection with the master at {} was lost in {}",
                                                        ToText(peer.at), NameOf(machine_.CurrentState())));
  }
}

void SlaveRunner::WatchMaster() {
  constexpr int kMostRefusals = 3;  // a single one may be forged, or come from a master that opens its port again
  constexpr std::chrono::milliseconds kReminderEvery{20};
  if (!master_) return;
  const bool is_reminded = signs_.reminders > 0;
  if (is_reminded && round_ >= signs_.next_reminder) {
    signs_.next_reminder = round_ + kReminderEvery;
    --signs_.reminders;
    machine_.Remind();
  }
  const std::uint64_t unheard = master_->transport->Counts().unheard;
  if (unheard == signs_.unheard) return;
  signs_.unheard = unheard;
  if (++signs_.refusals < kMostRefusals || !(kRun.Has(machine_.CurrentState()) || is_reminded)) return;
  HandleEnd(*master_);
}

void SlaveRunner::ReportStarvation() {
  std::uint64_t starved = 0;
  for (const Transport* one : transports_) starved += one->Counts().starved;
  const std::uint64_t before = std::exchange(starved_, starved);
  if (before == 0 && starved > 0) Tell("the system has no room for another connection: those who ask for one wait");
}

void SlaveRunner::DoDuties() {
  while (machine_.CurrentState() != done_) {
    done_ = machine_.CurrentState();
    Duty(done_);
  }
}

void SlaveRunner::Duty(State state) {
  switch (state) {
    case State::ALIVE:
      LeaveMaster();
      [[fallthrough]];
    case State::CONFIGURATION:
      CloseData();
      real_time_.reset();
      ticks_ = 0;
      if (std::exchange(has_run_, false)) Guarded("Reset", [&] { model_.Reset(values_); });
      break;
    case State::PREPARING:
      if (Guarded("opening the ports for data", [&] { OpenInputs(); })) machine_.Raise(Signal::prepared);
      break;
    case State::CONFIGURING:
      if (!Guarded("connecting to the targets of data", [&] { ConnectTargets(); })) break;
      has_run_ = true;
      problem_.clear();
      steps_before_ = steps_done_;
      lateness_ = {};
      if (!Guarded("the log of exchanges", [&] { BeginExchangeLog(); })) break;
      if (Guarded("Configure", [&] { model_.Configure(values_); })) machine_.Raise(Signal::configured);
      break;
    case State::INITIALIZING:
      Drain();
      if (machine_.CurrentState() != state || !machine_.JudgeInputs()) break;
      LogExchange(VariableKind::Input, ticks_);
      if (Guarded("Initialize", [&] { model_.Initialize(values_); })) machine_.Raise(Signal::initialized);
      break;
    case State::SENDING_I:
      SendOutputs(true, true);
      machine_.Raise(Signal::send_complete);
      break;
    case State::SYNCHRONIZING:
      machine_.Missing().MarkBegin();
      if (machine_.Mode() == OpMode::NRT) {
        machine_.Raise(Signal::synchronized);
        break;
      }
      real_time_ = std::make_unique<RealTimeThread>(machine_.Mode() == OpMode::HRT);
      if (!real_time_->Refusal().empty()) Tell(real_time_->Refusal());
      lateness_ = {};
      StartAt(machine_.StartTime());
      break;
    case State::RUNNING:
      // In lock-step, what arrived before for the initialization causes no step.
      if (options_.is_lock_step) machine_.Missing().Mark();
      if (machine_.Mode() != OpMode::NRT && machine_.StartTime() != 0) StartAt(machine_.StartTime());
      break;
    case State::COMPUTING:
      Compute();
      break;
    case State::SENDING_D:
      SendOutputs(false, true);
      machine_.Raise(Signal::send_complete);
      break;
    case State::STOPPING:
      if (master_) {
        Tell(fmt::format("stopped by the master at {} after {} s simulated in {} steps", ToText(master_->at),
                         SecondsOf(machine_.Configuration().TimeResolution(), ticks_), steps_done_ - steps_before_));
      }
      if (!has_run_ || Guarded("Stop", [&] { model_.Stop(values_); })) machine_.Raise(Signal::stopped);
      if (exchanges_ != nullptr) exchanges_->Flush();
      if (lateness_.Count() > 0) Tell(lateness_.Describe());
      break;
    case State::ERRORHANDLING:
      if (has_run_) Guarded("Stop", [&] { model_.Stop(values_); });
      if (exchanges_ != nullptr) exchanges_->Flush();
      CloseData();
      machine_.Raise(Signal::resolved);
      break;
    case State::ERRORRESOLVED:
      if (std::exchange(is_connection_lost_, false)) machine_.Restart();
      break;
    default:
      break;
  }
}

void SlaveRunner::LeaveMaster() {
  if (master_ && problem_.empty()) {
    Tell(fmt::format("left by the master at {}: free for the next", ToText(master_->at)));
  } else if (master_) {
    Tell(fmt::format("free for the next master; the experiment of the one at {} ended: {}", ToText(master_->at),
                     problem_));
  }
  master_.reset();
  senders_.Clear();
  is_connection_lost_ = false;
  active_ = transports_;
}

void SlaveRunner::Compute() {
  // The PDUs of one sender arrive in order.
  const bool is_all_here =
      machine_.Missing().AllAreNew() && !has_other_senders_ && machine_.Configuration().Parameters().empty();
  if (!is_all_here) {
    Drain();
    AwaitInputs();
  }
  if (machine_.CurrentState() != State::COMPUTING || !machine_.JudgeInputs()) return;
  const Resolution resolution = machine_.Configuration().TimeResolution();
  const StepSpan span{.begin = SecondsOf(resolution, ticks_), .end = SecondsOf(resolution, ticks_ + machine_.Steps())};
  LogExchange(VariableKind::Input, ticks_);
  if (!Guarded("Step", [&] { model_.Step(values_, span); })) return;
  ticks_ += machine_.Steps();
  ++steps_done_;
  machine_.Raise(Signal::step_done);
}

// Waits for inputs that a network has reordered, where the description allows no loss: they still belong to the step.
void SlaveRunner::AwaitInputs() {
  if (!machine_.Missing().AreAwaited()) return;
  const auto deadline = Clock::now() + kInputsLate;
  for (Transport* one : transports_) one->Release();  // the master waits for the answer to its request
  Arrival arrival;
  while (machine_.CurrentState() == State::COMPUTING && machine_.Missing().AreAwaited()) {
    const int from = ReceiveAny(active_, arrival, deadline);
    if (from < 0) break;
    round_ = Clock::now();
    Handle(*active_[static_cast<std::size_t>(from)], arrival);
  }
  for (Transport* one : transports_) one->Hold();
}

std::string SlaveRunner::DescribeMissed(const MissedData& data) const {
  const auto& groups =
      data.type == PduType::DAT_parameter ? machine_.Configuration().Parameters() : machine_.Configuration().Inputs();
  std::string names;
  if (const auto found = groups.find(data.id); found != groups.end()) {
    for (const DataLayout::Place& place : found->second.layout.Places()) {
      if (names.size() > 60) {
        names += ", ...";
        break;
      }
      names += fmt::format("{}'{}'", names.empty() ? "" : ", ",
                           values_.VariableAt(values_.Find(place.value_reference)).name);
    }
  }
  const auto first = static_cast<std::uint16_t>(data.number);
  const auto last = static_cast<std::uint16_t>(first + data.in_a_row - 1);
  const std::string numbers = first == last ? fmt::format("PDU {}", first) : fmt::format("PDUs {} to {}", first, last);
  const double time = SecondsOf(machine_.Configuration().TimeResolution(), ticks_);
  return fmt::format("{} of data {} ({}) did not come: {}", numbers, data.id, names,
                     data.is_at_begin ? fmt::format("no new values for the step from {} s", time)
                                      : fmt::format("noticed {} s after the start", time));
}

void SlaveRunner::ReportMissed(const MissedData& data) {
  if (data.is_too_many) {
    problem_ = DescribeMissed(data);
    Tell(problem_);
    return Report(LogLevel::Error, problem_);
  }
  if (!std::exchange(has_reported_missed_, true) && machine_.CurrentState() != State::INITIALIZING) {
    const std::string line = DescribeMissed(data) + "; further losses are only counted and logged";
    Tell(line);
    Report(LogLevel::Warning, line);
  }
  if (!description_.log) return;
  const auto found =
      std::ranges::find(description_.log->templates, std::string_view(kMissedData), &LogTemplate::message);
  if (found == description_.log->templates.end()) return;
  const MissedDataEntry entry{.id = data.id,
                              .number = data.number,
                              .in_a_row = data.in_a_row,
                              .seconds = SecondsOf(machine_.Configuration().TimeResolution(), ticks_)};
  std::array<std::byte, kMissedDataBytes> arguments{};
  Encode(entry, arguments);
  Log(found->id, arguments);
}

// The machine is in the state whose hook is running. It answers INF_state, and refuses or takes other requests;
// DoDuties acts on the result after the hook.
void SlaveRunner::Attend() {
  if (!is_in_hook_) return;
  Arrival arrival;
  // What exceeds these limits stays in the buffers of the operating system, which have their own limits.
  for (int i = 0; i < kMostDrained && deferred_bytes_ < kMostDeferred; ++i) {
    const int from = ReceiveAny(transports_, arrival, {});
    if (from < 0) return;
    Transport& transport = *transports_[static_cast<std::size_t>(from)];
    const bool is_data = !arrival.is_end && !IsRequestByte(arrival.pdu);
    if (!is_data) {
      round_ = Clock::now();
      Handle(transport, arrival);
      continue;
    }
    deferred_bytes_ += arrival.pdu.size() + sizeof deferred_[0];
    deferred_.push_back({{.transport = &transport, .door = arrival.door, .at = arrival.from},
                         {arrival.pdu.begin(), arrival.pdu.end()}});
  }
}

void SlaveRunner::TakeDeferred() {
  for (const auto& [peer, pdu] : deferred_) {
    Handle(*peer.transport, {.pdu = pdu, .from = peer.at, .door = peer.door});
  }
  deferred_.clear();
  deferred_bytes_ = 0;
}

void SlaveRunner::Drain() {
  // Data that arrived before the request at another socket must be taken before it.
  if (machine_.Configuration().Inputs().empty()) return;
  const State state = machine_.CurrentState();
  Arrival arrival;
  for (int i = 0; i < kMostDrained && machine_.CurrentState() == state; ++i) {
    const int from = ReceiveAny(active_, arrival, {});
    if (from < 0) return;
    Handle(*active_[static_cast<std::size_t>(from)], arrival);
  }
}

}  // namespace openmi::dcp
