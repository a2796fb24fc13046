#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "fmi-bridge/dcp/master/SessionSockets.hpp"

namespace openmi::dcp {

/// The answer of a slave to a request.
struct Answer {
  bool is_ack = false;
  bool was_received = false;  ///< the slave took the request, but its answer is unknown
  ErrorCode error = ErrorCode::NONE;
  std::uint16_t expected = 0;  ///< the number that the slave expects, where it refused the request's
  State state = State::ALIVE;
  ByteView entries = {};  ///< of its log; valid until the next arrival
};

/// The requests to one slave, one at a time: their sequence numbers, and the answer to the last one.
class Requests {
 public:
  using Clock = Transport::Clock;

  /// \param sockets  borrowed
  /// \param options  borrowed
  Requests(SessionSockets& sockets, const SessionOptions& options) : sockets_(sockets), options_(options) {}

  /// Sends a request with the next number and the slave's id. No allocation, once a request as long was sent.
  void Send(const Pdu& request);
  /// Sends the last request again.
  void Repeat();
  /// Takes a response. One that does not belong to the last request, or comes again, is dropped.
  /// \returns false when `pdu` is no response
  bool Take(const Pdu& pdu);

  /// Whether the last request has its answer.
  bool IsAnswered() const { return answer_.has_value(); }
  /// Judges the answer.
  /// \param was_repeated  whether the request was sent more than once
  /// \returns nothing where the slave expects another number: Repeat then sends the request with that number
  /// \pre IsAnswered()
  std::optional<Answer> Settle(bool was_repeated);

  PduType Type() const { return static_cast<PduType>(bytes_[0]); }
  std::uint16_t Number() const { return sequence_; }
  /// When the last request was sent last.
  Clock::time_point SentAt() const { return sent_at_; }

 private:
  void PutNumber();

  SessionSockets& sockets_;
  const SessionOptions& options_;
  std::uint16_t sequence_ = 1;
  Bytes bytes_;  // the last request, in the first size_ bytes
  std::size_t size_ = 0;
  Clock::time_point sent_at_;
  std::optional<Answer> answer_;
};

}  // namespace openmi::dcp
