#include "fmi-bridge/dcp/master/component/SessionArguments.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "fmi-bridge/common/items/ArgumentText.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {

namespace {

std::chrono::milliseconds Milliseconds(const Argument<double>& seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds.Value() * 1000.0)));
}

constexpr EnumNames<TransportProtocol> kTransports{{"udp", TransportProtocol::UDP_IPv4},
                                                   {"tcp", TransportProtocol::TCP_IPv4}};
constexpr EnumNames<OpMode> kModes{{"nrt", OpMode::NRT}, {"srt", OpMode::SRT}, {"hrt", OpMode::HRT}};
constexpr EnumNames<LogLevel> kLogLevels{"fatal", "error", "warning", "information", "debug"};

}  // namespace

SessionArguments AddSessionArguments(ArgumentList& list) {
  SessionArguments arguments{
      .description = list.Add<std::string>(
          "description",
          {.description = "slave description: .dcpx, .dcp or its folder", .meaning = ArgumentMeaning::Path}),
      .host = list.Add<std::string>(
          "host", {.description = "where the slave is; default: as its description says, else 127.0.0.1",
                   .optional = true,
                   .meaning = ArgumentMeaning::Host}),
      .port = list.Add<int>("port", {.description = "where it takes requests; default: as its description says",
                                     .minimum = 1,
                                     .maximum = 65'535,
                                     .optional = true,
                                     .meaning = ArgumentMeaning::Host}),
      .transport = list.Add<std::string>("transport", {.description = "auto: TCP where the slave has it, else UDP",
                                                       .value = "auto",
                                                       .possible_values = kTransports.List({"auto"})}),
      .data_transport = list.Add<std::string>("data-transport", {.description = "of data; auto: as of requests",
                                                                 .value = "auto",
                                                                 .possible_values = kTransports.List({"auto"})}),
      .data_port = list.Add<int>(
          "data-port", {.description = "where the slave is told to take data; default: the port of requests where its "
                                       "description allows that, else the first that it offers",
                        .minimum = 1,
                        .maximum = 65'535,
                        .optional = true,
                        .meaning = ArgumentMeaning::Host}),
      .local_host = list.Add<std::string>(
          "local-host",
          {.description = "address of this side that the slave sends data to; default: the one that leads "
                          "to the slave",
           .optional = true,
           .meaning = ArgumentMeaning::Host}),
      .slave_id = list.Add<int>("slave-id", {.value = 1, .minimum = 1, .maximum = 255}),
      .mode = list.Add<std::string>("mode", {.description = "auto: non-real time where the slave has it, else soft, "
                                                            "else hard real time",
                                             .value = "auto",
                                             .possible_values = kModes.List({"auto"})}),
      .synchronization = list.Add<std::string>(
          "synchronization",
          {.description = "lock-step: no requests in RUNNING; inputs go out, outputs come back, and that is a step. An "
                          "extension that the slave must know too",
           .value = "standard",
           .possible_values = {"standard", "lock-step"}}),
      .time_resolution = list.Add<std::string>(
          "time-resolution", {.description = "s, as '1/1000'; default: fixed or recommended by the slave",
                              .optional = true,
                              .meaning = ArgumentMeaning::Plain}),
      .on_loss = list.Add<std::string>("on-loss", {.description = "what happens when the data of a step do not come: "
                                                                  "the component fails, or the last values stay",
                                                   .value = "fail",
                                                   .possible_values = {"fail", "hold"}}),
      .group_size = list.Add<int>(
          "group-size",
          {.description = "variables in one data PDU at most; 0: as many as fit", .value = 0, .minimum = 0}),
      .answer_timeout = list.Add<double>("answer-timeout",
                                         {.description = "of each try", .unit = "s", .value = 0.5, .minimum = 0.001}),
      .tries = list.Add<int>(
          "tries",
          {.description = "how often a request is sent before the slave counts as gone", .value = 4, .minimum = 1}),
      .change_timeout = list.Add<double>(
          "change-timeout",
          {.description = "for a change of state outside of steps", .unit = "s", .value = 10.0, .minimum = 0.001}),
      .step_timeout = list.Add<double>("step-timeout", {.unit = "s", .value = 60.0, .minimum = 0.001}),
      .data_timeout =
          list.Add<double>("data-timeout", {.description = "for data after the slave says that it has sent them",
                                            .unit = "s",
                                            .value = 1.0,
                                            .minimum = 0.001}),
      .start_delay = list.Add<double>(
          "start-delay",
          {.description = "of the common begin in soft and hard real time", .unit = "s", .value = 2.0, .minimum = 0.1}),
      .initial_rounds = list.Add<int>(
          "initial-rounds",
          {.description =
               "how often slaves that depend on each other initialize at most until their values stay; 0: this "
               "one does so by itself, with its start values",
           .value = 100,
           .minimum = 0}),
      .initial_tolerance = list.Add<double>(
          "initial-tolerance",
          {.description = "an initial value stays when it changes by no more than this, relative to the largest it had",
           .value = 1e-9,
           .minimum = 0.0}),
      .direct = list.Add<bool>(
          "direct",
          {.description = "inputs that are linked to other slaves without an adaptor come from them directly, and "
                          "not through this side",
           .value = false}),
      .counters = list.Add<bool>(
          "counters",
          {.description = "adds outputs that count data missed, duplicated and late, held steps and overruns",
           .value = false}),
      .log_level =
          list.Add<std::string>("log-level", {.description = "messages of the slave up to this level are asked for",
                                              .value = "none",
                                              .possible_values = kLogLevels.List({"none"})}),
      .log_file =
          list.Add<std::string>("log-file", {.description = "where its messages are appended; in the folder of results",
                                             .optional = true,
                                             .meaning = ArgumentMeaning::Path}),
      .exchange_log = list.Add<std::string>(
          "exchange-log",
          {.description = "CSV file that gets values and simulated time of every exchange; in the folder of results",
           .optional = true,
           .meaning = ArgumentMeaning::Path})};
  arguments.results_folder.AddTo(list);
  return arguments;
}

SessionOptions ReadTiming(const SessionArguments& arguments, const SlaveDescription& description, Where where) {
  SessionOptions options;
  options.is_lock_step = arguments.synchronization.Value() == "lock-step";
  if (const auto mode = kModes.Find(arguments.mode.Value()); !mode) {
    options.mode = description.Supports(OpMode::NRT) ? OpMode::NRT : OpMode::HRT;
    if (description.Supports(OpMode::SRT) && (options.is_lock_step || options.mode == OpMode::HRT)) {
      options.mode = OpMode::SRT;
    }
  } else {
    options.mode = *mode;
    if (!description.Supports(options.mode)) {
      where.item = "mode";
      throw ArgumentError(where, fmt::format("expected a mode that the slave supports, found {}", NameOf(options.mode)),
                          "see what `openmi dcp info` says of it");
    }
  }
  const Resolution standard = description.StandardResolution();
  options.numerator = standard.numerator;
  options.denominator = standard.denominator;
  const std::string text = items::TextOf(arguments.time_resolution);
  if (text.empty()) return options;
  where.item = "time-resolution";
  const char* const last = text.data() + text.size();
  const auto first = std::from_chars(text.data(), last, options.numerator);
  const bool has_slash = first.ec == std::errc() && first.ptr != last && *first.ptr == '/';
  const auto second = has_slash ? std::from_chars(first.ptr + 1, last, options.denominator) : first;
  if (!has_slash || second.ec != std::errc() || second.ptr != last || options.numerator == 0 ||
      options.denominator == 0) {
    throw ArgumentError({.component = where.component, .item = where.item},
                        fmt::format("expected seconds as a fraction, found '{}'", text), "write '1/1000'");
  }
  if (!description.AllowsResolution(options.numerator, options.denominator)) {
    throw ArgumentError(where, fmt::format("expected a time resolution that the slave supports, found {}", text),
                        "see what `openmi dcp info` says of it");
  }
  return options;
}

SessionOptions Complete(SessionOptions options, const SessionArguments& arguments, const SlaveDescription& description,
                        Where where) {
  options.component = where.component;
  const Transports& offered = description.transports;
  options.control = kTransports.Find(arguments.transport.Value())
                        .value_or(offered.tcp ? TransportProtocol::TCP_IPv4 : TransportProtocol::UDP_IPv4);
  options.data = kTransports.Find(arguments.data_transport.Value()).value_or(options.control);
  for (const TransportProtocol protocol : {options.control, options.data}) {
    if (offered.Of(protocol)) continue;
    where.item = "transport";
    throw ArgumentError(
        where, fmt::format("expected a transport that the slave has, found {}", NameOf(protocol)),
        offered.udp || offered.tcp ? "choose the other one" : "this side speaks UDP_IPv4 and TCP_IPv4 only");
  }
  const Ipv4& ip = *offered.Of(options.control);
  std::string host = items::TextOf(arguments.host);
  if (host.empty()) host = ip.control_host.value_or("");
  if (host.empty() || host == "0.0.0.0") host = "127.0.0.1";
  options.slave.address = ResolveAddress(host);
  if (arguments.port.HasValue()) {
    options.slave.port = static_cast<std::uint16_t>(arguments.port.Value());
  } else if (ip.control_port) {
    options.slave.port = *ip.control_port;
  } else {
    throw ArgumentError({.component = where.component, .item = "port"},
                        "expected the port of the slave, found none in its description either",
                        "set the argument port");
  }
  if (arguments.data_port.HasValue()) {
    options.slave_data_port = static_cast<std::uint16_t>(arguments.data_port.Value());
  }
  if (const std::string local = items::TextOf(arguments.local_host); !local.empty()) {
    options.local.address = ResolveAddress(local);
  }
  options.id = static_cast<std::uint8_t>(arguments.slave_id.Value());
  options.most_in_group = static_cast<std::size_t>(arguments.group_size.Value());
  options.on_loss = arguments.on_loss.Value() == "hold" ? OnLoss::Hold : OnLoss::Fail;
  options.answer_timeout = Milliseconds(arguments.answer_timeout);
  options.tries = arguments.tries.Value();
  options.change_timeout = Milliseconds(arguments.change_timeout);
  options.step_timeout = Milliseconds(arguments.step_timeout);
  options.data_timeout = Milliseconds(arguments.data_timeout);
  options.log_level = kLogLevels.Find(arguments.log_level.Value());
  return options;
}

}  // namespace openmi::dcp
