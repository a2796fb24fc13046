#include "fmi-bridge/dcp/slave/SlaveRunner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

#include "fmi-bridge/dcp/slave/OutputSender.hpp"
#include "fmi-bridge/dcp/slave/SlaveExperiment.hpp"
#include "fmi-bridge/dcp/slave/SlaveMaster.hpp"
#include "fmi-bridge/dcp/slave/StepClock.hpp"

namespace openmi::dcp {
namespace {

using Clock = Transport::Clock;

constexpr std::chrono::milliseconds kRound{20};       // the longest time until Stop takes effect
constexpr int kMostDrained = 4096;                    // PDUs taken before a step
constexpr std::chrono::milliseconds kInputsLate{50};  // how long inputs may arrive after the request for their step
constexpr std::size_t kMostDeferred = std::size_t{32} << 20;  // bytes of data that are kept during one hook

bool IsRequestByte(ByteView pdu) {
  return !pdu.empty() && IsRequest(static_cast<std::uint8_t>(pdu[0]));
}

}  // namespace

/// Sockets, clock and model around the machine: what the header of SlaveRunner does not show.
class SlaveRunner::Loop final : ISlaveOutlet {
 public:
  Loop(const SlaveDescription& description, SlaveModel& model, SlaveOptions options);
  void Run();
  void Turn(Clock::time_point deadline);
  void Attend();
  void Stop() { must_stop_.store(true, std::memory_order_relaxed); }
  Endpoint ControlEndpoint(TransportProtocol protocol) const { return ports_.Control(protocol); }
  const SlaveMachine& Machine() const { return machine_; }
  SlaveValues& Values() { return values_; }
  const Lateness& StepLateness() const { return timing_.StepLateness(); }
  const std::string& Problem() const { return reports_.Problem(); }
  std::uint64_t StepsDone() const { return experiment_.StepsDone(); }
  bool HasServed() const { return has_served_; }
  std::uint64_t RefusedData() const { return master_.RefusedData(); }
  std::uint64_t Unsent() const { return ports_.Unsent(); }
  void Report(LogLevel level, std::string_view message) { reports_.Report(level, message); }

 private:
  void Reply(ByteView pdu) override { Send(master_.Asker(), pdu); }
  void Notify(ByteView pdu) override { Send(master_.Receiver(), pdu); }
  void Missed(const MissedData& data) override { reports_.Missed(data, experiment_.Time()); }
  void Send(const Peer& peer, ByteView pdu) const;
  void Handle(const Peer& peer, const Arrival& arrival);
  void HandleRequest(const Peer& peer, ByteView pdu);
  /// Whether another master may register: the present one has only registered, and some time ago. Ends its experiment.
  bool GivesWay(ByteView pdu);
  void DoDuties();
  void Duty(State state);
  /// Calls a hook or other work that may throw; fails with its message.
  /// \returns whether it returned normally
  template <class Work>
  bool Guarded(const char* what, Work work);
  void CloseData();
  void Compute();
  bool Step(std::uint32_t length);
  void StepOnTime();
  void SendOutputs(bool initialization, std::uint64_t since_start = 0);
  bool IsClocked() const;
  void Drain();
  void AwaitInputs();

  SlaveModel& model_;
  SlaveOptions options_;
  SlaveValues values_;
  SlaveMachine machine_;
  SlaveReports reports_;
  SlaveSockets ports_;
  SlaveMaster master_;
  OutputSender outputs_;
  RealTimeSteps timing_;
  SlaveExperiment experiment_;
  State done_ = State::ALIVE;
  bool has_served_ = false;
  bool has_run_ = false;       // model hooks were called since the last Reset
  Clock::time_point round_{};  // when the work of this turn began
  int busy_turns_ = 0;
  bool is_in_hook_ = false;
  std::vector<std::pair<Peer, Bytes>> deferred_;  // data that arrived during a hook
  std::size_t deferred_bytes_ = 0;
  std::atomic<bool> must_stop_ = false;
};

SlaveRunner::Loop::Loop(const SlaveDescription& description, SlaveModel& model, SlaveOptions options)
    : model_(model),
      options_(std::move(options)),
      values_(description),
      machine_(description, values_, *this,
               [this](const CfgNetworkInformation& pdu) { return ports_.Accepts(pdu, master_.Receiver().at.address); }),
      reports_(options_, machine_),
      ports_(description, options_, reports_),
      master_(machine_, ports_, reports_),
      outputs_(ports_, reports_),
      experiment_(machine_.Configuration()) {
  if (options_.allows_restarted_numbers) machine_.AllowRestartedNumbers();
  if (options_.supervises_only_who_beats) machine_.SuperviseOnlyWhoBeats();
  if (options_.bears_loss_in_soft_real_time) machine_.BearLossInSoftRealTime();
}

void SlaveRunner::Loop::Send(const Peer& peer, ByteView pdu) const {
  if (peer.transport == nullptr) return;
  peer.transport->Send(peer.socket, peer.at, pdu);
  reports_.Watch(true, peer.at, pdu);
}

void SlaveRunner::Loop::Run() {
  has_served_ = false;
  round_ = Clock::now();
  while (!must_stop_.exchange(false, std::memory_order_relaxed)) {  // a Stop before Run takes effect too
    Turn(round_ + kRound);
    const bool is_alive = machine_.CurrentState() == State::ALIVE;
    if (options_.is_once && has_served_ && is_alive) return;
    has_served_ = has_served_ || !is_alive;
  }
}

void SlaveRunner::Loop::Turn(Clock::time_point deadline) {
  if (const auto heartbeat = machine_.HeartbeatDeadline()) deadline = std::min(deadline, *heartbeat);
  if (IsClocked() && !(timing_.IsStarted() && options_.is_lock_step)) deadline = std::min(deadline, timing_.Due());
  if (!deferred_.empty()) deadline = {};
  Arrival arrival;
  const auto from = ports_.Receive(arrival, deadline);
  const SentTogether together(ports_.All());
  round_ = Clock::now();
  for (const auto& [peer, pdu] : deferred_) Handle(peer, {.pdu = pdu, .from = peer.at, .socket = peer.socket});
  deferred_.clear();
  deferred_bytes_ = 0;
  if (from) {
    Handle(*from, arrival);
    DoDuties();
  }
  if (const auto other = ports_.ReceiveAtOthers(arrival, round_)) Handle(*other, arrival);
  // The heartbeat is checked when no PDU waits that could be one, or when a flood of PDUs would delay the check.
  constexpr int kMostBusy = 1000;
  busy_turns_ = from ? busy_turns_ + 1 : 0;
  if (busy_turns_ == 0 || busy_turns_ > kMostBusy) {
    machine_.CheckHeartbeat(Clock::now());
    if (machine_.LastError() == ErrorCode::PROTOCOL_ERROR_HEARTBEAT_MISSED && kError.Has(machine_.CurrentState()) &&
        done_ != machine_.CurrentState()) {
      reports_.SetProblem(
          "the master's heartbeat has stopped: no INF_state within the interval of the slave description");
    }
  }
  StepOnTime();
  DoDuties();
  master_.Watch(round_, options_.looks_after_silence);
  ports_.ReportStarvation();
  DoDuties();
}

void SlaveRunner::Loop::Handle(const Peer& peer, const Arrival& arrival) {
  if (arrival.is_end) return master_.TakeEnd(peer);
  reports_.Watch(false, arrival.from, arrival.pdu);
  IsRequestByte(arrival.pdu) ? HandleRequest(peer, arrival.pdu) : master_.TakeData(peer, arrival.pdu);
}

void SlaveRunner::Loop::HandleRequest(const Peer& peer, ByteView pdu) {
  master_.SetAsker(peer);
  const bool is_masterless =
      machine_.CurrentState() == State::ERRORRESOLVED &&
      (machine_.LastError() == ErrorCode::PROTOCOL_ERROR_HEARTBEAT_MISSED || machine_.IsMasterSilent(round_));
  if (is_masterless && IsRegister(pdu)) {
    machine_.Restart();
    DoDuties();
    master_.SetAsker(peer);
  }
  if (machine_.CurrentState() != State::ALIVE && master_.At() && *master_.At() != peer) {
    if (!GivesWay(pdu)) return master_.TakeRequestOfStranger(peer, pdu, round_);
    master_.SetAsker(peer);
  }
  master_.TakeRequest(peer, pdu, round_);
}

bool SlaveRunner::Loop::GivesWay(ByteView pdu) {
  if (!IsRegister(pdu) || !machine_.IsNewlyRegistered() ||
      master_.SilentFor(round_) < options_.longest_idle_registration)
    return false;
  master_.Lose(fmt::format("the master at {} registered, and asked for nothing more: another takes its place",
                           ToText(master_.At()->at)));
  DoDuties();
  return machine_.CurrentState() == State::ALIVE;
}

void SlaveRunner::Loop::DoDuties() {
  while (machine_.CurrentState() != done_) {
    done_ = machine_.CurrentState();
    Duty(done_);
  }
}

void SlaveRunner::Loop::Duty(State state) {
  switch (state) {
    case State::ALIVE:
      master_.Leave();
      [[fallthrough]];
    case State::CONFIGURATION:
      CloseData();
      timing_.Leave();
      experiment_.Rewind();
      if (std::exchange(has_run_, false)) Guarded("Reset", [&] { model_.Reset(values_); });
      break;
    case State::PREPARING:
      if (Guarded("opening the ports for data", [&] {
            if (ports_.OpenInputs(machine_.Configuration())) master_.SetOtherSenders(true);
          })) {
        machine_.Raise(Signal::prepared);
      }
      break;
    case State::CONFIGURING:
      if (!Guarded("connecting to the targets of data", [&] {
            timing_.SetLength(outputs_.Connect(machine_.Configuration()));
            machine_.Missing().Prepare();
            ports_.Choose(machine_.Configuration(), master_.Via());
          })) {
        break;
      }
      has_run_ = true;
      reports_.Clear();
      timing_.ClearLateness();
      if (!Guarded("the log of exchanges", [&] { experiment_.Begin(options_.exchange_log); })) break;
      if (Guarded("Configure", [&] { model_.Configure(values_); })) machine_.Raise(Signal::configured);
      break;
    case State::INITIALIZING:
      Drain();
      if (machine_.CurrentState() != state || !machine_.JudgeInputs()) break;
      experiment_.Log(VariableKind::Input);
      if (Guarded("Initialize", [&] { model_.Initialize(values_); })) machine_.Raise(Signal::initialized);
      break;
    case State::SENDING_I:
    case State::SENDING_D:
      SendOutputs(state == State::SENDING_I);
      machine_.Raise(Signal::send_complete);
      break;
    case State::SYNCHRONIZING:
      machine_.Missing().MarkBegin();
      if (machine_.Mode() == OpMode::NRT) {
        machine_.Raise(Signal::synchronized);
        break;
      }
      if (const std::string& refusal = timing_.Enter(machine_.Mode() == OpMode::HRT); !refusal.empty())
        reports_.Show(refusal);
      timing_.StartAt(machine_.StartTime());
      break;
    case State::RUNNING:
      // In lock-step, what arrived before for the initialization causes no step.
      if (options_.is_lock_step) machine_.Missing().Mark();
      if (machine_.Mode() != OpMode::NRT && machine_.StartTime() != 0) timing_.StartAt(machine_.StartTime());
      break;
    case State::COMPUTING:
      Compute();
      break;
    case State::STOPPING:
      if (master_.At()) {
        reports_.Show(fmt::format("stopped by the master at {} after {} s simulated in {} steps",
                                  ToText(master_.At()->at), experiment_.Time(), experiment_.StepsSinceBegin()));
      }
      if (!has_run_ || Guarded("Stop", [&] { model_.Stop(values_); })) machine_.Raise(Signal::stopped);
      experiment_.FlushLog();
      if (timing_.StepLateness().Count() > 0) reports_.Show(timing_.StepLateness().Describe());
      break;
    case State::ERRORHANDLING:
      if (has_run_) Guarded("Stop", [&] { model_.Stop(values_); });
      experiment_.FlushLog();
      CloseData();
      machine_.Raise(Signal::resolved);
      break;
    case State::ERRORRESOLVED:
      if (master_.WasLost()) machine_.Restart();
      break;
    default:
      break;
  }
}

template <class Work>
bool SlaveRunner::Loop::Guarded(const char* what, Work work) {
  const auto fail = [&](const char* why) { reports_.Fail(fmt::format("{} failed: {}", what, why)); };
  ports_.Release();  // nothing is held back during work that takes long
  is_in_hook_ = true;
  try {
    work();
    is_in_hook_ = false;
    ports_.Hold();
    return true;
  } catch (const std::exception& error) {
    fail(error.what());
  } catch (...) {
    fail("an exception of an unknown type");
  }
  is_in_hook_ = false;
  return false;
}

void SlaveRunner::Loop::CloseData() {
  ports_.CloseData();
  outputs_.Clear();
  timing_.Halt();
  master_.SetOtherSenders(false);
}

void SlaveRunner::Loop::Compute() {
  // The PDUs of one sender arrive in order.
  const bool is_all_here =
      machine_.Missing().AllAreNew() && !master_.HasOtherSenders() && machine_.Configuration().Parameters().empty();
  if (!is_all_here) {
    Drain();
    AwaitInputs();
  }
  if (machine_.CurrentState() != State::COMPUTING || !machine_.JudgeInputs()) return;
  if (Step(machine_.Steps())) machine_.Raise(Signal::step_done);
}

bool SlaveRunner::Loop::Step(std::uint32_t length) {
  const StepSpan span = experiment_.Next(length);
  experiment_.Log(VariableKind::Input);
  if (!Guarded("Step", [&] { model_.Step(values_, span); })) return false;
  experiment_.Advance(length);
  return true;
}

void SlaveRunner::Loop::SendOutputs(bool initialization, std::uint64_t since_start) {
  if (outputs_.Send(initialization, since_start, master_.Via())) experiment_.Log(VariableKind::Output);
}

bool SlaveRunner::Loop::IsClocked() const {
  return machine_.Mode() != OpMode::NRT && kRun.Has(machine_.CurrentState()) && done_ == machine_.CurrentState();
}

void SlaveRunner::Loop::StepOnTime() {
  if (!IsClocked()) return;
  const Clock::time_point now = Clock::now();
  if (!timing_.IsStarted()) {
    if (now < timing_.Due()) return;
    timing_.Start(machine_.Configuration().TimeResolution());
    experiment_.StartClock();
    if (machine_.CurrentState() == State::SYNCHRONIZING) {
      machine_.Raise(Signal::synchronized);
      return;
    }
  }
  if (options_.is_lock_step) {
    if (machine_.CurrentState() != State::RUNNING || !machine_.Missing().AllAreNew()) return;
    machine_.Missing().Mark();
  } else {
    if (now < timing_.Due()) return;
    timing_.Begin(now);
  }
  if (!Step(timing_.Length())) return;
  SendOutputs(false, experiment_.SinceClockStart());
  if (options_.is_lock_step || Clock::now() <= timing_.Due()) return;
  timing_.AddOverrun();
  if (machine_.Mode() == OpMode::HRT) {
    reports_.Fail(
        fmt::format("a step missed its deadline in hard real time, {} s after the start", experiment_.Time()));
  }
}

// Waits for inputs that a network has reordered, where the description allows no loss: they still belong to the step.
void SlaveRunner::Loop::AwaitInputs() {
  if (!machine_.Missing().AreAwaited()) return;
  const auto deadline = Clock::now() + kInputsLate;
  ports_.Release();  // the master waits for the answer to its request
  Arrival arrival;
  while (machine_.CurrentState() == State::COMPUTING && machine_.Missing().AreAwaited()) {
    const auto from = ports_.Receive(arrival, deadline);
    if (!from) break;
    round_ = Clock::now();
    Handle(*from, arrival);
  }
  ports_.Hold();
}

// The machine is in the state whose hook is running. It answers INF_state, and refuses or takes other requests;
// DoDuties acts on the result after the hook.
void SlaveRunner::Loop::Attend() {
  if (!is_in_hook_) return;
  Arrival arrival;
  // What exceeds these limits stays in the buffers of the operating system, which have their own limits.
  for (int i = 0; i < kMostDrained && deferred_bytes_ < kMostDeferred; ++i) {
    const auto from = ports_.ReceiveAtAny(arrival);
    if (!from) return;
    if (arrival.is_end || IsRequestByte(arrival.pdu)) {
      round_ = Clock::now();
      Handle(*from, arrival);
      continue;
    }
    deferred_bytes_ += arrival.pdu.size() + sizeof deferred_[0];
    deferred_.push_back({*from, {arrival.pdu.begin(), arrival.pdu.end()}});
  }
}

void SlaveRunner::Loop::Drain() {
  // Data that arrived before the request at another socket must be taken before it.
  if (machine_.Configuration().Inputs().empty()) return;
  const State state = machine_.CurrentState();
  Arrival arrival;
  for (int i = 0; i < kMostDrained && machine_.CurrentState() == state; ++i) {
    const auto from = ports_.Receive(arrival, {});
    if (!from) return;
    Handle(*from, arrival);
  }
}

SlaveRunner::SlaveRunner(const SlaveDescription& description, SlaveModel& model, SlaveOptions options)
    : model_(model), loop_(std::make_unique<Loop>(description, model, std::move(options))) {
  model_.attend_ = [this] { loop_->Attend(); };
  model_.report_ = [this](LogLevel level, std::string_view message) { Report(level, message); };
}

SlaveRunner::~SlaveRunner() {
  model_.attend_ = nullptr;
  model_.report_ = nullptr;
}

void SlaveRunner::Run() {
  loop_->Run();
}
void SlaveRunner::Stop() {
  loop_->Stop();
}
void SlaveRunner::Turn(Clock::time_point deadline) {
  loop_->Turn(deadline);
}
Endpoint SlaveRunner::ControlEndpoint(TransportProtocol protocol) const {
  return loop_->ControlEndpoint(protocol);
}
const SlaveMachine& SlaveRunner::Machine() const {
  return loop_->Machine();
}
SlaveValues& SlaveRunner::Values() {
  return loop_->Values();
}
const Lateness& SlaveRunner::StepLateness() const {
  return loop_->StepLateness();
}
const std::string& SlaveRunner::Problem() const {
  return loop_->Problem();
}
std::uint64_t SlaveRunner::StepsDone() const {
  return loop_->StepsDone();
}
bool SlaveRunner::HasServed() const {
  return loop_->HasServed();
}
std::uint64_t SlaveRunner::RefusedData() const {
  return loop_->RefusedData();
}
std::uint64_t SlaveRunner::Unsent() const {
  return loop_->Unsent();
}
void SlaveRunner::Report(LogLevel level, std::string_view message) {
  loop_->Report(level, message);
}

}  // namespace openmi::dcp
