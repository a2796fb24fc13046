#include "fmi-bridge/broker/amqp/AmqpSink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi::broker {
namespace {
constexpr std::size_t kMostWaiting = 1000;
}

AmqpSink::AmqpSink(AmqpOptions options, PublishOptions publish)
    : publish_(std::move(publish)), connection_(std::move(options), [this] { SetUp(); }) {}

void AmqpSink::Open() {
  if (!connection_.IsOpen()) connection_.Open();
}

void AmqpSink::SetUp() {
  amqp_connection_state_t const state = connection_.State();
  if (publish_.declares && !publish_.exchange.empty()) {
    connection_.DeclareExchange(publish_.exchange, publish_.exchange_type, publish_.is_durable_exchange);
  }
  if (publish_.exchange.empty()) {  // otherwise the broker confirms messages that it drops
    amqp_queue_declare(state, AmqpConnection::kChannel, BytesOf(publish_.routing_key), 1, 0, 0, 0, amqp_empty_table);
    connection_.Require(amqp_get_rpc_reply(state), fmt::format("find queue '{}'", publish_.routing_key),
                        "make the queue first, correct its name, or publish to an exchange");
  }
  amqp_confirm_select(state, AmqpConnection::kChannel);
  connection_.Require(amqp_get_rpc_reply(state), "have messages confirmed", "use a broker that confirms, as RabbitMQ");
  first_tag_ = 1;
  for (const Waiting& message : waiting_) Send(message);
}

void AmqpSink::Send(const Waiting& message) {
  constexpr std::uint8_t kPersistent = 2;
  amqp_basic_properties_t properties{};
  properties._flags = AMQP_BASIC_CONTENT_TYPE_FLAG | AMQP_BASIC_DELIVERY_MODE_FLAG |
                      (message.id.empty() ? 0 : AMQP_BASIC_MESSAGE_ID_FLAG);
  properties.content_type = amqp_cstring_bytes("application/json");
  properties.delivery_mode = kPersistent;
  properties.message_id = BytesOf(message.id);
  connection_.Require(amqp_basic_publish(connection_.State(), AmqpConnection::kChannel, BytesOf(publish_.exchange),
                                         BytesOf(publish_.routing_key), 0, 0, &properties, BytesOf(message.body)),
                      "publish");
}

void AmqpSink::ReadConfirms(std::chrono::milliseconds wait) {
  amqp_maybe_release_buffers_on_channel(connection_.State(), AmqpConnection::kChannel);
  amqp_frame_t frame;
  if (!connection_.Wait(frame, wait) || frame.frame_type != AMQP_FRAME_METHOD) return;
  if (const std::string closing = connection_.ClosingText(frame); !closing.empty()) {
    // The broker closes a channel for an error of this side, and a connection for reasons of the broker.
    if (frame.payload.method.id == AMQP_CHANNEL_CLOSE_METHOD) {
      throw ModelError({.item = connection_.Name()},
                       fmt::format("cannot publish to exchange '{}': {}", publish_.exchange, closing),
                       "make the exchange, correct its name, or set declare to true");
    }
    throw LostConnection(closing);
  }
  if (frame.payload.method.id == AMQP_BASIC_NACK_METHOD) throw LostConnection("the broker could not keep a message");
  if (frame.payload.method.id != AMQP_BASIC_ACK_METHOD) return;
  // Single confirms may arrive in another order. Only confirms without a gap are counted; at worst the rest is sent
  // again.
  const auto ack = *static_cast<const amqp_basic_ack_t*>(frame.payload.method.decoded);
  if (ack.delivery_tag < first_tag_) return;
  const std::uint64_t upto = ack.delivery_tag - first_tag_ + 1;
  if (ack.multiple == 0 && upto != 1) {
    early_.insert(ack.delivery_tag);
    return;
  }
  const auto drop = [this](std::uint64_t count) {
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
    first_tag_ += count;
    confirmed_ += count;
  };
  drop(std::min<std::uint64_t>(upto, waiting_.size()));
  early_.erase(early_.begin(), early_.lower_bound(first_tag_));
  while (!early_.empty() && *early_.begin() == first_tag_) {
    early_.erase(early_.begin());
    drop(1);
  }
}

void AmqpSink::WaitForConfirms(std::size_t most) {
  const auto deadline = AmqpConnection::Clock::now() + publish_.timeout;
  while (waiting_.size() > most) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - AmqpConnection::Clock::now());
    if (left.count() <= 0) {
      throw ModelError(
          {.item = connection_.Name()},
          fmt::format("expected the broker to confirm what was published within {} s, found {} messages "
                      "without{}{}",
                      publish_.timeout.count() / 1000, waiting_.size(),
                      connection_.LastLoss().empty() ? "" : "; last loss of the connection: ", connection_.LastLoss()),
          "look at the broker: is it there, is its disk full?");
    }
    try {
      if (connection_.Ensure(deadline)) ReadConfirms(left);
    } catch (const LostConnection& lost) {
      connection_.Drop(lost.what());
      early_.clear();
    }
  }
}

void AmqpSink::Publish(std::string_view body, std::string_view id, Nanos) {
  waiting_.push_back({std::string(body), std::string(id)});
  try {
    if (connection_.IsOpen()) {
      Send(waiting_.back());
      ReadConfirms(std::chrono::milliseconds(0));
    } else {
      connection_.Ensure(AmqpConnection::Clock::now());
    }
  } catch (const LostConnection& lost) {
    connection_.Drop(lost.what());
    early_.clear();
  }
  if (waiting_.size() >= kMostWaiting) WaitForConfirms(kMostWaiting / 2);
}

void AmqpSink::Flush() {
  WaitForConfirms(0);
}

}  // namespace openmi::broker
