#include "fmi-bridge/dcp/master/component/Slave.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include "fmi-bridge/dcp/master/component/HeartbeatSender.hpp"
#include "fmi-bridge/dcp/master/component/SlaveItems.hpp"
#include "fmi-bridge/dcp/master/component/SynchronizedStart.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescriptionReader.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {

Slave::Slave() : SteppingComponent("dcp-slave", "PT1S") {
  SetDescription("a DCP slave, driven by this side as its master");
  SetRestartable(true);
  AddSessionArguments();
  SlaveRegister::Join(*this);
  file_.Item().changed = [this] { ReadDescription(); };
}

Slave::~Slave() {
  SlaveRegister::Leave(*this);
  End();
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
        fmt::format("expected the slave to get the inputs of every step, found that it reports {} data PDUs that "
                    "did not come in {} steps: it stepped with earlier values",
                    lost, counts.steps),
        "use TCP (transport=tcp), or let the slave end the run then (maxConsecMissedPdus=0)");
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

void Slave::ReadDescription() {
  if (!file_.HasValue()) return;
  const std::filesystem::path path = PathOf(file_.Value());
  if (description_ != nullptr && path == path_) return;
  Problems problems;
  auto description = std::make_shared<const SlaveDescription>(LoadSlaveDescription(path, problems));
  ThrowIfErrors(problems);
  path_ = path;
  description_ = std::move(description);
  SetDescription(description_->description.empty() ? description_->name : description_->description);
  arguments_.Add(ArgumentItems(), *description_);
}

void Slave::RequireDescription() {
  // The folder of the OMI file may become known after the argument is set, and the argument may have changed.
  if (description_ == nullptr || PathOf(file_.Value()) != path_) ReadDescription();
}

void Slave::MakeSession() {
  if (session_ != nullptr) return;
  if (log_file_.HasValue() && !log_file_.Value().empty()) {
    const std::string path = results_folder_.PathOf(log_file_.Value(), PathOf(log_file_.Value()));
    log_.open(path, std::ios::app);
    if (!log_) {
      throw FileError({.file = path, .component = Caption(), .item = "log-file"},
                      "expected a file that can be written, found none", "check the folder");
    }
  }
  SessionOptions options = Options();
  options.log = [this](const std::string& line) { Log(line); };
  is_running_ = false;
  FindNeighbours();
  session_ = std::make_unique<SlaveSession>(*description_, std::move(options));
  const std::vector<Index> parameters = arguments_.Apply(*description_, session_->Values());
  std::vector<Index> inputs, outputs, stand_by;
  for (const auto& port : numeric_ports_) {
    if (port.output != nullptr) outputs.push_back(port.variable);
    if (port.input == nullptr || port.input->Provider() == nullptr) continue;
    (ComesDirectly(port.variable) ? stand_by : inputs).push_back(port.variable);
  }
  for (const auto& port : value_ports_) {
    if (port.output != nullptr) outputs.push_back(port.variable);
    if (port.input != nullptr && port.input->Provider() != nullptr) inputs.push_back(port.variable);
  }
  // An input without a link whose argument is set is sent once, before the slave initializes.
  for (const auto& port : numeric_ports_) {
    if (port.input == nullptr || port.input->Provider() != nullptr) continue;
    if (VariableAt(port.variable).kind != VariableKind::Input) continue;
    const ArgumentItem* item = arguments_.Find(VariableAt(port.variable).name);
    if (item != nullptr && item->IsSet()) inputs.push_back(port.variable);
  }
  if (exchange_log_.HasValue() && !exchange_log_.Value().empty()) {
    std::vector<Index> exchanged = inputs;
    exchanged.insert(exchanged.end(), stand_by.begin(), stand_by.end());
    exchanged.insert(exchanged.end(), outputs.begin(), outputs.end());
    const std::string path = results_folder_.PathOf(exchange_log_.Value(), PathOf(exchange_log_.Value()));
    exchanges_ = std::make_unique<ExchangeLog>(path, session_->Values(), exchanged);
  }
  session_->Plan(inputs, outputs, parameters, stand_by);
}

void Slave::Start(Stamp begin) {
  if (is_started_) End();  // a repeated start, not only prepared by another slave
  is_started_ = true;
  if (!is_connected_) EnterInitialization();
  InitializeSlave();
  GiveOutputs(begin);
  Attend();
}

// Registers what other threads may call between two updates.
void Slave::Attend() {
  const auto guarded = [this](auto work) {
    return [this, work](auto... arguments) {
      const std::lock_guard lock(session_guard_);
      work(arguments...);
    };
  };
  if (op_mode_ == OpMode::NRT || is_lock_step_) {
    guarded([this] {
      session_->Synchronize();
      Run(0);
    })();
  } else {
    SynchronizedStart::Join(this, guarded([this] { session_->Synchronize(); }),
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

void Slave::TakeInputs(Stamp to) {
  for (const NumericPort& port : numeric_ports_) {
    if (port.input == nullptr || port.input->Provider() == nullptr) continue;
    TypedValue& value = session_->Values().At(port.variable);
    const std::span<const double> row = port.input->Row();
    if (!IsFloat(value.Type())) RequireWhole(Caption(), VariableAt(port.variable), row);
    value.SetNumbers(row);
  }
  for (const ValuePort& port : value_ports_) {
    if (port.input == nullptr || port.input->Provider() == nullptr) continue;
    port.input->Pull(to);
    SetFromValue(Caption(), VariableAt(port.variable), port.input->Get(0), session_->Values().At(port.variable));
  }
}

void Slave::GiveOutputs(Stamp time) {
  for (const NumericPort& port : numeric_ports_) {
    if (port.output != nullptr) session_->Values().At(port.variable).Numbers(port.output->NextRow());
  }
  for (const ValuePort& port : value_ports_) {
    if (port.output == nullptr) continue;
    port.output->Set(0, ValueOf(session_->Values().At(port.variable)));
    port.output->Publish(time);
  }
  for (const auto& [output, count] : counter_ports_) {
    output->NextRow()[0] = static_cast<double>(session_->Counts().*count);
  }
}

void Slave::Step(Stamp from, Stamp to) {
  TakeInputs(to);
  CompareReceived();
  RequireReceiversAt(to);
  const double begin = static_cast<double>(Ticks()) * 1e-9;
  if (exchanges_ != nullptr) exchanges_->Write(VariableKind::Input, begin);
  if (!is_running_) SynchronizedStart::Begin(this, start_delay_.Value());
  const std::lock_guard lock(session_guard_);
  if (is_lock_step_) {
    session_->BeginLockStep();
    session_->FinishLockStep();
  } else if (op_mode_ == OpMode::NRT) {
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
  NoteSent();
  if (exchanges_ != nullptr) {
    const double length = std::round(ToSeconds(to - from) / ResolutionSeconds()) * ResolutionSeconds();
    exchanges_->Write(VariableKind::Output, begin + length);
  }
  GiveOutputs(to);
}

void Slave::Log(const std::string& line) {
  if (!log_.is_open()) return;
  log_ << fmt::format("{} {}: {}\n", std::time(nullptr), Caption(), line);
  log_.flush();
}

void Slave::End() {
  is_started_ = false;
  LeaveNeighbours();
  if (session_ == nullptr) return;
  SynchronizedStart::Leave(this);
  HeartbeatSender::Leave(this);
  end_remarks_.clear();
  if (const std::string problem = session_->Stop(); !problem.empty()) {
    Log(problem);
    AddWarning(end_remarks_, {},
               fmt::format("expected a slave that can be stopped and left, found at its end: {}", problem),
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

}  // namespace openmi::dcp
