#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/broker/amqp/AmqpOptions.hpp"
#include "fmi-bridge/broker/amqp/AmqpSink.hpp"
#include "fmi-bridge/broker/stream/Field.hpp"
#include "fmi-bridge/broker/stream/IMessageSink.hpp"
#include "fmi-bridge/broker/stream/IMessageSource.hpp"
#include "fmi-bridge/broker/stream/StreamStepper.hpp"
#include "openmi/sdk/ArgumentList.hpp"
#include "timespace/ResultsFolder.hpp"

namespace openmi::broker {

/// The arguments of a stream, in the order of their declaration.
struct StreamSettings {
  ArgumentList& list;  ///< that declares them; borrowed

  Argument<std::string> fields =
      list.AddPlain("fields", {.description = "members of the messages and the outputs they become: `level[m], "
                                              "pose.x=x[m], running:boolean, mode:string`",
                               .value = ""});
  Argument<std::string> stamp_member =
      list.AddPlain("stamp-member", {.description = "member with the stamp", .value = "time"});
  Argument<std::string> zone = list.AddPlain(
      "utc-offset", {.description = "zone of stamps without one, as +01:00; default: such a message is dropped"});
  Argument<std::string> time_zero = list.AddPlain(
      "time-zero", {.description = "wall-clock time of the start of the run: `shared`, the first message "
                                   "of the first stream of the process; `own`, the first message; `wall`, "
                                   "the start itself; or a time by ISO 8601 with its zone",
                    .value = "shared"});
  Argument<double> timeout = list.Add<double>(
      "timeout", {.description = "of waiting for a message that helps", .unit = "s", .value = 60.0, .minimum = 0.0});
  Argument<std::string> on_timeout =
      list.AddText("on-timeout", {.description = "a step without a message at or past its end: the component fails, "
                                                 "or holds the values there are",
                                  .value = "fail",
                                  .possible_values = {"fail", "hold"}});
  Argument<double> maximum_age =
      list.Add<double>("maximum-age", {.description = "of a value at the end of a step; older ones are "
                                                      "missing. 0: any age",
                                       .unit = "s",
                                       .value = 0.0,
                                       .minimum = 0.0});
  Argument<int> look_ahead =
      list.Add<int>("look-ahead", {.description = "how many messages at or past its end a step waits for: "
                                                  "messages out of order by one place less still count",
                                   .value = 1,
                                   .minimum = 1,
                                   .maximum = 10'000});
  Argument<std::string> source = list.AddText("source", {.description = "auto: the recording where one is given",
                                                         .value = "auto",
                                                         .possible_values = {"auto", "recording", "broker"}});
  Argument<std::string> recording = list.AddText(
      "recording",
      {.description = "file with a message in each line, replayed without a broker", .meaning = ArgumentMeaning::Path});
  Argument<std::string> journal = list.AddText(
      "journal", {.description = "file where messages of a queue are written before they are acknowledged; "
                                 "needed for checkpoints. One that is there is read first",
                  .meaning = ArgumentMeaning::Path});
  Argument<std::string> host = list.AddText("host", {.value = "localhost", .meaning = ArgumentMeaning::Host});
  Argument<int> port = list.Add<int>("port", {.description = "0: 5672, with TLS 5671",
                                              .value = 0,
                                              .minimum = 0,
                                              .maximum = 65'535,
                                              .meaning = ArgumentMeaning::Host});
  Argument<std::string> virtual_host = list.AddText("virtual-host", {.value = "/", .meaning = ArgumentMeaning::Host});
  Argument<std::string> username = list.AddText("username", {.value = "guest", .meaning = ArgumentMeaning::Host});
  Argument<std::string> password = list.AddText(
      "password", {.description = "better in the environment or in a file", .meaning = ArgumentMeaning::Secret});
  Argument<std::string> password_variable =
      list.AddText("password-variable", {.description = "of the environment, used where password and "
                                                        "password-file are not given; else 'guest'",
                                         .value = "OPENMI_BROKER_PASSWORD",
                                         .meaning = ArgumentMeaning::EnvironmentVariable});
  Argument<std::string> password_file = list.AddText(
      "password-file", {.description = "whose first line is the password", .meaning = ArgumentMeaning::Path});
  Argument<bool> tls = list.Add<bool>("tls", {.value = false, .meaning = ArgumentMeaning::Host});
  Argument<bool> tls_verify =
      list.Add<bool>("tls-verify", {.description = "the broker's certificate, and that it is the host's",
                                    .value = true,
                                    .meaning = ArgumentMeaning::Host});
  Argument<std::string> tls_ca_file =
      list.AddText("tls-ca-file", {.description = "PEM file with the trusted authorities; default: those of the system",
                                   .meaning = ArgumentMeaning::Path});
  Argument<std::string> tls_certificate_file =
      list.AddText("tls-certificate-file", {.description = "PEM of this side", .meaning = ArgumentMeaning::Path});
  Argument<std::string> tls_key_file =
      list.AddText("tls-key-file", {.description = "PEM, of tls-certificate-file", .meaning = ArgumentMeaning::Path});
  Argument<int> heartbeat = list.Add<int>("heartbeat", {.description = "0: the operating system watches the connection",
                                                        .unit = "s",
                                                        .value = 0,
                                                        .minimum = 0,
                                                        .maximum = 3600});
  Argument<std::string> queue = list.AddText(
      "queue", {.description = "where messages are taken; empty: one of the broker's naming, with exchange",
                .meaning = ArgumentMeaning::Host});
  Argument<std::string> exchange = list.AddText(
      "exchange",
      {.description = "the queue is made and bound to; empty: the queue is there", .meaning = ArgumentMeaning::Host});
  Argument<std::string> exchange_type =
      list.AddText("exchange-type", {.value = "direct",
                                     .possible_values = {"direct", "topic", "fanout", "headers"},
                                     .meaning = ArgumentMeaning::Host});
  Argument<bool> exchange_durable = list.Add<bool>("exchange-durable", {.value = false});
  Argument<std::string> routing_key =
      list.AddText("routing-key", {.description = "of the binding", .meaning = ArgumentMeaning::Host});
  Argument<bool> declare = list.Add<bool>("declare", {.description = "makes exchange and queue", .value = true});
  Argument<bool> durable = list.Add<bool>("durable", {.description = "of a named queue that is made", .value = true});
  Argument<int> queue_bound =
      list.Add<int>("queue-bound", {.description = "messages the broker gives ahead of acknowledgements",
                                    .value = 1000,
                                    .minimum = 1,
                                    .maximum = 65'535});
  Argument<std::int64_t> most_bytes = list.Add<std::int64_t>(
      "most-bytes", {.description = "of a message; longer ones are dropped", .value = 1 << 20, .minimum = 1});
  Argument<std::string> publish = list.AddPlain(
      "publish", {.description = "inputs that are published: `torque[N m], gate=opening`; the source is the "
                                 "member's name"});
  Argument<std::string> publish_exchange =
      list.AddText("publish-exchange", {.description = "default: exchange", .meaning = ArgumentMeaning::Host});
  Argument<std::string> publish_routing_key = list.AddText("publish-routing-key", {.meaning = ArgumentMeaning::Host});
  Argument<std::string> publish_file = list.AddText(
      "publish-file",
      {.description = "a recording in place of a broker; in the folder of results", .meaning = ArgumentMeaning::Path});
  Argument<std::string> publish_time =
      list.AddText("publish-time", {.description = "of what is published: time of the run, mapped as that of the "
                                                   "messages, or the clock of this machine",
                                    .value = "simulation",
                                    .possible_values = {"simulation", "wall"}});
  Argument<bool> publish_each_step =
      list.Add<bool>("publish-each-step", {.description = "all inputs each step, not what changed", .value = false});
  Argument<bool> health =
      list.Add<bool>("health", {.description = "adds outputs health.connected, health.lag, health.queue-length, "
                                               "health.dropped",
                                .value = false});
  Argument<std::string> log_file = list.AddText(
      "log-file", {.description = "where is written what was wrong with messages and what is waited for; in "
                                  "the folder of results",
                   .meaning = ArgumentMeaning::Path});
  ResultsFolder results_folder{list};
};

/// The arguments of a stream, and what is made from them.
class StreamArguments {
 public:
  using PathOf = std::function<std::string(const std::string&)>;
  using Log = std::function<void(const std::string&)>;

  /// Declares the arguments.
  explicit StreamArguments(ArgumentList& list) : set_{list} {}
  /// Sets the name of the component, for messages.
  void SetOwner(const std::string& caption) { owner_ = caption; }

  /// The fields that are read from messages.
  /// \throws ArgumentError  a field cannot be read, or fields contradict each other
  std::vector<Field> Fields() const { return ReadFields(set_.fields); }
  /// The fields that are published; none of them is a text.
  /// \throws ArgumentError  a field cannot be read, or is a text
  std::vector<Field> Published() const;
  MessageParser Parser(const std::vector<Field>& fields) const;
  StepRules Rules() const;
  /// A recording, a queue, or a queue with its journal; not open yet.
  std::unique_ptr<IMessageSource> Source(const PathOf& path_of, const Log& log) const;
  /// Whether a stream that publishes no inputs still publishes its state: when it is ready and where it steps.
  ///
  /// It does so through an exchange, or to a queue that was named for it. The default routing key of an FMU names no
  /// queue.
  bool PublishesState() const;
  /// Where the stream publishes; null for a replay without a file.
  std::unique_ptr<IMessageSink> Sink(const PathOf& path_of) const;
  /// The broker that the stream publishes to; not open yet.
  std::unique_ptr<IMessageSink> BrokerSink(const PathOf& path_of) const;

  /// A warning that the password is sent to another machine without encryption; empty where it is not.
  std::string ClearPasswordNote() const;
  std::string TimeZero() const { return set_.time_zero.Value(); }
  bool HasHealth() const { return set_.health.Value(); }
  bool PublishesEachStep() const { return set_.publish_each_step.Value(); }
  bool PublishesWallClock() const { return set_.publish_time.Value() == "wall"; }
  std::string StampMember() const { return set_.stamp_member.Value(); }
  /// The path of the log; empty: none.
  std::string LogFile(const PathOf& path_of) const { return set_.results_folder.WrittenPath(set_.log_file, path_of); }

 private:
  std::vector<Field> ReadFields(const Argument<std::string>& argument) const;
  bool IsFromBroker() const;
  AmqpOptions Broker(const PathOf& path_of) const;
  std::string Password(const PathOf& path_of) const;
  QueueOptions Queue() const;
  [[noreturn]] void Refuse(const char* item, const std::string& problem, const std::string& remedy) const;

  std::string owner_;
  StreamSettings set_;
};

}  // namespace openmi::broker
