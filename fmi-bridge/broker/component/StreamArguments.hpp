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
#include "fmi-bridge/common/items/ArgumentText.hpp"
#include "openmi/sdk/ArgumentList.hpp"
#include "timespace/ResultsFolder.hpp"

namespace openmi::broker {

/// The arguments of a stream, and what is made from them.
class StreamArguments {
 public:
  using PathOf = std::function<std::string(const std::string&)>;
  using Log = std::function<void(const std::string&)>;

  /// Declares the arguments.
  explicit StreamArguments(ArgumentList& list);
  /// Sets the name of the component, for messages.
  void SetOwner(const std::string& caption) { owner_ = caption; }

  /// The fields that are read from messages.
  /// \throws ArgumentError  a field cannot be read, or fields contradict each other
  std::vector<Field> Fields() const { return ReadFields(fields_); }
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
  std::string TimeZero() const { return time_zero_.Value(); }
  bool HasHealth() const { return health_.Value(); }
  bool PublishesEachStep() const { return publish_each_step_.Value(); }
  bool PublishesWallClock() const { return publish_time_.Value() == "wall"; }
  std::string StampMember() const { return stamp_member_.Value(); }
  /// The path of the log; empty: none.
  std::string LogFile(const PathOf& path_of) const { return items::WrittenPath(log_file_, results_folder_, path_of); }

 private:
  std::vector<Field> ReadFields(const Argument<std::string>& argument) const;
  bool IsFromBroker() const;
  AmqpOptions Broker(const PathOf& path_of) const;
  std::string Password(const PathOf& path_of) const;
  QueueOptions Queue() const;
  [[noreturn]] void Refuse(const char* item, const std::string& problem, const std::string& remedy) const;

  std::string owner_;
  Argument<std::string> fields_, stamp_member_, zone_, time_zero_, on_timeout_;
  Argument<double> timeout_, maximum_age_;
  Argument<int> look_ahead_;
  Argument<std::string> source_, recording_, journal_;
  Argument<std::string> host_, virtual_host_, username_, password_, password_variable_, password_file_;
  Argument<int> port_, heartbeat_;
  Argument<bool> tls_, tls_verify_;
  Argument<std::string> tls_ca_file_, tls_certificate_file_, tls_key_file_;
  Argument<std::string> queue_, exchange_, exchange_type_, routing_key_;
  Argument<bool> declare_, durable_, exchange_durable_;
  Argument<int> queue_bound_;
  Argument<std::int64_t> most_bytes_;
  Argument<std::string> publish_, publish_exchange_, publish_routing_key_, publish_file_, publish_time_;
  Argument<bool> publish_each_step_;
  Argument<bool> health_;
  Argument<std::string> log_file_;
  ResultsFolder results_folder_;
};

}  // namespace openmi::broker
