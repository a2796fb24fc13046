#include "fmi-bridge/broker/component/StreamArguments.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "fmi-bridge/broker/amqp/AmqpSource.hpp"
#include "fmi-bridge/broker/fmu/FmuParameters.hpp"
#include "fmi-bridge/broker/recording/JournaledSource.hpp"
#include "fmi-bridge/broker/recording/RecordedSource.hpp"
#include "fmi-bridge/broker/recording/RecordingSink.hpp"
#include "fmi-bridge/common/items/LoopbackHost.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::broker {

using items::TextOf;
namespace {

std::chrono::milliseconds Milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000.0)));
}

}  // namespace

StreamArguments::StreamArguments(ArgumentList& list) {
  const auto text = [&list](const char* id, ArgumentOptions<std::string> options) {
    options.optional = !options.value.has_value();
    return list.Add<std::string>(id, options);
  };
  fields_ = text("fields", {.description = "members of the messages and the outputs they become: `level[m], "
                                           "pose.x=x[m], running:boolean, mode:string`",
                            .value = "",
                            .meaning = ArgumentMeaning::Plain});
  stamp_member_ = text("stamp-member",
                       {.description = "member with the stamp", .value = "time", .meaning = ArgumentMeaning::Plain});
  zone_ =
      text("utc-offset", {.description = "zone of stamps without one, as +01:00; default: such a message is dropped",
                          .meaning = ArgumentMeaning::Plain});
  time_zero_ =
      text("time-zero", {.description = "wall-clock time of the start of the run: `shared`, the first message "
                                        "of the first stream of the process; `own`, the first message; `wall`, "
                                        "the start itself; or a time by ISO 8601 with its zone",
                         .value = "shared",
                         .meaning = ArgumentMeaning::Plain});
  timeout_ = list.Add<double>(
      "timeout", {.description = "of waiting for a message that helps", .unit = "s", .value = 60.0, .minimum = 0.0});
  on_timeout_ = text("on-timeout", {.description = "a step without a message at or past its end: the component fails, "
                                                   "or holds the values there are",
                                    .value = "fail",
                                    .possible_values = {"fail", "hold"}});
  maximum_age_ = list.Add<double>("maximum-age", {.description = "of a value at the end of a step; older ones are "
                                                                 "missing. 0: any age",
                                                  .unit = "s",
                                                  .value = 0.0,
                                                  .minimum = 0.0});
  look_ahead_ = list.Add<int>("look-ahead", {.description = "how many messages at or past its end a step waits for: "
                                                            "messages out of order by one place less still count",
                                             .value = 1,
                                             .minimum = 1,
                                             .maximum = 10'000});
  source_ = text("source", {.description = "auto: the recording where one is given",
                            .value = "auto",
                            .possible_values = {"auto", "recording", "broker"}});
  recording_ = text("recording", {.description = "file with a message in each line, replayed without a broker",
                                  .meaning = ArgumentMeaning::Path});
  journal_ = text("journal", {.description = "file where messages of a queue are written before they are acknowledged; "
                                             "needed for checkpoints. One that is there is read first",
                              .meaning = ArgumentMeaning::Path});
  host_ = text("host", {.value = "localhost", .meaning = ArgumentMeaning::Host});
  port_ = list.Add<int>("port", {.description = "0: 5672, with TLS 5671",
                                 .value = 0,
                                 .minimum = 0,
                                 .maximum = 65'535,
                                 .meaning = ArgumentMeaning::Host});
  virtual_host_ = text("virtual-host", {.value = "/", .meaning = ArgumentMeaning::Host});
  username_ = text("username", {.value = "guest", .meaning = ArgumentMeaning::Host});
  password_ =
      text("password", {.description = "better in the environment or in a file", .meaning = ArgumentMeaning::Secret});
  password_variable_ = text("password-variable", {.description = "of the environment, used where password and "
                                                                 "password-file are not given; else 'guest'",
                                                  .value = "OPENMI_BROKER_PASSWORD",
                                                  .meaning = ArgumentMeaning::EnvironmentVariable});
  password_file_ =
      text("password-file", {.description = "whose first line is the password", .meaning = ArgumentMeaning::Path});
  tls_ = list.Add<bool>("tls", {.value = false, .meaning = ArgumentMeaning::Host});
  tls_verify_ = list.Add<bool>("tls-verify", {.description = "the broker's certificate, and that it is the host's",
                                              .value = true,
                                              .meaning = ArgumentMeaning::Host});
  tls_ca_file_ = text("tls-ca-file", {.description = "PEM with the authorities trusted; default: those of the system",
                                      .meaning = ArgumentMeaning::Path});
  tls_certificate_file_ =
      text("tls-certificate-file", {.description = "PEM of this side", .meaning = ArgumentMeaning::Path});
  tls_key_file_ =
      text("tls-key-file", {.description = "PEM, of tls-certificate-file", .meaning = ArgumentMeaning::Path});
  heartbeat_ = list.Add<int>("heartbeat", {.description = "0: the operating system watches the connection",
                                           .unit = "s",
                                           .value = 0,
                                           .minimum = 0,
                                           .maximum = 3600});
  queue_ = text("queue", {.description = "where messages are taken; empty: one of the broker's naming, with exchange",
                          .meaning = ArgumentMeaning::Host});
  exchange_ = text("exchange", {.description = "the queue is made and bound to; empty: the queue is there",
                                .meaning = ArgumentMeaning::Host});
  exchange_type_ = text("exchange-type", {.value = "direct",
                                          .possible_values = {"direct", "topic", "fanout", "headers"},
                                          .meaning = ArgumentMeaning::Host});
  exchange_durable_ = list.Add<bool>("exchange-durable", {.value = false});
  routing_key_ = text("routing-key", {.description = "of the binding", .meaning = ArgumentMeaning::Host});
  declare_ = list.Add<bool>("declare", {.description = "makes exchange and queue", .value = true});
  durable_ = list.Add<bool>("durable", {.description = "of a named queue that is made", .value = true});
  queue_bound_ = list.Add<int>("queue-bound", {.description = "messages the broker gives ahead of acknowledgements",
                                               .value = 1000,
                                               .minimum = 1,
                                               .maximum = 65'535});
  most_bytes_ = list.Add<std::int64_t>(
      "most-bytes", {.description = "of a message; longer ones are dropped", .value = 1 << 20, .minimum = 1});
  publish_ =
      text("publish", {.description = "inputs that are published: `torque[N m], gate=opening`; the source is the "
                                      "member's name",
                       .meaning = ArgumentMeaning::Plain});
  publish_exchange_ = text("publish-exchange", {.description = "default: exchange", .meaning = ArgumentMeaning::Host});
  publish_routing_key_ = text("publish-routing-key", {.meaning = ArgumentMeaning::Host});
  publish_file_ = text("publish-file", {.description = "a recording in place of a broker; in the folder of results",
                                        .meaning = ArgumentMeaning::Path});
  publish_time_ = text("publish-time", {.description = "of what is published: time of the run, mapped as that of the "
                                                       "messages, or the clock of this machine",
                                        .value = "simulation",
                                        .possible_values = {"simulation", "wall"}});
  publish_each_step_ =
      list.Add<bool>("publish-each-step", {.description = "all inputs each step, not what changed", .value = false});
  health_ = list.Add<bool>("health", {.description = "adds outputs health.connected, health.lag, health.queue-length, "
                                                     "health.dropped",
                                      .value = false});
  log_file_ =
      text("log-file", {.description = "where is written what was wrong with messages and what is waited for; in "
                                       "the folder of results",
                        .meaning = ArgumentMeaning::Path});
  results_folder_.AddTo(list);
}

void StreamArguments::Refuse(const char* item, const std::string& problem, const std::string& remedy) const {
  throw ArgumentError({.component = owner_, .item = item}, problem, remedy);
}

std::vector<Field> StreamArguments::ReadFields(const Argument<std::string>& argument) const {
  try {
    return ParseFields(TextOf(argument));
  } catch (const FormatError& error) {
    Refuse(argument.Item().IdText().c_str(), error.Problem(), error.Remedy());
  }
}

std::vector<Field> StreamArguments::Published() const {
  std::vector<Field> fields = ReadFields(publish_);
  for (const Field& field : fields) {
    if (field.type != FieldType::String) continue;
    Refuse("publish",
           fmt::format("expected numbers or booleans, found '{}' of type {}", field.name, NameOf(field.type)),
           "leave its type out");
  }
  return fields;
}

MessageParser StreamArguments::Parser(const std::vector<Field>& fields) const {
  std::optional<int> zone;
  if (const std::string text = TextOf(zone_); !text.empty()) {
    const auto shifted = ParseWallTime("1970-01-02T00:00" + text);
    if (!shifted) {
      Refuse("utc-offset", fmt::format("expected a zone, found '{}'", text), "write +01:00, -05:00 or Z");
    }
    zone = static_cast<int>((86'400 * kNanosPerSecond - *shifted) / (60 * kNanosPerSecond));
  }
  return MessageParser(fields, StampMember(), zone);
}

StepRules StreamArguments::Rules() const {
  return {.timeout = Milliseconds(timeout_.Value()),
          .holds_on_timeout = on_timeout_.Value() == "hold",
          .maximum_age = static_cast<Nanos>(std::llround(maximum_age_.Value() * 1e9)),
          .look_ahead = look_ahead_.Value()};
}

bool StreamArguments::IsFromBroker() const {
  const std::string source = source_.Value();
  if (source != "auto") return source == "broker";
  return TextOf(recording_).empty();
}

std::string StreamArguments::Password(const PathOf& path_of) const {
  if (password_.HasValue() && !password_.Value().empty()) return password_.Value();
  if (const std::string file = TextOf(password_file_); !file.empty()) {
    const std::string path = path_of(file);
    std::string line;
    if (std::ifstream stream(path); !stream || !std::getline(stream, line)) {
      throw FileError({.file = path, .component = owner_, .item = "password-file"},
                      "expected a file whose first line is the password, found none that can be read",
                      "correct the path and the rights");
    }
    if (line.ends_with('\r')) line.pop_back();
    return line;
  }
  const char* const variable = std::getenv(password_variable_.Value().c_str());
  return variable != nullptr ? variable : "guest";
}

std::string StreamArguments::ClearPasswordNote() const {
  const std::string host = host_.Value();
  const bool speaks_to_broker = IsFromBroker() || !Published().empty();
  if (!speaks_to_broker || tls_.Value() || items::NamesLoopback(host)) return {};
  return Error::Format(
      {.component = owner_, .item = "tls"},
      fmt::format("user '{}' and the password go to {} unencrypted: whoever is on the way can read them "
                  "and the messages",
                  username_.Value(), host),
      "set tls to true where the broker can (its port is then 5671)");
}

AmqpOptions StreamArguments::Broker(const PathOf& path_of) const {
  const auto file = [&path_of](const Argument<std::string>& argument) {
    const std::string text = TextOf(argument);
    return text.empty() ? text : path_of(text);
  };
  AmqpOptions options;
  options.host = host_.Value();
  options.has_tls = tls_.Value();
  options.port = port_.Value() != 0 ? port_.Value() : options.has_tls ? 5671 : 5672;
  options.virtual_host = virtual_host_.Value();
  options.username = username_.Value();
  options.password = Password(path_of);
  options.ca_file = file(tls_ca_file_);
  options.certificate_file = file(tls_certificate_file_);
  options.key_file = file(tls_key_file_);
  options.verifies = tls_verify_.Value();
  options.heartbeat = heartbeat_.Value();
  return options;
}

QueueOptions StreamArguments::Queue() const {
  QueueOptions options;
  options.queue = TextOf(queue_);
  options.exchange = TextOf(exchange_);
  options.exchange_type = exchange_type_.Value();
  options.routing_key = TextOf(routing_key_);
  options.declares = declare_.Value();
  options.is_durable = durable_.Value();
  options.is_durable_exchange = exchange_durable_.Value();
  options.prefetch = queue_bound_.Value();
  options.most_bytes = static_cast<std::uint64_t>(most_bytes_.Value());
  if (options.queue.empty() && (options.exchange.empty() || !options.declares)) {
    Refuse("queue", "expected a recording, a queue, or an exchange to bind a queue to, found none of them",
           "set the argument recording, queue or exchange");
  }
  return options;
}

std::unique_ptr<IMessageSource> StreamArguments::Source(const PathOf& path_of, const Log& log) const {
  const auto most_bytes = static_cast<std::uint64_t>(most_bytes_.Value());
  if (!IsFromBroker()) {
    if (TextOf(recording_).empty()) {
      Refuse("recording", "expected a recording, found none", "name one, or set source to broker");
    }
    const std::string path = path_of(recording_.Value());
    if (std::error_code error; std::filesystem::is_directory(path, error) || access(path.c_str(), R_OK) != 0) {
      throw FileError({.file = path, .component = owner_, .item = "recording"},
                      fmt::format("expected a recording, found {}",
                                  std::filesystem::is_directory(path, error) ? "a folder" : "no file that can be read"),
                      "correct the path, or make one with openmi broker record");
    }
    return std::make_unique<RecordedSource>(path, most_bytes);
  }
  auto queue = std::make_unique<AmqpSource>(Broker(path_of), Queue());
  queue->SetLog(log);
  const std::string journal = TextOf(journal_);
  if (journal.empty()) return queue;
  return std::make_unique<JournaledSource>(std::move(queue), path_of(journal), most_bytes);
}

bool StreamArguments::PublishesState() const {
  const std::string key = TextOf(publish_routing_key_);
  const bool has_exchange = !TextOf(exchange_).empty() || !TextOf(publish_exchange_).empty();
  return !key.empty() && (has_exchange || key != kDefaultPublishKey);
}

std::unique_ptr<IMessageSink> StreamArguments::Sink(const PathOf& path_of) const {
  if (const std::string path = items::WrittenPath(publish_file_, results_folder_, path_of);
      !path.empty() && !IsFromBroker()) {
    return std::make_unique<RecordingSink>(path);
  }
  if (!IsFromBroker()) return nullptr;  // a replay without a file publishes nothing
  return BrokerSink(path_of);
}

std::unique_ptr<IMessageSink> StreamArguments::BrokerSink(const PathOf& path_of) const {
  PublishOptions options;
  options.exchange = TextOf(publish_exchange_).empty() ? TextOf(exchange_) : TextOf(publish_exchange_);
  options.exchange_type = exchange_type_.Value();
  options.routing_key = TextOf(publish_routing_key_);
  options.declares = declare_.Value();
  options.is_durable_exchange = exchange_durable_.Value();
  options.timeout = Milliseconds(timeout_.Value());
  if (options.exchange.empty() && options.routing_key.empty()) {
    Refuse("publish-routing-key", "expected an exchange or a routing key to publish to, found neither",
           "set publish-exchange and publish-routing-key");
  }
  return std::make_unique<AmqpSink>(Broker(path_of), options);
}

}  // namespace openmi::broker
