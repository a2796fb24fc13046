#pragma once

#include <amqp.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fmi-bridge/broker/amqp/AmqpOptions.hpp"

namespace openmi::broker {

/// The reply code of a broker that refuses access (AMQP 0-9-1).
inline constexpr int kAccessRefused = 403;

/// The connection is lost, or the broker closed the channel. A new connection may succeed.
class LostConnection : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A connection to a broker with one channel. A lost connection is re-established, after pauses that grow from 0.1 s to
/// 5 s.
///
/// Used by one thread.
class AmqpConnection {
 public:
  static constexpr amqp_channel_t kChannel = 1;
  using Clock = std::chrono::steady_clock;

  /// \param set_up  called for each new connection, to declare and to subscribe
  AmqpConnection(AmqpOptions options, std::function<void()> set_up);
  ~AmqpConnection();
  AmqpConnection(const AmqpConnection&) = delete;
  AmqpConnection& operator=(const AmqpConnection&) = delete;

  /// Connects.
  /// \throws ModelError  there is no connection; says why and what to do
  void Open();
  /// Connects where there is no connection, and tries again until `deadline`.
  /// \returns whether there is a connection
  /// \throws ModelError  trying again does not help: refused credentials, a certificate that does not fit, or a missing
  ///   queue
  bool Ensure(Clock::time_point deadline);
  bool IsOpen() const { return state_ != nullptr; }
  /// Drops the connection after a LostConnection.
  /// \param reason  shown by LastLoss
  void Drop(const std::string& reason);
  /// Closes the connection; waits at most 2 s for the broker.
  void Close();

  amqp_connection_state_t State() const { return state_; }
  /// Checks an answer of the broker.
  /// \param what  what was requested: "declare queue 'q'"
  /// \throws ModelError  the broker refuses
  /// \throws LostConnection  the connection is lost, or there is no answer
  void Require(const amqp_rpc_reply_t& reply, const std::string& what, const std::string& remedy) const;
  /// Makes an exchange, unless it exists.
  /// \throws ModelError  it exists with other properties
  /// \throws LostConnection  the connection is lost, or there is no answer
  void DeclareExchange(const std::string& exchange, const std::string& type, bool is_durable) const;
  /// Checks a status of the AMQP library.
  /// \throws LostConnection  the status is an error
  void Require(int status, const char* what) const;
  /// Waits for a frame.
  /// \returns false when none arrived
  /// \throws LostConnection  the connection is lost
  bool Wait(amqp_frame_t& frame, std::chrono::milliseconds wait) const;
  /// The broker's text in a frame that closes the channel or the connection; empty for other frames.
  std::string ClosingText(const amqp_frame_t& frame) const;
  /// How often the connection was re-established.
  std::uint64_t Reconnects() const { return connects_ == 0 ? 0 : connects_ - 1; }
  /// Why the connection was last lost.
  const std::string& LastLoss() const { return last_loss_; }
  /// "localhost:5672".
  std::string Name() const;

 private:
  void Connect();
  void SetUpSocket() const;
  amqp_socket_t* MakeSocket();
  void Login();

  AmqpOptions options_;
  std::function<void()> set_up_;
  amqp_connection_state_t state_ = nullptr;
  std::uint64_t connects_ = 0;
  std::string last_loss_;
  Clock::time_point next_try_{};
  std::chrono::milliseconds pause_{};
};

/// The bytes of a text, borrowed.
amqp_bytes_t BytesOf(const std::string& text);
std::string_view TextOf(amqp_bytes_t bytes);

}  // namespace openmi::broker
