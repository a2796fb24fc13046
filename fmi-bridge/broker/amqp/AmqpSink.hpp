#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <set>
#include <string>

#include "fmi-bridge/broker/amqp/AmqpConnection.hpp"
#include "fmi-bridge/broker/stream/IMessageSink.hpp"

namespace openmi::broker {

/// Where an AmqpSink publishes.
struct PublishOptions {
  std::string exchange;  ///< empty: the routing key is the name of a queue
  std::string exchange_type = "direct";
  std::string routing_key;
  bool declares = true;  ///< declares the exchange
  bool is_durable_exchange = false;
  std::chrono::milliseconds timeout{60'000};  ///< for confirms, including the time to reconnect
};

/// Publishes persistent messages, and keeps each until the broker confirms it.
///
/// A lost connection is re-established. Messages without a confirm are then sent again, in their order and with their
/// ids.
class AmqpSink final : public IMessageSink {
 public:
  AmqpSink(AmqpOptions options, PublishOptions publish);

  void Open() override;
  /// Waits when 1000 messages have no confirm.
  /// \throws ModelError  no confirm arrived in time
  void Publish(std::string_view body, std::string_view id, Nanos stamp) override;
  void Flush() override;
  /// Messages that the broker has confirmed.
  std::uint64_t Confirmed() const { return confirmed_; }

 private:
  struct Waiting {
    std::string body;
    std::string id;
  };

  void SetUp();
  void Send(const Waiting& message);
  /// Reads confirms until at most `most` messages have none.
  void WaitForConfirms(std::size_t most);
  void ReadConfirms(std::chrono::milliseconds wait);

  PublishOptions publish_;
  AmqpConnection connection_;
  std::deque<Waiting> waiting_;
  std::uint64_t first_tag_ = 1;    // of the front message, on this connection
  std::set<std::uint64_t> early_;  // confirmed before earlier messages
  std::uint64_t confirmed_ = 0;
};

}  // namespace openmi::broker
