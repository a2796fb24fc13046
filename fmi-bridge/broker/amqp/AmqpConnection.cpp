#include "fmi-bridge/broker/amqp/AmqpConnection.hpp"

#include <amqp_ssl_socket.h>
#include <amqp_tcp_socket.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi::broker {
namespace {

constexpr std::chrono::milliseconds kFirstPause{100};
constexpr std::chrono::milliseconds kLongestPause{5000};
constexpr const char* kCertificatesOfTheSystem = "/etc/ssl/certs/ca-certificates.crt";
constexpr int kNotAllowed = 530;

timeval TimevalOf(std::chrono::milliseconds wait) {
  const auto count = std::max<std::int64_t>(0, wait.count());
  return {static_cast<time_t>(count / 1000), static_cast<suseconds_t>(count % 1000 * 1000)};
}

}  // namespace

amqp_bytes_t BytesOf(const std::string& text) {
  // The library does not change these bytes, but takes a non-const pointer.
  return {text.size(), const_cast<char*>(text.data())};
}

std::string_view TextOf(amqp_bytes_t bytes) {
  return {static_cast<const char*>(bytes.bytes), bytes.len};
}

AmqpConnection::AmqpConnection(AmqpOptions options, std::function<void()> set_up)
    : options_(std::move(options)), set_up_(std::move(set_up)) {}

AmqpConnection::~AmqpConnection() {
  Close();
}

std::string AmqpConnection::Name() const {
  return fmt::format("{}:{}", options_.host, options_.port);
}

amqp_socket_t* AmqpConnection::MakeSocket() {
  if (!options_.has_tls) return amqp_tcp_socket_new(state_);
  amqp_socket_t* const socket = amqp_ssl_socket_new(state_);
  if (socket == nullptr) return nullptr;
  const auto refuse = [](const std::string& item, const std::string& file) {
    throw ModelError({.file = file, .item = item}, "expected a PEM file that can be used, found another or none",
                     "correct the argument " + item);
  };
  amqp_ssl_socket_set_verify_peer(socket, options_.verifies ? 1 : 0);
  amqp_ssl_socket_set_verify_hostname(socket, options_.verifies ? 1 : 0);
  amqp_ssl_socket_set_ssl_versions(socket, AMQP_TLSv1_2, AMQP_TLSvLATEST);
  if (options_.verifies) {
    const std::string file = options_.ca_file.empty() ? kCertificatesOfTheSystem : options_.ca_file;
    if (amqp_ssl_socket_set_cacert(socket, file.c_str()) != AMQP_STATUS_OK) refuse("tls-ca-file", file);
  }
  if (!options_.certificate_file.empty() &&
      amqp_ssl_socket_set_key(socket, options_.certificate_file.c_str(), options_.key_file.c_str()) != AMQP_STATUS_OK) {
    refuse("tls-certificate-file", options_.certificate_file);
  }
  return socket;
}

/// Makes the operating system detect within 30 s that a peer is gone.
void AmqpConnection::SetUpSocket() const {
  const int descriptor = amqp_get_sockfd(state_);
  const auto set = [descriptor](int level, int option, int value) {
    setsockopt(descriptor, level, option, &value, sizeof value);  // without the option a loss is only detected later
  };
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 10);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(IPPROTO_TCP, TCP_KEEPCNT, 4);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, 30'000);
}

void AmqpConnection::Login() {
  // Makes the broker report when a queue is deleted; otherwise it sends nothing.
  amqp_table_entry_t wants_cancel{};
  wants_cancel.key = amqp_cstring_bytes("consumer_cancel_notify");
  wants_cancel.value.kind = AMQP_FIELD_KIND_BOOLEAN;
  wants_cancel.value.value.boolean = 1;
  amqp_table_entry_t capabilities{};
  capabilities.key = amqp_cstring_bytes("capabilities");
  capabilities.value.kind = AMQP_FIELD_KIND_TABLE;
  capabilities.value.value.table = {1, &wants_cancel};
  const amqp_table_t properties = {1, &capabilities};
  const amqp_rpc_reply_t reply =
      amqp_login_with_properties(state_, options_.virtual_host.c_str(), 0, 131072, options_.heartbeat, &properties,
                                 AMQP_SASL_METHOD_PLAIN, options_.username.c_str(), options_.password.c_str());
  if (reply.reply_type == AMQP_RESPONSE_NORMAL) return;
  if (reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION && reply.reply.id == AMQP_CONNECTION_CLOSE_METHOD) {
    const auto* closing = static_cast<const amqp_connection_close_t*>(reply.reply.decoded);
    if (closing->reply_code == kAccessRefused) {
      throw ModelError({.item = Name()},
                       fmt::format("expected a broker that lets user '{}' in, found: {}", options_.username,
                                   TextOf(closing->reply_text)),
                       "correct username and password; the password may be in the environment or in a file (see "
                       "password-variable, password-file)");
    }
    if (closing->reply_code == kNotAllowed) {
      throw ModelError({.item = Name()},
                       fmt::format("expected virtual host '{}' to be there and open to user '{}', found: {}",
                                   options_.virtual_host, options_.username, TextOf(closing->reply_text)),
                       "correct virtual-host, or give the user rights on it");
    }
  }
  Require(reply, "log in", "look at the broker's log");
}

void AmqpConnection::Connect() {
  state_ = amqp_new_connection();
  if (state_ == nullptr) throw LostConnection("no memory for a connection");
  amqp_socket_t* const socket = MakeSocket();
  if (socket == nullptr) throw LostConnection("no memory for a socket");
  const timeval timeout = TimevalOf(options_.connect_timeout);
  amqp_set_handshake_timeout(state_, &timeout);
  const int status = amqp_socket_open_noblock(socket, options_.host.c_str(), options_.port, &timeout);
  if (status == AMQP_STATUS_SSL_PEER_VERIFY_FAILED || status == AMQP_STATUS_SSL_HOSTNAME_VERIFY_FAILED) {
    throw ModelError(
        {.item = Name()},
        status == AMQP_STATUS_SSL_PEER_VERIFY_FAILED
            ? "expected a certificate that a known authority signed, found another"
            : fmt::format("expected a certificate for the host '{}', found one for another", options_.host),
        "name the authority's certificate in tls-ca-file, and the host as its certificate does");
  }
  if (status == AMQP_STATUS_SSL_CONNECTION_FAILED && options_.has_tls) {
    // No certificate was verified or refused, so the other side may not speak TLS at all.
    throw ModelError({.item = Name()},
                     "expected a broker that speaks TLS and shows a certificate that can be verified, found none",
                     "look at the port (5671 is the usual one), at tls-ca-file, and whether the broker asks for a "
                     "certificate (tls-certificate-file)");
  }
  Require(status, "connect");
  SetUpSocket();
  Login();
  amqp_set_rpc_timeout(state_, &timeout);
  amqp_channel_open(state_, kChannel);
  Require(amqp_get_rpc_reply(state_), "open a channel", "look at the broker's log");
  set_up_();
  ++connects_;
  pause_ = {};
}

void AmqpConnection::Open() {
  try {
    Connect();
  } catch (const LostConnection& lost) {
    Close();
    throw ModelError({.item = Name()}, fmt::format("expected a broker, found none: {}", lost.what()),
                     "start the broker, or correct host, port and tls");
  } catch (...) {
    Close();
    throw;
  }
}

bool AmqpConnection::Ensure(Clock::time_point deadline) {
  while (state_ == nullptr) {
    if (next_try_ > deadline) {
      std::this_thread::sleep_until(deadline);
      return false;
    }
    std::this_thread::sleep_until(next_try_);
    try {
      Connect();
    } catch (const LostConnection& lost) {
      Drop(lost.what());
    } catch (...) {
      Close();
      throw;
    }
  }
  return true;
}

void AmqpConnection::Drop(const std::string& reason) {
  if (state_ != nullptr) amqp_destroy_connection(state_);
  state_ = nullptr;
  last_loss_ = reason;
  pause_ = pause_.count() == 0 ? kFirstPause : std::min(2 * pause_, kLongestPause);
  next_try_ = Clock::now() + pause_;
}

void AmqpConnection::Close() {
  if (state_ == nullptr) return;
  const timeval timeout{2, 0};
  amqp_set_rpc_timeout(state_, &timeout);
  amqp_connection_close(state_, AMQP_REPLY_SUCCESS);  // an error does not matter here
  amqp_destroy_connection(state_);
  state_ = nullptr;
}

void AmqpConnection::Require(const amqp_rpc_reply_t& reply, const std::string& what, const std::string& remedy) const {
  if (reply.reply_type == AMQP_RESPONSE_NORMAL) return;
  if (reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION) {
    const std::string text =
        ClosingText({.frame_type = AMQP_FRAME_METHOD, .channel = kChannel, .payload = {.method = reply.reply}});
    if (reply.reply.id == AMQP_CHANNEL_CLOSE_METHOD) {
      throw ModelError({.item = Name()}, fmt::format("cannot {}: {}", what, text), remedy);
    }
    throw LostConnection(fmt::format("cannot {}: {}", what, text));
  }
  throw LostConnection(fmt::format(
      "cannot {}: {}", what,
      reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION ? amqp_error_string2(reply.library_error) : "no answer"));
}

void AmqpConnection::Require(int status, const char* what) const {
  if (status != AMQP_STATUS_OK) throw LostConnection(fmt::format("cannot {}: {}", what, amqp_error_string2(status)));
}

void AmqpConnection::DeclareExchange(const std::string& exchange, const std::string& type, bool is_durable) const {
  amqp_exchange_declare(state_, kChannel, BytesOf(exchange), BytesOf(type), 0, is_durable ? 1 : 0, 0, 0,
                        amqp_empty_table);
  Require(amqp_get_rpc_reply(state_), fmt::format("declare exchange '{}'", exchange),
          "if it exists with other properties, set them (exchange-type, exchange-durable), or set declare to false");
}

bool AmqpConnection::Wait(amqp_frame_t& frame, std::chrono::milliseconds wait) const {
  const timeval timeout = TimevalOf(wait);
  const int status = amqp_simple_wait_frame_noblock(state_, &frame, &timeout);
  if (status == AMQP_STATUS_TIMEOUT) return false;
  Require(status, "receive");
  return true;
}

std::string AmqpConnection::ClosingText(const amqp_frame_t& frame) const {
  if (frame.frame_type != AMQP_FRAME_METHOD) return {};
  const auto text_of = [](const auto& closing) {
    const std::string_view text = TextOf(closing.reply_text);
    return text.empty() ? fmt::format("the broker closed with code {} and no reason", closing.reply_code)
                        : std::string(text);
  };
  const void* decoded = frame.payload.method.decoded;
  if (frame.payload.method.id == AMQP_CHANNEL_CLOSE_METHOD) {
    return text_of(*static_cast<const amqp_channel_close_t*>(decoded));
  }
  if (frame.payload.method.id == AMQP_CONNECTION_CLOSE_METHOD) {
    return text_of(*static_cast<const amqp_connection_close_t*>(decoded));
  }
  return {};
}

}  // namespace openmi::broker
