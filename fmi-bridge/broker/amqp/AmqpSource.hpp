#pragma once

#include <deque>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>

#include "fmi-bridge/broker/amqp/AmqpConnection.hpp"
#include "fmi-bridge/broker/stream/IMessageSource.hpp"

namespace openmi::broker {

/// Messages of a queue of a broker (RabbitMQ, AMQP 0-9-1), acknowledged when they are released.
///
/// Where the connection is lost, it is made anew; what was taken and not acknowledged comes again then, is recognised
/// by its id and body, and not given twice. A message is never held in memory beyond its own size and `most_bytes`; the
/// broker gives `prefetch` messages ahead of acknowledgements. Where a caller takes more than that without a release,
/// what it took is acknowledged.
class AmqpSource final : public IMessageSource {
 public:
  /// Messages that are recognised when they come again: the last ones.
  static constexpr std::size_t kRemembered = 100'000;

  AmqpSource(AmqpOptions options, QueueOptions queue);
  ~AmqpSource() override;
  AmqpSource(const AmqpSource&) = delete;
  AmqpSource& operator=(const AmqpSource&) = delete;

  void Open() override;
  Taken Take(Delivery& delivery, std::chrono::milliseconds wait, StreamCounts& counts) override;
  void Release(std::uint64_t place) override;
  /// Acknowledges what is released.
  void Settle() override { AcknowledgeReleased(); }
  /// \throws StateError  always: what a broker gave it does not give again
  std::uint64_t Position() override;
  void ReturnTo(std::uint64_t position) override;
  std::string Name() const override;
  bool IsLive() const override { return true; }
  SourceHealth Health() override;

  /// How many messages it takes ahead of a release, before it asks the broker for more.
  std::uint64_t Prefetch() const { return static_cast<std::uint64_t>(queue_.prefetch); }
  /// Tells a message from others: the same when it is delivered again.
  static std::size_t KeyOf(std::string_view id, std::string_view body);
  /// Messages that were used already, by an earlier process: dropped where the broker gives them again.
  void ExpectAgain(std::span<const std::size_t> keys);
  /// Told when the connection is lost and made anew.
  void SetLog(std::function<void(const std::string&)> log) { log_ = std::move(log); }

 private:
  struct Given {
    std::size_t key;
    std::uint64_t tag;  // of the connection there is; 0: of one that is gone
  };

  void SetUp();
  void DeclareQueue();
  /// Reads the rest of a message. The body is in one frame as a rule, and stays where the library put it.
  void ReadMessage(const amqp_basic_deliver_t& deliver, Delivery& delivery);
  /// Whether it was given before. Takes its new tag.
  bool WasGiven(std::size_t key, std::uint64_t tag);
  void Acknowledge(std::uint64_t tag, bool all_before);
  /// Acknowledges all that is released.
  void AcknowledgeReleased();
  /// Tells the broker how many messages it may give ahead of acknowledgements.
  void LimitAhead();
  void OnLost(const std::string& reason);
  void RefuseLostQueue(const std::string& reason) const;

  QueueOptions queue_;
  int ahead_;  // messages that the broker gives ahead of acknowledgements; grows with what a step takes
  AmqpConnection connection_;
  bool is_busy_ = false;    // another consumer has the queue, or had it a moment ago
  std::string queue_name_;  // also of one that the broker named
  std::function<void(const std::string&)> log_;

  std::deque<Given> given_;                                    // the last ones; the back one has the place place_
  std::uint64_t place_ = 0;                                    // given last
  std::uint64_t released_ = 0;                                 // all up to here are used
  std::uint64_t acknowledged_ = 0;                             // all up to here the broker may forget
  AmqpConnection::Clock::time_point acknowledged_at_{};
  std::unordered_multimap<std::size_t, std::uint64_t> again_;  // key and place of what may come again
  std::string body_;                                           // of several frames
  std::string id_;
  std::uint64_t reconnects_seen_ = 0;
  SourceHealth health_;
  AmqpConnection::Clock::time_point next_look_{};
};

}  // namespace openmi::broker
