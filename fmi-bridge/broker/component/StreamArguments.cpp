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

namespace {

std::chrono::milliseconds Milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000.0)));
}

}  // namespace

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
  std::vector<Field> fields = ReadFields(set_.publish);
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
  if (const std::string text = TextOf(set_.zone); !text.empty()) {
    const auto shifted = ParseWallTime("1970-01-02T00:00" + text);
    if (!shifted) {
      Refuse("utc-offset", fmt::format("expected a zone, found '{}'", text), "write +01:00, -05:00 or Z");
    }
    zone = static_cast<int>((86'400 * kNanosPerSecond - *shifted) / (60 * kNanosPerSecond));
  }
  return MessageParser(fields, StampMember(), zone);
}

StepRules StreamArguments::Rules() const {
  return {.timeout = Milliseconds(set_.timeout.Value()),
          .holds_on_timeout = set_.on_timeout.Value() == "hold",
          .maximum_age = static_cast<Nanos>(std::llround(set_.maximum_age.Value() * 1e9)),
          .look_ahead = set_.look_ahead.Value()};
}

bool StreamArguments::IsFromBroker() const {
  const std::string source = set_.source.Value();
  if (source != "auto") return source == "broker";
  return TextOf(set_.recording).empty();
}

std::string StreamArguments::Password(const PathOf& path_of) const {
  if (!TextOf(set_.password).empty()) return set_.password.Value();
  if (const std::string file = TextOf(set_.password_file); !file.empty()) {
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
  const char* const variable = std::getenv(set_.password_variable.Value().c_str());
  return variable != nullptr ? variable : "guest";
}

std::string StreamArguments::ClearPasswordNote() const {
  const std::string host = set_.host.Value();
  const bool speaks_to_broker = IsFromBroker() || !Published().empty();
  if (!speaks_to_broker || set_.tls.Value() || items::NamesLoopback(host)) return {};
  return Error::Format(
      {.component = owner_, .item = "tls"},
      fmt::format(
          "user '{}' and the password go to {} unencrypted: anyone on the network path can read them and the messages",
          set_.username.Value(), host),
      "set tls to true where the broker can (its port is then 5671)");
}

AmqpOptions StreamArguments::Broker(const PathOf& path_of) const {
  const auto file = [&path_of](const Argument<std::string>& argument) {
    const std::string text = TextOf(argument);
    return text.empty() ? text : path_of(text);
  };
  AmqpOptions options;
  options.host = set_.host.Value();
  options.has_tls = set_.tls.Value();
  options.port = set_.port.Value() != 0 ? set_.port.Value() : options.has_tls ? 5671 : 5672;
  options.virtual_host = set_.virtual_host.Value();
  options.username = set_.username.Value();
  options.password = Password(path_of);
  options.ca_file = file(set_.tls_ca_file);
  options.certificate_file = file(set_.tls_certificate_file);
  options.key_file = file(set_.tls_key_file);
  options.verifies = set_.tls_verify.Value();
  options.heartbeat = set_.heartbeat.Value();
  return options;
}

QueueOptions StreamArguments::Queue() const {
  QueueOptions options;
  options.queue = TextOf(set_.queue);
  options.exchange = TextOf(set_.exchange);
  options.exchange_type = set_.exchange_type.Value();
  options.routing_key = TextOf(set_.routing_key);
  options.declares = set_.declare.Value();
  options.is_durable = set_.durable.Value();
  options.is_durable_exchange = set_.exchange_durable.Value();
  options.prefetch = set_.queue_bound.Value();
  options.most_bytes = static_cast<std::uint64_t>(set_.most_bytes.Value());
  if (options.queue.empty() && (options.exchange.empty() || !options.declares)) {
    Refuse("queue", "expected a recording, a queue, or an exchange to bind a queue to, found none of them",
           "set the argument recording, queue or exchange");
  }
  return options;
}

std::unique_ptr<IMessageSource> StreamArguments::Source(const PathOf& path_of, const Log& log) const {
  const auto most_bytes = static_cast<std::uint64_t>(set_.most_bytes.Value());
  if (!IsFromBroker()) {
    if (TextOf(set_.recording).empty()) {
      Refuse("recording", "expected a recording, found none", "name one, or set source to broker");
    }
    const std::string path = path_of(set_.recording.Value());
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
  const std::string journal = TextOf(set_.journal);
  if (journal.empty()) return queue;
  return std::make_unique<JournaledSource>(std::move(queue), path_of(journal), most_bytes);
}

bool StreamArguments::PublishesState() const {
  const std::string key = TextOf(set_.publish_routing_key);
  const bool has_exchange = !TextOf(set_.exchange).empty() || !TextOf(set_.publish_exchange).empty();
  return !key.empty() && (has_exchange || key != kDefaultPublishKey);
}

std::unique_ptr<IMessageSink> StreamArguments::Sink(const PathOf& path_of) const {
  if (const std::string path = set_.results_folder.WrittenPath(set_.publish_file, path_of);
      !path.empty() && !IsFromBroker()) {
    return std::make_unique<RecordingSink>(path);
  }
  if (!IsFromBroker()) return nullptr;  // a replay without a file publishes nothing
  return BrokerSink(path_of);
}

std::unique_ptr<IMessageSink> StreamArguments::BrokerSink(const PathOf& path_of) const {
  PublishOptions options;
  options.exchange = TextOf(set_.publish_exchange).empty() ? TextOf(set_.exchange) : TextOf(set_.publish_exchange);
  options.exchange_type = set_.exchange_type.Value();
  options.routing_key = TextOf(set_.publish_routing_key);
  options.declares = set_.declare.Value();
  options.is_durable_exchange = set_.exchange_durable.Value();
  options.timeout = Milliseconds(set_.timeout.Value());
  if (options.exchange.empty() && options.routing_key.empty()) {
    Refuse("publish-routing-key", "expected an exchange or a routing key to publish to, found neither",
           "set publish-exchange and publish-routing-key");
  }
  return std::make_unique<AmqpSink>(Broker(path_of), options);
}

}  // namespace openmi::broker
