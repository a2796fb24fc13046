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

/// What a broker answers to whoever has no right to what he asks for (AMQP 0-9-1, reply codes).
inline constexpr int kAccessRefused = 403;

/// The connection is gone, or the broker closed the channel: can be made anew.
class LostConnection : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A connection to a broker with one channel, made anew where it is lost, with pauses that grow from 0.1 s to 5 s.
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

  /// Connects. \throws ModelError  that says why it cannot be and what to do
  void Open();
  /// Connects where it is not, trying until `deadline`. \returns whether there is a connection
  /// \throws ModelError  trying again does not help: refused credentials, a certificate that does not fit, a queue
  /// that is not there
  bool Ensure(Clock::time_point deadline);
  bool IsOpen() const { return state_ != nullptr; }
  /// Drops the connection after a LostConnection. \param reason  for the log
  void Drop(const std::string& reason);
  void Close();

  amqp_connection_state_t State() const { return state_; }
  /// Throws what an answer of the broker says: LostConnection, or ModelError where it refuses. \param what  "declare
  /// queue 'q'"
  void Require(const amqp_rpc_reply_t& reply, const std::string& what, const std::string& remedy) const;
  /// \throws LostConnection  the library says that something went wrong
  void Require(int status, const char* what) const;
  /// Waits for a frame. \returns false: none came. \throws LostConnection
  bool Wait(amqp_frame_t& frame, std::chrono::milliseconds wait) const;
  /// What the broker said in a frame that closes the channel or the connection; empty for other frames.
  std::string ClosingText(const amqp_frame_t& frame) const;
  /// How often the connection was made anew.
  std::uint64_t Reconnects() const { return connects_ == 0 ? 0 : connects_ - 1; }
  /// Why it was lost last.
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

amqp_bytes_t BytesOf(const std::string& text);
std::string_view TextOf(amqp_bytes_t bytes);

}  // namespace openmi::broker
