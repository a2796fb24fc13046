#include "fmi-bridge/broker/amqp/AmqpSource.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi::broker {
namespace {
constexpr std::chrono::milliseconds kRestOfMessage{30'000};
constexpr std::chrono::milliseconds kUntilGone{3'000};

}  // namespace

AmqpSource::AmqpSource(AmqpOptions options, QueueOptions queue)
    : queue_(std::move(queue)), ahead_(queue_.prefetch), connection_(std::move(options), [this] { SetUp(); }) {}

AmqpSource::~AmqpSource() {
  try {
    AcknowledgeReleased();
  } catch (const std::exception&) {  // messages that were used are delivered again
  }
}

std::string AmqpSource::Name() const {
  const bool is_cut = !connection_.IsOpen() && !connection_.LastLoss().empty();
  return fmt::format("queue '{}' of {}{}", queue_name_.empty() ? queue_.queue : queue_name_, connection_.Name(),
                     is_cut ? fmt::format(" (not connected: {})", connection_.LastLoss()) : std::string());
}

void AmqpSource::Open() {
  // The broker notices with a delay that a consumer was killed.
  const auto deadline = AmqpConnection::Clock::now() + kUntilGone;
  while (!connection_.IsOpen()) {
    try {
      connection_.Open();
    } catch (const ModelError& error) {
      if (!is_busy_) throw;
      if (AmqpConnection::Clock::now() > deadline) {
        throw ModelError({.item = Name()}, error.Problem(), "one consumer has it alone: end the other one");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
}

void AmqpSource::DeclareQueue() {
  const bool is_named = !queue_.queue.empty();
  amqp_connection_state_t const state = connection_.State();
  if (queue_.exchange.empty() || !queue_.declares) {
    const amqp_queue_declare_ok_t* found =
        amqp_queue_declare(state, AmqpConnection::kChannel, BytesOf(queue_.queue), 1, 0, 0, 0, amqp_empty_table);
    connection_.Require(amqp_get_rpc_reply(state), fmt::format("find queue '{}'", queue_.queue),
                        "start what makes the queue, correct its name, or give the argument exchange so that it is "
                        "made; what a deleted queue held is lost");
    queue_name_ = TextOf(found->queue);
    return;
  }
  connection_.DeclareExchange(queue_.exchange, queue_.exchange_type, queue_.is_durable_exchange);
  const amqp_queue_declare_ok_t* made =
      amqp_queue_declare(state, AmqpConnection::kChannel, BytesOf(queue_.queue), 0,
                         is_named && queue_.is_durable ? 1 : 0, is_named ? 0 : 1, is_named ? 0 : 1, amqp_empty_table);
  connection_.Require(amqp_get_rpc_reply(state), fmt::format("declare queue '{}'", queue_.queue),
                      "if it exists with other properties, set durable to its value, or declare to false");
  queue_name_ = TextOf(made->queue);
  amqp_queue_bind(state, AmqpConnection::kChannel, BytesOf(queue_name_), BytesOf(queue_.exchange),
                  BytesOf(queue_.routing_key), amqp_empty_table);
  connection_.Require(amqp_get_rpc_reply(state), fmt::format("bind queue '{}'", queue_name_),
                      "give the user rights on queue and exchange");
}

void AmqpSource::SetUp() {
  DeclareQueue();
  amqp_connection_state_t const state = connection_.State();
  LimitAhead();
  amqp_basic_consume(state, AmqpConnection::kChannel, BytesOf(queue_name_), amqp_empty_bytes, 0, 0, 1,
                     amqp_empty_table);
  const amqp_rpc_reply_t reply = amqp_get_rpc_reply(state);
  is_busy_ = reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION && reply.reply.id == AMQP_CHANNEL_CLOSE_METHOD &&
             static_cast<const amqp_channel_close_t*>(reply.reply.decoded)->reply_code == kAccessRefused;
  if (is_busy_) {
    // The other consumer may be an earlier connection of this one, which the broker has not dropped yet: try again.
    const auto* closing = static_cast<const amqp_channel_close_t*>(reply.reply.decoded);
    throw LostConnection(fmt::format("queue '{}': {}", queue_name_, TextOf(closing->reply_text)));
  }
  connection_.Require(reply, fmt::format("take messages of queue '{}'", queue_name_), "look at the broker's log");
}

void AmqpSource::LimitAhead() {
  // The limit of the channel, not of the consumer: RabbitMQ can change the first for a consumer that already exists.
  constexpr int kMost = 65'535;
  const int most = ahead_ > kMost ? 0 : ahead_;  // 0: any number
  amqp_basic_qos(connection_.State(), AmqpConnection::kChannel, 0, static_cast<std::uint16_t>(most), 1);
  connection_.Require(amqp_get_rpc_reply(connection_.State()), "limit what the broker gives ahead",
                      "look at the broker's log");
}

std::size_t AmqpSource::KeyOf(std::string_view id, std::string_view body) {
  const std::hash<std::string_view> hash;
  return hash(id) * 31 + hash(body);
}

void AmqpSource::ExpectAgain(std::span<const std::size_t> keys) {
  for (const std::size_t key : keys) again_.emplace(key, 0);
}

void AmqpSource::OnLost(const std::string& reason) {
  if (log_) log_(fmt::format("{}: connection lost: {}", Name(), reason));
  connection_.Drop(reason);
  std::uint64_t place = place_ - given_.size();
  again_.clear();
  for (Given& given : given_) {
    again_.emplace(given.key, ++place);
    given.tag = 0;
  }
}

bool AmqpSource::WasGiven(std::size_t key, std::uint64_t tag) {
  if (again_.empty()) return false;
  const auto found = again_.find(key);
  if (found == again_.end()) return false;
  const std::uint64_t place = found->second;
  again_.erase(found);
  if (place <= released_) {
    Acknowledge(tag, false);
  } else {
    given_[given_.size() - 1 - (place_ - place)].tag = tag;
  }
  return true;
}

void AmqpSource::RefuseLostQueue(const std::string& reason) const {
  throw ModelError({.item = Name()},
                   fmt::format("expected the queue to stay, found it gone: {}; what it held is lost, {} messages were "
                               "taken before",
                               reason, place_),
                   "create the queue again and start the run anew, or continue from a checkpoint");
}

void AmqpSource::ReadMessage(const amqp_basic_deliver_t& deliver, Delivery& delivery) {
  static_cast<void>(deliver);
  amqp_frame_t frame;
  if (!connection_.Wait(frame, kRestOfMessage) || frame.frame_type != AMQP_FRAME_HEADER) {
    throw LostConnection("the header of a message did not come");
  }
  delivery.id = {};
  const auto* properties = static_cast<const amqp_basic_properties_t*>(frame.payload.properties.decoded);
  if ((properties->_flags & AMQP_BASIC_MESSAGE_ID_FLAG) != 0) {
    id_ = TextOf(properties->message_id);
    delivery.id = id_;
  }
  delivery.size = frame.payload.properties.body_size;
  delivery.is_oversized = delivery.size > queue_.most_bytes;
  delivery.body = {};
  body_.clear();
  std::uint64_t got = 0;
  while (got < delivery.size) {
    if (!connection_.Wait(frame, kRestOfMessage) || frame.frame_type != AMQP_FRAME_BODY) {
      throw LostConnection("the rest of a message did not come");
    }
    const std::string_view part = TextOf(frame.payload.body_fragment);
    got += part.size();
    if (got == delivery.size && body_.empty()) {
      delivery.body = part;
    } else if (!delivery.is_oversized) {
      body_ += part;
      delivery.body = body_;
    }
    if (delivery.is_oversized) amqp_maybe_release_buffers_on_channel(connection_.State(), AmqpConnection::kChannel);
  }
  if (delivery.is_oversized) delivery.body = {};
}

Taken AmqpSource::Take(Delivery& delivery, std::chrono::milliseconds wait, StreamCounts& counts) {
  const auto deadline = AmqpConnection::Clock::now() + wait;
  while (true) {
    try {
      if (!connection_.Ensure(deadline)) return Taken::Nothing;
      if (const std::uint64_t reconnects = connection_.Reconnects(); reconnects != reconnects_seen_) {
        counts.reconnects += reconnects - reconnects_seen_;
        reconnects_seen_ = reconnects;
        if (log_) log_(fmt::format("{}: connected again", Name()));
      }
      // Unused messages are not acknowledged, so a step that needs more messages needs a higher limit.
      if (place_ - acknowledged_ >= static_cast<std::uint64_t>(ahead_)) AcknowledgeReleased();
      while (place_ - released_ >= static_cast<std::uint64_t>(ahead_)) {
        ahead_ = std::min(ahead_, 1 << 29) * 2;
        LimitAhead();
      }
      amqp_maybe_release_buffers_on_channel(connection_.State(), AmqpConnection::kChannel);
      amqp_frame_t frame;
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - AmqpConnection::Clock::now());
      if (!connection_.Wait(frame, left)) {
        AcknowledgeReleased();  // the next message may take long
        return Taken::Nothing;
      }
      if (frame.frame_type != AMQP_FRAME_METHOD) continue;
      if (const std::string closing = connection_.ClosingText(frame); !closing.empty()) throw LostConnection(closing);
      if (frame.payload.method.id == AMQP_BASIC_CANCEL_METHOD) RefuseLostQueue("the broker cancelled the subscription");
      if (frame.payload.method.id != AMQP_BASIC_DELIVER_METHOD) continue;
      const auto deliver = *static_cast<const amqp_basic_deliver_t*>(frame.payload.method.decoded);
      ReadMessage(deliver, delivery);
      const std::size_t key =
          delivery.is_oversized ? KeyOf(delivery.id, std::to_string(delivery.size)) : KeyOf(delivery.id, delivery.body);
      if (WasGiven(key, deliver.delivery_tag)) {
        ++counts.repeated;
        continue;
      }
      given_.push_back({key, deliver.delivery_tag});
      delivery.place = ++place_;
      return Taken::Message;
    } catch (const LostConnection& lost) {
      OnLost(lost.what());
    }
  }
}

void AmqpSource::Acknowledge(std::uint64_t tag, bool all_before) {
  connection_.Require(amqp_basic_ack(connection_.State(), AmqpConnection::kChannel, tag, all_before ? 1 : 0),
                      "acknowledge");
}

void AmqpSource::Release(std::uint64_t place) {
  constexpr std::chrono::milliseconds kBetween{50};
  released_ = std::max(released_, std::min(place, place_));
  const bool is_much = released_ - acknowledged_ >= (static_cast<std::uint64_t>(queue_.prefetch) + 7) / 8;
  if (is_much || AmqpConnection::Clock::now() - acknowledged_at_ >= kBetween) AcknowledgeReleased();
}

void AmqpSource::AcknowledgeReleased() {
  if (acknowledged_ == released_) return;
  const std::uint64_t first = place_ - given_.size() + 1;  // place of the front message
  std::uint64_t tag = 0;
  for (std::uint64_t at = std::max(first, acknowledged_ + 1); at <= released_; ++at) {
    tag = std::max(tag, given_[at - first].tag);
  }
  acknowledged_ = released_;
  acknowledged_at_ = AmqpConnection::Clock::now();
  // Acknowledged messages may be delivered again where the connection is lost before the broker receives the
  // acknowledgement, or where the broker is killed before it is on its disk.
  while (given_.size() > kRemembered && place_ - given_.size() + 1 <= released_) given_.pop_front();
  if (tag == 0 || !connection_.IsOpen()) return;
  try {
    Acknowledge(tag, true);
  } catch (const LostConnection& lost) {
    OnLost(lost.what());
  }
}

std::uint64_t AmqpSource::Position() {
  throw StateError({.item = Name()}, "expected a source that can go back, found a queue",
                   "set the argument journal: what was taken is written there and read again");
}

void AmqpSource::ReturnTo(std::uint64_t) {
  Position();
}

SourceHealth AmqpSource::Health() {
  health_.is_connected = connection_.IsOpen();
  const auto now = AmqpConnection::Clock::now();
  if (!health_.is_connected || now < next_look_) return health_;
  next_look_ = now + std::chrono::seconds(1);
  amqp_connection_state_t const state = connection_.State();
  try {
    const amqp_queue_declare_ok_t* found =
        amqp_queue_declare(state, AmqpConnection::kChannel, BytesOf(queue_name_), 1, 0, 0, 0, amqp_empty_table);
    connection_.Require(amqp_get_rpc_reply(state), "look at the queue", "make it again");
    health_.waiting = found->message_count;
  } catch (const LostConnection& lost) {
    OnLost(lost.what());
    health_.is_connected = false;
  } catch (const ModelError& error) {
    RefuseLostQueue(error.Problem());
  }
  return health_;
}

}  // namespace openmi::broker
