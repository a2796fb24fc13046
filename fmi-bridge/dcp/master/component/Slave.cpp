#include "fmi-bridge/dcp/master/component/Slave.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <ctime>
#include <optional>
#include <utility>

#include "fmi-bridge/common/items/ItemDefinitions.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {

Slave::Slave() : SteppingComponent("dcp-slave", "PT1S"), arguments_{ArgumentItems()} {
  SetDescription("a DCP slave, driven by this side as its master");
  SetRestartable(true);
  arguments_.description.Item().changed = [this] { ReadDescription(); };
}

Slave::~Slave() {
  peers_->Leave(*this);
  End();
}

void Slave::JoinPeers(PeerBoard& board) {
  peers_ = board.Get<SlavePeers>();
  peers_->Join(*this);
}

std::string Slave::FamilyKey() const {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path_, error);
  return error ? path_.string() : real.string();
}

Problems Slave::Remarks() const {
  if (session_ == nullptr) return end_remarks_;
  Problems problems;
  const SessionCounts& counts = session_->Counts();
  const std::uint64_t lost = counts.inputs_missed;
  if (lost > 0) {
    AddWarning(
        problems, {.item = "transport"},
        fmt::format("expected the slave to get the inputs of every step, found that it reports {} lost data PDUs in {} "
                    "steps: it used earlier values instead",
                    lost, counts.steps),
        "use TCP (transport=tcp), or let the slave end the run if data are lost (maxConsecMissedPdus=0)");
  }
  if (counts.overruns + counts.held > 0) {
    AddWarning(
        problems, {},
        fmt::format("expected a run in real time that keeps its pace, found that of {} steps {} ended after their "
                    "time and {} kept earlier values",
                    counts.steps, counts.overruns, counts.held),
        "choose a longer time-step, or give the processes cores of their own");
  }
  return problems;
}

// --- set-up ---

// Called again later, because the folder of the OMI file may become known after the argument is set.
void Slave::ReadDescription() {
  if (!arguments_.description.HasValue()) return;
  const std::filesystem::path path = PathOf(arguments_.description.Value());
  if (description_ != nullptr && path == path_) return;
  Problems problems;
  auto description = std::make_shared<const SlaveDescription>(LoadSlaveDescription(path, problems));
  ThrowIfErrors(problems);
  path_ = path;
  description_ = std::move(description);
  SetDescription(description_->description.empty() ? description_->name : description_->description);
  variable_arguments_.Add(ArgumentItems(), *description_);
}

void Slave::Setup() {
  ReadDescription();
  timing_ = ReadTiming(arguments_, *description_, Here());
  std::uint32_t steps = 1;
  if (IsNonRealTime() && description_->non_real_time) {
    steps = description_->non_real_time->standard;
  } else {
    for (const Variable& variable : description_->variables) {
      if (variable.kind == VariableKind::Output) steps = std::max(steps, variable.steps.standard);
    }
  }
  if (!ArgumentItems().Find("time-step")->IsSet()) {
    SetTimeStep(openmi::Seconds(ResolutionSeconds() * steps));
  } else if (TextOf(arguments_.time_resolution).empty()) {
    ChooseResolution();
  }
  const bool can_vary = IsNonRealTime() && description_->capabilities.can_handle_variable_steps;
  if (!can_vary || timing_.is_lock_step) SetWholeSteps(true);

  SlaveValues values(*description_);
  variable_arguments_.Apply(*description_, values);
  ports_.Clear();
  for (std::size_t i = 0; i < description_->variables.size(); ++i) {
    const auto index = static_cast<Index>(i);
    const Variable& variable = VariableAt(index);
    if (!variable.IsTunable() && variable.kind != VariableKind::Input && variable.kind != VariableKind::Output)
      continue;
    std::vector<std::size_t> sizes;
    for (const Dimension& dimension : variable.dimensions) {
      sizes.push_back(dimension.variable == kNowhere
                          ? static_cast<std::size_t>(dimension.size)
                          : static_cast<std::size_t>(values.At(dimension.variable).Integer()));
    }
    MakeItem(index, sizes);
  }
  if (!arguments_.counters.Value()) return;
  static constexpr std::pair<const char*, const std::uint64_t SessionCounts::*> kCounters[] = {
      {"dcp:data-missed", &SessionCounts::data_missed},
      {"dcp:duplicated", &SessionCounts::duplicated},
      {"dcp:late", &SessionCounts::late},
      {"dcp:repeated-requests", &SessionCounts::repeated},
      {"dcp:held-steps", &SessionCounts::held},
      {"dcp:overruns", &SessionCounts::overruns}};
  for (const auto& [id, count] : kCounters) ports_.AddCounter(AddOutput(id, "1").Item(), count);
}

void Slave::ChooseResolution() {
  const auto allows = [this](std::uint32_t steps) {
    if (IsNonRealTime() && !timing_.is_lock_step) return description_->non_real_time->Allows(steps);
    return !timing_.is_lock_step || std::ranges::all_of(description_->variables, [&](const Variable& one) {
      return one.kind != VariableKind::Output || one.is_constant || one.steps.Allows(steps);
    });
  };
  const auto found = description_->ResolutionFor(ToSeconds(TimeStep()), allows);
  if (!found) return;  // OnValidate says why
  timing_.numerator = found->numerator;
  timing_.denominator = found->denominator;
}

void Slave::MakeItem(Index index, const std::vector<std::size_t>& sizes) {
  const Variable& variable = VariableAt(index);
  const std::string& text = variable.description;
  const auto where = items::ArrayElements(variable.name, sizes);
  auto definition = DefinitionOf(*description_, variable);
  const bool is_input = variable.kind != VariableKind::Output;
  if (IsText(variable.Type()) && is_input) {
    ports_.Add(index, AddItem<ValueInput>(variable.name, std::move(definition), where, text));
  } else if (IsText(variable.Type())) {
    ports_.Add(index, AddItem<ValueOutput>(variable.name, std::move(definition), where, text));
  } else if (is_input) {
    auto& input = AddItem<NumericInput>(variable.name, std::move(definition), where, text);
    double shown = 0.0;
    if (!variable.start.floats.empty()) shown = variable.start.floats[0];
    if (!variable.start.integers.empty()) shown = static_cast<double>(variable.start.integers[0]);
    input.SetDefault(shown);
    ports_.Add(index, input);
  } else {
    ports_.Add(index, AddItem<NumericOutput>(variable.name, std::move(definition), where, text));
  }
}

bool Slave::OnValidate(std::vector<std::string>& messages) {
  bool valid = SteppingComponent::OnValidate(messages);
  const auto complain = [&](const char* item, const std::string& problem, const std::string& remedy) {
    messages.push_back(Error::Format(Here(item), problem, remedy));
    valid = false;
  };
  const double steps = ToSeconds(TimeStep()) / ResolutionSeconds();
  const auto whole_steps = static_cast<std::uint32_t>(std::llround(steps));
  if (std::abs(steps - std::round(steps)) > 1e-6 * std::max(1.0, steps) || steps < 0.5) {
    complain("time-step",
             fmt::format("expected a multiple of the time resolution of {}/{} s, found {} s", timing_.numerator,
                         timing_.denominator, ToSeconds(TimeStep())),
             fmt::format("set time-step to a multiple, or time-resolution; the slave allows {}",
                         description_->ResolutionsText()));
  } else if (IsNonRealTime() && !timing_.is_lock_step) {
    const StepRange& allowed = *description_->non_real_time;
    if (!allowed.Allows(whole_steps)) {
      complain(
          "time-step",
          fmt::format("expected {} steps of {}/{} s, found {:.0f}",
                      allowed.is_fixed ? fmt::format("{}", allowed.standard)
                                       : fmt::format("{} to {}", allowed.fewest.value_or(1),
                                                     allowed.most ? std::to_string(*allowed.most) : "any number of"),
                      timing_.numerator, timing_.denominator, steps),
          "leave time-step out, or choose another");
    }
  }
  if (!timing_.is_lock_step) return valid;
  for (const Variable& variable : description_->variables) {
    if (variable.kind != VariableKind::Output || variable.is_constant || variable.steps.Allows(whole_steps)) continue;
    complain(
        "time-step",
        fmt::format("expected a time step of {} times {}/{} s in lock-step, as the output '{}' is sent, found {:.0f} "
                    "times",
                    variable.steps.standard, timing_.numerator, timing_.denominator, variable.name, steps),
        "leave time-step out, or choose another slave");
    break;
  }
  if (!ports_.HasLinkedInput()) {
    complain("synchronization",
             "expected a linked input in lock-step, because its data make the slave step, found none",
             "link an input, or use synchronization=standard");
  }
  return valid;
}

SessionOptions Slave::Options() const {
  SessionOptions options = Complete(timing_, arguments_, *description_, Here());
  options.steps = static_cast<std::uint32_t>(std::llround(ToSeconds(TimeStep()) / ResolutionSeconds()));
  return options;
}

// --- the beginning of a run ---

void Slave::MakeSession() {
  if (session_ != nullptr) return;
  const auto written = [this](const Argument<std::string>& file) {
    return arguments_.results_folder.WrittenPath(file, [this](const auto& name) { return PathOf(name); });
  };
  if (const std::string path = written(arguments_.log_file); !path.empty()) {
    log_.open(path, std::ios::app);
    if (!log_) {
      throw FileError({.file = path, .component = Caption(), .item = "log-file"},
                      "expected a file that can be written, found none", "check the folder");
    }
  }
  SessionOptions options = Options();
  options.log = [this](const std::string& line) { Log(line); };
  is_running_ = false;
  for (Slave* other : peers_->Others(*this)) {
    // a slave with a session is no longer configured
    if (other->description_ == nullptr || other->session_ != nullptr) continue;
    Connect(*this, *other);
    Connect(*other, *this);
  }
  session_ = std::make_unique<SlaveSession>(*description_, std::move(options));
  const std::vector<Index> parameters = variable_arguments_.Apply(*description_, session_->Values());
  std::vector<Index> inputs, outputs, stand_by;
  for (const auto& port : ports_.Numbers()) {
    if (port.output != nullptr) outputs.push_back(port.variable);
    if (port.IsLinked()) (direct_.Brings(port.variable) ? stand_by : inputs).push_back(port.variable);
  }
  for (const auto& port : ports_.Texts()) {
    if (port.output != nullptr) outputs.push_back(port.variable);
    if (port.IsLinked()) inputs.push_back(port.variable);
  }
  // An input without a link whose argument is set is sent once, before the slave initializes.
  for (const auto& port : ports_.Numbers()) {
    if (port.input == nullptr || port.IsLinked() || VariableAt(port.variable).kind != VariableKind::Input) continue;
    const ArgumentItem* item = variable_arguments_.Find(VariableAt(port.variable).name);
    if (item != nullptr && item->IsSet()) inputs.push_back(port.variable);
  }
  if (const std::string path = written(arguments_.exchange_log); !path.empty()) {
    std::vector<Index> exchanged = inputs;
    exchanged.insert(exchanged.end(), stand_by.begin(), stand_by.end());
    exchanged.insert(exchanged.end(), outputs.begin(), outputs.end());
    exchanges_ = std::make_unique<ExchangeLog>(path, session_->Values(), exchanged);
  }
  session_->Plan(inputs, outputs, parameters, stand_by);
}

void Slave::ReachPrepared() {
  if (is_prepared_) return;
  MakeSession();
  for (const auto& data : direct_.Incoming()) {
    data->from->MakeSession();
    session_->ReceiveDirectly(data->id, data->inputs, data->sent_as);
    Log(fmt::format("data {} come from '{}' directly", data->id, data->from->Caption()));
  }
  for (const auto& data : direct_.Outgoing()) {
    data->to->MakeSession();
    session_->SendDirectly(data->id, data->outputs, data->to->session_->DataPlace());
  }
  is_prepared_ = true;
  session_->Register();
  session_->Prepare();
  if (!description_->heartbeat) return;
  heart_ = std::jthread([this, interval = session_->PollInterval()](const std::stop_token& stop) {
    std::mutex own;
    std::condition_variable_any stopped;
    std::unique_lock waiting(own);
    while (!stopped.wait_for(waiting, stop, interval / 2, [&] { return stop.stop_requested(); })) {
      const std::unique_lock lock(session_guard_, std::try_to_lock);
      if (lock.owns_lock()) session_->Beat();  // else a step is under way, which requests the state
    }
  });
}

void Slave::EnterInitialization() {
  if (is_started_) End();
  ReachPrepared();
  for (const auto& data : direct_.Outgoing()) data->to->ReachPrepared();
  const std::lock_guard lock(session_guard_);
  session_->Connect();
  is_connected_ = true;
}

void Slave::SetInitialNumbers(std::string_view input, std::span<const double> row) {
  if (ports_.TakeInitial(input, row, session_->Values())) is_initialized_ = false;
}

void Slave::SetInitialValues(std::string_view input, std::span<const Value> values) {
  if (ports_.TakeInitial(input, values, session_->Values())) is_initialized_ = false;
}

void Slave::ShowInitialOutputs() {
  InitializeSlave();
  ports_.ShowOutputs(session_->Values(), StartTime());
}

void Slave::InitializeSlave() {
  if (is_initialized_) return;
  const std::lock_guard lock(session_guard_);
  session_->Initialize();
  is_initialized_ = true;
  if (exchanges_ == nullptr) return;
  exchanges_->Write(VariableKind::Input, 0.0);
  exchanges_->Write(VariableKind::Output, 0.0);
}

void Slave::Start(Stamp begin) {
  if (is_started_) End();  // a repeated start, not only prepared by another slave
  is_started_ = true;
  if (!is_connected_) EnterInitialization();
  InitializeSlave();
  ports_.GiveOutputs(session_->Values(), session_->Counts(), begin);
  Attend();
}

void Slave::Attend() {
  const auto guarded = [this](auto work) {
    return [this, work](auto... arguments) {
      const std::lock_guard lock(session_guard_);
      work(arguments...);
    };
  };
  if (IsNonRealTime() || timing_.is_lock_step) {
    guarded([this] {
      session_->Synchronize();
      Run(0);
    })();
  } else {
    peers_->CommonStart().Join(*this, guarded([this] { session_->Synchronize(); }),
                               guarded([this](std::int64_t seconds) { Run(seconds); }));
  }
}

void Slave::Run(std::int64_t unix_seconds) {
  using namespace std::chrono;
  session_->Run(unix_seconds);
  const auto wall = system_clock::time_point(seconds(unix_seconds));
  begin_ = SlaveSession::Clock::now() + duration_cast<SlaveSession::Clock::duration>(wall - system_clock::now());
  is_running_ = true;
}

// --- steps ---

void Slave::Step(Stamp from, Stamp to) {
  ports_.TakeInputs(session_->Values(), to);
  session_->SetTakeOver(direct_.CompareReceived(ports_, IsNonRealTime()));
  if (IsNonRealTime()) direct_.RequireReceiversAt(to);
  const double begin = static_cast<double>(Ticks()) * 1e-9;
  if (exchanges_ != nullptr) exchanges_->Write(VariableKind::Input, begin);
  if (!is_running_) peers_->CommonStart().Begin(*this, arguments_.start_delay.Value());
  const std::lock_guard lock(session_guard_);
  if (timing_.is_lock_step) {
    session_->BeginLockStep();
    session_->FinishLockStep();
  } else if (IsNonRealTime()) {
    const double steps = ToSeconds(to - from) / ResolutionSeconds();
    session_->BeginStep(static_cast<std::uint32_t>(std::max(1LL, std::llround(steps))));
    session_->AskForOutputs();
    session_->FinishStep();
  } else {
    using Duration = SlaveSession::Clock::duration;
    const auto since = [](double seconds) {
      return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
    };
    const double step = ToSeconds(TimeStep());
    // The data of a step are those that arrive within half a step of its end.
    session_->StepInRealTime(begin_ + since(std::round(ToSeconds(to - StartTime()) / step) * step), since(0.5 * step));
  }
  direct_.NoteSent(session_->Values());
  if (exchanges_ != nullptr) {
    const double length = std::round(ToSeconds(to - from) / ResolutionSeconds()) * ResolutionSeconds();
    exchanges_->Write(VariableKind::Output, begin + length);
  }
  ports_.GiveOutputs(session_->Values(), session_->Counts(), to);
}

void Slave::Log(const std::string& line) {
  if (!log_.is_open()) return;
  log_ << fmt::format("{} {}: {}\n", std::time(nullptr), Caption(), line);
  log_.flush();
}

void Slave::End() {
  is_started_ = is_prepared_ = is_connected_ = is_initialized_ = false;
  direct_.Leave();
  if (session_ == nullptr) return;
  peers_->CommonStart().Leave(*this);
  heart_ = {};
  end_remarks_.clear();
  if (const std::string problem = session_->Stop(); !problem.empty()) {
    Log(problem);
    AddWarning(end_remarks_, {}, fmt::format("expected the slave to stop and deregister, found: {}", problem),
               "look at the slave, and start it anew where it does not take another master");
  }
  const SessionCounts& counts = session_->Counts();
  Log(
      fmt::format("{} steps, {} requests ({} repeated), data: {} sent, {} received, {} missed, {} duplicated, {} late, "
                  "{} dropped; {} steps held, {} overruns",
                  counts.steps, counts.requests, counts.repeated, counts.data_sent, counts.data_received,
                  counts.data_missed, counts.duplicated, counts.late, counts.strays, counts.held, counts.overruns));
  exchanges_.reset();
  session_.reset();
  if (log_.is_open()) log_.close();
}

// --- direct data ---

Index Slave::VariableOf(const NumericOutput* output) const {
  const auto found = std::ranges::find(ports_.Numbers(), output, &SlavePorts::Numeric::output);
  return output == nullptr || found == ports_.Numbers().end() ? kNowhere : found->variable;
}

bool Slave::MaySendTo(const Slave& receiver, const SessionOptions& mine, const SessionOptions& theirs) const {
  if (mine.mode != theirs.mode || mine.is_lock_step || theirs.is_lock_step) return false;
  if (!description_->transports.Of(theirs.data)) return false;
  if (IsOnLoopback(theirs.slave.address) && !IsOnLoopback(mine.slave.address)) return false;
  if (mine.mode != OpMode::NRT) return true;
  // The receiver uses the last data that arrived. They belong to the end of its step where both steps end together.
  // Another consumer with another time step would make the sender run ahead of the receiver.
  for (const Slave* other : peers_->Others(receiver)) {
    const bool takes = std::ranges::any_of(other->ports_.Numbers(), [&](const SlavePorts::Numeric& port) {
      return port.input != nullptr && VariableOf(DirectSourceOf(*port.input)) != kNowhere;
    });
    if (takes && ToSeconds(other->TimeStep()) != ToSeconds(receiver.TimeStep())) return false;
  }
  const double ratio = ToSeconds(receiver.TimeStep()) / ToSeconds(TimeStep());
  return std::abs(ratio - std::round(ratio)) < 1e-9 * ratio && ratio > 0.5;
}

void Slave::Connect(Slave& from, Slave& to) {
  if (!to.arguments_.direct.Value()) return;
  const auto is_between = [&](const std::shared_ptr<DirectData>& one) { return one->to == &to; };
  if (std::ranges::any_of(from.direct_.Outgoing(), is_between)) return;
  auto data = std::make_shared<DirectData>();
  data->from = &from;
  data->to = &to;
  std::size_t bytes = kDataHead;
  std::size_t count = 0;
  SlaveValues mine(*from.description_), theirs(*to.description_);  // for the sizes of arrays
  std::optional<SessionOptions> sender, receiver;
  for (const SlavePorts::Numeric& port : to.ports_.Numbers()) {
    if (port.input == nullptr || to.VariableAt(port.variable).kind != VariableKind::Input) continue;
    const Index sent = from.VariableOf(DirectSourceOf(*port.input));
    if (sent == kNowhere) continue;
    if (!sender) {
      sender = from.Options();
      receiver = to.Options();
      if (!from.MaySendTo(to, *sender, *receiver)) return;
      static_cast<void>(from.variable_arguments_.Apply(*from.description_, mine));
      static_cast<void>(to.variable_arguments_.Apply(*to.description_, theirs));
    }
    const Variable& output = from.VariableAt(sent);
    const TypedValue& value = mine.At(sent);
    const bool is_in_step = output.steps.Allows(sender->steps) || from.IsNonRealTime();
    const std::size_t most = std::min(from.description_->transports.Of(receiver->data)->max_pdu_size,
                                      to.description_->transports.Of(receiver->data)->max_pdu_size);
    const bool fits = value.Elements() == theirs.At(port.variable).Elements() && bytes + value.EncodedSize() <= most;
    if (output.is_constant || !is_in_step || !fits || !CanConvert(output.Type(), to.VariableAt(port.variable).Type()))
      continue;
    data->outputs.push_back(sent);
    data->inputs.push_back(port.variable);
    data->sent_as.push_back(output.Type());
    bytes += value.EncodedSize();
    count += value.Elements();
  }
  if (data->outputs.empty()) return;
  data->id = from.peers_->NextDataId();
  data->values.assign(count, 0.0);
  from.direct_.AddOutgoing(data);
  to.direct_.AddIncoming(std::move(data));
}

}  // namespace openmi::dcp
