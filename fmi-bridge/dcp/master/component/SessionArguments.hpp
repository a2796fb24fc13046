#pragma once

#include <string>

#include "fmi-bridge/dcp/master/SessionOptions.hpp"
#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/ResultsFolder.hpp"

namespace openmi::dcp {

inline constexpr EnumNames<TransportProtocol> kTransports{{"udp", TransportProtocol::UDP_IPv4},
                                                          {"tcp", TransportProtocol::TCP_IPv4}};
inline constexpr EnumNames<OpMode> kModes{{"nrt", OpMode::NRT}, {"srt", OpMode::SRT}, {"hrt", OpMode::HRT}};
inline constexpr EnumNames<LogLevel> kLogLevels{"fatal", "error", "warning", "information", "debug"};

/// The arguments of a slave's component, apart from those of the slave's variables.
struct SessionArguments {
  ArgumentList& list;  ///< that declares them; borrowed

  Argument<std::string> description = list.Add<std::string>(
      "description", {.description = "slave description: .dcpx, .dcp or its folder", .meaning = ArgumentMeaning::Path});
  Argument<std::string> host =
      list.AddText("host", {.description = "where the slave is; default: as its description says, else 127.0.0.1",
                            .meaning = ArgumentMeaning::Host});
  Argument<int> port =
      list.Add<int>("port", {.description = "where it takes requests; default: as its description says",
                             .minimum = 1,
                             .maximum = 65'535,
                             .optional = true,
                             .meaning = ArgumentMeaning::Host});
  Argument<std::string> transport =
      list.Add<std::string>("transport", {.description = "auto: TCP where the slave has it, else UDP",
                                          .value = "auto",
                                          .possible_values = kTransports.List({"auto"})});
  Argument<std::string> data_transport = list.Add<std::string>(
      "data-transport",
      {.description = "of data; auto: as of requests", .value = "auto", .possible_values = kTransports.List({"auto"})});
  Argument<int> data_port =
      list.Add<int>("data-port", {.description = "port at which the slave receives data; default: the port of requests "
                                                 "if its description allows that, else the first that it offers",
                                  .minimum = 1,
                                  .maximum = 65'535,
                                  .optional = true,
                                  .meaning = ArgumentMeaning::Host});
  Argument<int> data_sockets = list.Add<int>(
      "data-sockets",
      {.description = "sockets of this side that the data PDUs are spread over, and ports of the slave if its "
                      "description offers several",
       .value = 1,
       .minimum = 1,
       .maximum = 64});
  Argument<std::string> local_host = list.AddText(
      "local-host", {.description = "address of this side that the slave sends data to; default: the one that leads "
                                    "to the slave",
                     .meaning = ArgumentMeaning::Host});
  Argument<int> slave_id = list.Add<int>("slave-id", {.value = 1, .minimum = 1, .maximum = 255});
  Argument<std::string> mode =
      list.Add<std::string>("mode", {.description = "auto: non-real time where the slave has it, else soft, "
                                                    "else hard real time",
                                     .value = "auto",
                                     .possible_values = kModes.List({"auto"})});
  Argument<std::string> synchronization = list.Add<std::string>(
      "synchronization",
      {.description = "lock-step: no requests in RUNNING; inputs go out, outputs come back, and that is a step. An "
                      "extension that the slave must know too",
       .value = "standard",
       .possible_values = {"standard", "lock-step"}});
  Argument<std::string> time_resolution = list.AddPlain(
      "time-resolution", {.description = "s, as '1/1000', and one that the slave allows; default: the slave's "
                                         "fixed or recommended one, or another that divides time-step"});
  Argument<std::string> on_loss =
      list.Add<std::string>("on-loss", {.description = "what happens when the data of a step do not come: "
                                                       "the component fails, or the last values stay",
                                        .value = "fail",
                                        .possible_values = {"fail", "hold"}});
  Argument<int> group_size = list.Add<int>(
      "group-size", {.description = "variables in one data PDU at most; 0: as many as fit", .value = 0, .minimum = 0});
  Argument<double> answer_timeout =
      list.Add<double>("answer-timeout", {.description = "of each try", .unit = "s", .value = 0.5, .minimum = 0.001});
  Argument<int> tries = list.Add<int>(
      "tries",
      {.description = "how often a request is sent before the slave counts as gone", .value = 4, .minimum = 1});
  Argument<double> change_timeout = list.Add<double>(
      "change-timeout",
      {.description = "for a change of state outside of steps", .unit = "s", .value = 10.0, .minimum = 0.001});
  Argument<double> step_timeout = list.Add<double>("step-timeout", {.unit = "s", .value = 60.0, .minimum = 0.001});
  Argument<double> data_timeout =
      list.Add<double>("data-timeout", {.description = "for data after the slave says that it has sent them",
                                        .unit = "s",
                                        .value = 1.0,
                                        .minimum = 0.001});
  Argument<double> start_delay = list.Add<double>(
      "start-delay",
      {.description = "of the common begin in soft and hard real time", .unit = "s", .value = 2.0, .minimum = 0.1});
  Argument<int> initial_rounds = list.Add<int>(
      "initial-rounds",
      {.description = "how often slaves that depend on each other initialize at most until their values stay; 0: this "
                      "one does so by itself, with its start values",
       .value = 100,
       .minimum = 0});
  Argument<double> initial_tolerance = list.Add<double>(
      "initial-tolerance",
      {.description = "an initial value stays when it changes by no more than this, relative to the largest it had",
       .value = 1e-9,
       .minimum = 0.0});
  Argument<bool> direct = list.Add<bool>(
      "direct",
      {.description = "inputs that are linked to other slaves without an adaptor come from them directly, and "
                      "not through this side",
       .value = false});
  Argument<bool> counters = list.Add<bool>(
      "counters", {.description = "adds outputs that count data missed, duplicated and late, held steps and overruns",
                   .value = false});
  Argument<std::string> log_level =
      list.Add<std::string>("log-level", {.description = "messages of the slave up to this level are asked for",
                                          .value = "none",
                                          .possible_values = kLogLevels.List({"none"})});
  Argument<std::string> log_file = list.AddText(
      "log-file",
      {.description = "where its messages are appended; in the folder of results", .meaning = ArgumentMeaning::Path});
  Argument<std::string> exchange_log = list.AddText(
      "exchange-log",
      {.description = "CSV file that gets values and simulated time of every exchange; in the folder of results",
       .meaning = ArgumentMeaning::Path});
  ResultsFolder results_folder{list};
};

/// Options that hold mode, lock-step and time resolution.
/// \param where  file and component, for messages
/// \throws ArgumentError  the slave does not support them
SessionOptions ReadTiming(const SessionArguments& arguments, const SlaveDescription& description, Where where);
/// Completes what ReadTiming gave by everything else but the steps.
/// \param where  file and component, for messages
/// \throws ArgumentError  the slave has no such transport, its port is not known, or a host is unknown
SessionOptions Complete(SessionOptions options, const SessionArguments& arguments, const SlaveDescription& description,
                        Where where);

}  // namespace openmi::dcp
