// The part of Slave that reads the arguments, and makes the items and session options from them.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "fmi-bridge/dcp/master/component/Slave.hpp"
#include "fmi-bridge/dcp/master/component/SlaveItems.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {

namespace {

std::chrono::milliseconds Milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000.0)));
}

}  // namespace

void Slave::AddSessionArguments() {
  file_ = AddArgument<std::string>(
      "description", {.description = "slave description: .dcpx, .dcp or its folder", .meaning = ArgumentMeaning::Path});
  host_ = AddArgument<std::string>(
      "host", {.description = "where the slave is; default: as its description says, else 127.0.0.1",
               .optional = true,
               .meaning = ArgumentMeaning::Host});
  port_ = AddArgument<int>("port", {.description = "where it takes requests; default: as its description says",
                                    .minimum = 1,
                                    .maximum = 65'535,
                                    .optional = true,
                                    .meaning = ArgumentMeaning::Host});
  transport_ = AddArgument<std::string>("transport", {.description = "auto: TCP where the slave has it, else UDP",
                                                      .value = "auto",
                                                      .possible_values = {"auto", "udp", "tcp"}});
  data_transport_ = AddArgument<std::string>(
      "data-transport",
      {.description = "of data; auto: as of requests", .value = "auto", .possible_values = {"auto", "udp", "tcp"}});
  data_port_ = AddArgument<int>(
      "data-port", {.description = "where the slave is told to take data; default: the port of requests where its "
                                   "description allows that, else the first that it offers",
                    .minimum = 1,
                    .maximum = 65'535,
                    .optional = true,
                    .meaning = ArgumentMeaning::Host});
  local_host_ = AddArgument<std::string>(
      "local-host", {.description = "address of this side that the slave sends data to; default: the one that leads "
                                    "to the slave",
                     .optional = true,
                     .meaning = ArgumentMeaning::Host});
  slave_id_ = AddArgument<int>("slave-id", {.value = 1, .minimum = 1, .maximum = 255});
  mode_ = AddArgument<std::string>("mode", {.description = "auto: non-real time where the slave has it, else soft, "
                                                           "else hard real time",
                                            .value = "auto",
                                            .possible_values = {"auto", "nrt", "srt", "hrt"}});
  synchronization_ = AddArgument<std::string>(
      "synchronization",
      {.description = "lock-step: no requests in RUNNING; inputs go out, outputs come back, and that is a step. An "
                      "extension that the slave must know too",
       .value = "standard",
       .possible_values = {"standard", "lock-step"}});
  time_resolution_ = AddArgument<std::string>(
      "time-resolution", {.description = "s, as '1/1000'; default: fixed or recommended by the slave",
                          .optional = true,
                          .meaning = ArgumentMeaning::Plain});
  on_loss_ = AddArgument<std::string>("on-loss", {.description = "what happens when the data of a step do not come: "
                                                                 "the component fails, or the last values stay",
                                                  .value = "fail",
                                                  .possible_values = {"fail", "hold"}});
  group_size_ = AddArgument<int>(
      "group-size", {.description = "variables in one data PDU at most; 0: as many as fit", .value = 0, .minimum = 0});
  answer_timeout_ = AddArgument<double>("answer-timeout",
                                        {.description = "of each try", .unit = "s", .value = 0.5, .minimum = 0.001});
  tries_ = AddArgument<int>(
      "tries",
      {.description = "how often a request is sent before the slave counts as gone", .value = 4, .minimum = 1});
  change_timeout_ = AddArgument<double>(
      "change-timeout",
      {.description = "for a change of state outside of steps", .unit = "s", .value = 10.0, .minimum = 0.001});
  step_timeout_ = AddArgument<double>("step-timeout", {.unit = "s", .value = 60.0, .minimum = 0.001});
  data_timeout_ =
      AddArgument<double>("data-timeout", {.description = "for data after the slave says that it has sent them",
                                           .unit = "s",
                                           .value = 1.0,
                                           .minimum = 0.001});
  start_delay_ = AddArgument<double>(
      "start-delay",
      {.description = "of the common begin in soft and hard real time", .unit = "s", .value = 2.0, .minimum = 0.1});
  initial_rounds_ = AddArgument<int>(
      "initial-rounds",
      {.description = "how often slaves that depend on each other initialize at most until their values stay; 0: this "
                      "one does so by itself, with its start values",
       .value = 100,
       .minimum = 0});
  initial_tolerance_ = AddArgument<double>(
      "initial-tolerance",
      {.description = "an initial value stays when it changes by no more than this, relative to the largest it had",
       .value = 1e-9,
       .minimum = 0.0});
  direct_ = AddArgument<bool>(
      "direct",
      {.description = "inputs that are linked to other slaves without an adaptor come from them directly, and "
                      "not through this side",
       .value = false});
  counters_ = AddArgument<bool>(
      "counters", {.description = "adds outputs that count data missed, duplicated and late, held steps and overruns",
                   .value = false});
  log_level_ = AddArgument<std::string>(
      "log-level", {.description = "messages of the slave up to this level are asked for",
                    .value = "none",
                    .possible_values = {"none", "fatal", "error", "warning", "information", "debug"}});
  log_file_ =
      AddArgument<std::string>("log-file", {.description = "where its messages are appended; in the folder of results",
                                            .optional = true,
                                            .meaning = ArgumentMeaning::Path});
  exchange_log_ = AddArgument<std::string>(
      "exchange-log",
      {.description = "CSV file that gets values and simulated time of every exchange; in the folder of results",
       .optional = true,
       .meaning = ArgumentMeaning::Path});
  results_folder_.AddTo(ArgumentItems());
}

void Slave::Setup() {
  RequireDescription();
  const Where where{.file = path_.string(), .component = Caption(), .item = "mode"};
  const std::string mode = mode_.Value();
  is_lock_step_ = synchronization_.Value() == "lock-step";
  if (mode == "auto") {
    op_mode_ = description_->Supports(OpMode::NRT) ? OpMode::NRT : OpMode::HRT;
    if (description_->Supports(OpMode::SRT) && (is_lock_step_ || op_mode_ == OpMode::HRT)) op_mode_ = OpMode::SRT;
  } else {
    op_mode_ = mode == "nrt" ? OpMode::NRT : mode == "srt" ? OpMode::SRT : OpMode::HRT;
    if (!description_->Supports(op_mode_)) {
      throw ArgumentError(where, fmt::format("expected a mode that the slave supports, found {}", NameOf(op_mode_)),
                          "see what `openmi dcp info` says of it");
    }
  }
  const Resolution standard = description_->StandardResolution();
  numerator_ = standard.numerator;
  denominator_ = standard.denominator;
  if (time_resolution_.HasValue() && !time_resolution_.Value().empty()) {
    const std::string text = time_resolution_.Value();
    const char* const last = text.data() + text.size();
    const auto first = std::from_chars(text.data(), last, numerator_);
    const bool has_slash = first.ec == std::errc() && first.ptr != last && *first.ptr == '/';
    const auto second = has_slash ? std::from_chars(first.ptr + 1, last, denominator_) : first;
    if (!has_slash || second.ec != std::errc() || second.ptr != last || numerator_ == 0 || denominator_ == 0) {
      throw ArgumentError({.component = Caption(), .item = "time-resolution"},
                          fmt::format("expected seconds as a fraction, found '{}'", text), "write '1/1000'");
    }
    if (!description_->AllowsResolution(numerator_, denominator_)) {
      throw ArgumentError({.file = path_.string(), .component = Caption(), .item = "time-resolution"},
                          fmt::format("expected a time resolution that the slave supports, found {}", text),
                          "see what `openmi dcp info` says of it");
    }
  }
  std::uint32_t steps = 1;
  if (op_mode_ == OpMode::NRT && description_->non_real_time) {
    steps = description_->non_real_time->standard;
  } else {
    for (const Variable& variable : description_->variables) {
      if (variable.kind == VariableKind::Output) steps = std::max(steps, variable.steps.standard);
    }
  }
  if (!ArgumentItems().Find("time-step")->IsSet()) {
    SetTimeStep(openmi::Seconds(ResolutionSeconds() * steps));
  }
  const bool can_vary = op_mode_ == OpMode::NRT && description_->capabilities.can_handle_variable_steps;
  if (!can_vary || is_lock_step_) SetWholeSteps(true);

  SlaveValues values(*description_);
  arguments_.Apply(*description_, values);
  numeric_ports_.clear();
  value_ports_.clear();
  counter_ports_.clear();
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
  if (counters_.Value()) MakeCounters();
}

void Slave::MakeItem(Index index, const std::vector<std::size_t>& sizes) {
  const Variable& variable = VariableAt(index);
  const auto where = ElementsOf(variable, sizes);
  auto definition = DefinitionOf(*description_, variable);
  const bool is_input = variable.kind != VariableKind::Output;
  if (IsText(variable.Type())) {
    ValuePort port{.variable = index};
    if (is_input) {
      port.input = &TakeInput(std::make_unique<items::ValueInput>(variable.name, std::move(definition), where, *this));
      port.input->SetDescription(variable.description);
    } else {
      port.output =
          &TakeOutput(std::make_unique<items::ValueOutput>(variable.name, std::move(definition), where, *this, *this));
      port.output->SetDescription(variable.description);
    }
    value_ports_.push_back(port);
    return;
  }
  NumericPort port{.variable = index};
  if (is_input) {
    port.input = &TakeInput(std::make_unique<NumericInput>(variable.name, std::move(definition), where, this));
    port.input->SetDescription(variable.description);
    double shown = 0.0;
    if (!variable.start.floats.empty()) shown = variable.start.floats[0];
    if (!variable.start.integers.empty()) shown = static_cast<double>(variable.start.integers[0]);
    port.input->SetDefault(shown);
  } else {
    port.output = &TakeOutput(std::make_unique<NumericOutput>(variable.name, std::move(definition), where, this));
    port.output->SetDescription(variable.description);
  }
  numeric_ports_.push_back(port);
}

void Slave::MakeCounters() {
  static constexpr std::pair<const char*, const std::uint64_t SessionCounts::*> kCounters[] = {
      {"dcp:data-missed", &SessionCounts::data_missed},
      {"dcp:duplicated", &SessionCounts::duplicated},
      {"dcp:late", &SessionCounts::late},
      {"dcp:repeated-requests", &SessionCounts::repeated},
      {"dcp:held-steps", &SessionCounts::held},
      {"dcp:overruns", &SessionCounts::overruns}};
  for (const auto& [id, count] : kCounters) {
    counter_ports_.emplace_back(&AddOutput(id, "1").Item(), count);
  }
}

bool Slave::OnValidate(std::vector<std::string>& messages) {
  bool valid = SteppingComponent::OnValidate(messages);
  const auto complain = [&](const char* item, const std::string& problem, const std::string& remedy) {
    messages.push_back(Error::Format({.file = path_.string(), .component = Caption(), .item = item}, problem, remedy));
    valid = false;
  };
  const double resolution = ResolutionSeconds();
  const double steps = ToSeconds(TimeStep()) / resolution;
  if (std::abs(steps - std::round(steps)) > 1e-6 * std::max(1.0, steps) || steps < 0.5) {
    complain("time-step",
             fmt::format("expected a multiple of the time resolution of {}/{} s, found {} s", numerator_, denominator_,
                         ToSeconds(TimeStep())),
             "set time-step to a multiple, or time-resolution");
  } else if (op_mode_ == OpMode::NRT && !is_lock_step_) {
    const StepRange& allowed = *description_->non_real_time;
    if (!allowed.Allows(static_cast<std::uint32_t>(std::llround(steps)))) {
      complain(
          "time-step",
          fmt::format("expected {} steps of {}/{} s, found {:.0f}",
                      allowed.is_fixed ? fmt::format("{}", allowed.standard)
                                       : fmt::format("{} to {}", allowed.fewest.value_or(1),
                                                     allowed.most ? std::to_string(*allowed.most) : "any number of"),
                      numerator_, denominator_, steps),
          "leave time-step out, or choose another");
    }
  }
  if (is_lock_step_) {
    for (const Variable& variable : description_->variables) {
      if (variable.kind != VariableKind::Output || variable.is_constant) continue;
      if (variable.steps.Allows(static_cast<std::uint32_t>(std::llround(steps)))) continue;
      complain(
          "time-step",
          fmt::format("expected a time step of {} times {}/{} s in lock-step, as the output '{}' is sent, found {:.0f} "
                      "times",
                      variable.steps.standard, numerator_, denominator_, variable.name, steps),
          "leave time-step out, or choose another slave");
      break;
    }
    const auto is_linked = [](const auto& port) { return port.input != nullptr && port.input->Provider() != nullptr; };
    if (std::ranges::none_of(numeric_ports_, is_linked) && std::ranges::none_of(value_ports_, is_linked)) {
      complain("synchronization",
               "expected a linked input in lock-step, which is what tells the slave to step, found none",
               "link an input, or use synchronization=standard");
    }
  }
  return valid;
}

SessionOptions Slave::Options() const {
  SessionOptions options;
  options.component = Caption();
  const Transports& offered = description_->transports;
  const auto chosen = [&](const Argument<std::string>& argument, TransportProtocol otherwise) {
    const std::string word = argument.Value();
    if (word == "auto") return otherwise;
    return word == "tcp" ? TransportProtocol::TCP_IPv4 : TransportProtocol::UDP_IPv4;
  };
  options.control = chosen(transport_, offered.tcp ? TransportProtocol::TCP_IPv4 : TransportProtocol::UDP_IPv4);
  options.data = chosen(data_transport_, options.control);
  for (const TransportProtocol protocol : {options.control, options.data}) {
    if (offered.Of(protocol)) continue;
    throw ArgumentError(
        {.file = path_.string(), .component = Caption(), .item = "transport"},
        fmt::format("expected a transport that the slave has, found {}", NameOf(protocol)),
        offered.udp || offered.tcp ? "choose the other one" : "this side speaks UDP_IPv4 and TCP_IPv4 only");
  }
  const Ipv4& ip = *offered.Of(options.control);
  std::string host = ip.control_host.value_or("");
  if (host_.HasValue() && !host_.Value().empty()) host = host_.Value();
  if (host.empty() || host == "0.0.0.0") host = "127.0.0.1";
  options.slave.address = ResolveAddress(host);
  if (port_.HasValue()) {
    options.slave.port = static_cast<std::uint16_t>(port_.Value());
  } else if (ip.control_port) {
    options.slave.port = *ip.control_port;
  } else {
    throw ArgumentError({.component = Caption(), .item = "port"},
                        "expected the port of the slave, found none in its description either",
                        "set the argument port");
  }
  if (data_port_.HasValue()) options.slave_data_port = static_cast<std::uint16_t>(data_port_.Value());
  if (local_host_.HasValue() && !local_host_.Value().empty()) {
    options.local.address = ResolveAddress(local_host_.Value());
  }
  options.id = static_cast<std::uint8_t>(slave_id_.Value());
  options.mode = op_mode_;
  options.is_lock_step = is_lock_step_;
  options.numerator = numerator_;
  options.denominator = denominator_;
  options.steps = static_cast<std::uint32_t>(std::llround(ToSeconds(TimeStep()) / ResolutionSeconds()));
  options.most_in_group = static_cast<std::size_t>(group_size_.Value());
  options.on_loss = on_loss_.Value() == "hold" ? OnLoss::Hold : OnLoss::Fail;
  options.answer_timeout = Milliseconds(answer_timeout_.Value());
  options.tries = tries_.Value();
  options.change_timeout = Milliseconds(change_timeout_.Value());
  options.step_timeout = Milliseconds(step_timeout_.Value());
  options.data_timeout = Milliseconds(data_timeout_.Value());
  static constexpr const char* kLevels[] = {"fatal", "error", "warning", "information", "debug"};
  for (std::size_t i = 0; i < std::size(kLevels); ++i) {
    if (log_level_.Value() == kLevels[i]) options.log_level = static_cast<LogLevel>(i);
  }
  return options;
}

}  // namespace openmi::dcp
