#pragma once

#include <deque>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>

#include "fmi-bridge/broker/amqp/AmqpConnection.hpp"
#include "fmi-bridge/broker/stream/IMessageSource.hpp"

namespace openmi::broker {

/// Messages of a queue of a broker (RabbitMQ, AMQP 0-9-1), acknowledged after they are released.
///
/// A lost connection is re-established. Messages that were taken and not acknowledged are then delivered again; the
/// source recognises them by id and body, and does not return them twice. A body above `most_bytes` is skipped, so that
/// a message never takes more memory than that. The broker sends `prefetch` messages ahead of acknowledgements. Where a
/// caller takes more than that without a release, this number is doubled.
class AmqpSource final : public IMessageSource {
 public:
  /// How many of the last messages are recognised when they are delivered again.
  static constexpr std::size_t kRemembered = 100'000;

  AmqpSource(AmqpOptions options, QueueOptions queue);
  ~AmqpSource() override;
  AmqpSource(const AmqpSource&) = delete;
  AmqpSource& operator=(const AmqpSource&) = delete;

  void Open() override;
  Taken Take(Delivery& delivery, std::chrono::milliseconds wait, StreamCounts& counts) override;
  void Release(std::uint64_t place) override;
  /// Acknowledges what was released.
  void Settle() override { AcknowledgeReleased(); }
  /// \throws StateError  always: a broker cannot go back to an earlier message
  std::uint64_t Position() override;
  void ReturnTo(std::uint64_t position) override;
  std::string Name() const override;
  bool IsLive() const override { return true; }
  SourceHealth Health() override;

  /// How many messages the source takes ahead of a release at first.
  std::uint64_t Prefetch() const { return static_cast<std::uint64_t>(queue_.prefetch); }
  /// A key that identifies a message: the same when it is delivered again.
  static std::size_t KeyOf(std::string_view id, std::string_view body);
  /// Drops messages with these keys when the broker delivers them: an earlier process has used them.
  void ExpectAgain(std::span<const std::size_t> keys);
  /// Sets a function that is called with a line when the connection is lost and when it is re-established.
  void SetLog(std::function<void(const std::string&)> log) { log_ = std::move(log); }

 private:
  struct Given {
    std::size_t key;
    std::uint64_t tag;  // on the present connection; 0: on an earlier one
  };

  void SetUp();
  void DeclareQueue();
  /// Reads the rest of a message. The body is usually in one frame, and is then not copied.
  void ReadMessage(const amqp_basic_deliver_t& deliver, Delivery& delivery);
  /// Whether the message was returned before. Records its new delivery tag.
  bool WasGiven(std::size_t key, std::uint64_t tag);
  void Acknowledge(std::uint64_t tag, bool all_before);
  /// Acknowledges all released messages.
  void AcknowledgeReleased();
  /// Sets how many messages the broker may send ahead of acknowledgements.
  void LimitAhead();
  void OnLost(const std::string& reason);
  void RefuseLostQueue(const std::string& reason) const;

  QueueOptions queue_;
  int ahead_;  // messages that the broker sends ahead of acknowledgements; grows with what a step takes
  AmqpConnection connection_;
  bool is_busy_ = false;    // another consumer has the queue, or had it a moment ago
  std::string queue_name_;  // also set for a queue that the broker named
  std::function<void(const std::string&)> log_;

  std::deque<Given> given_;         // the last ones; the back one has the place place_
  std::uint64_t place_ = 0;         // place of the last message returned
  std::uint64_t released_ = 0;      // all messages up to here are used
  std::uint64_t acknowledged_ = 0;  // all messages up to here are acknowledged
  AmqpConnection::Clock::time_point acknowledged_at_{};
  std::unordered_multimap<std::size_t, std::uint64_t> again_;  // key and place of messages that may be delivered again
  std::string body_;                                           // for bodies of several frames
  std::string id_;
  std::uint64_t reconnects_seen_ = 0;
  SourceHealth health_;
  AmqpConnection::Clock::time_point next_look_{};
};

}  // namespace openmi::broker
