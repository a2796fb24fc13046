#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fmi-bridge/broker/stream/StreamCounts.hpp"

namespace openmi::broker {

/// A message as it was received.
struct Delivery {
  std::string_view body;      ///< valid until the next call of the source
  std::string_view id;        ///< set by the publisher; may be empty
  std::uint64_t place = 0;    ///< its number among all messages of the source, from 1
  std::uint64_t size = 0;     ///< bytes of the body
  bool is_oversized = false;  ///< longer than allowed; the body was skipped
};

/// The result of Take.
enum class Taken {
  Message,
  Nothing,  ///< no message in time
  End       ///< no message will follow: the recording has ended
};

/// The condition of a source, for health items.
struct SourceHealth {
  bool is_connected = true;
  std::optional<std::uint64_t> waiting;  ///< messages in the queue that are not delivered yet
};

/// Messages in the order received, from a recording or a queue of a broker.
///
/// Order of calls: Open; then Take, and Release when messages were used; Settle at the end.
class IMessageSource {
 public:
  virtual ~IMessageSource() = default;
  /// Opens the source.
  /// \throws openmi::Error  it cannot be opened; says what to do
  virtual void Open() = 0;
  /// Waits for the next message.
  /// \param wait  the longest wait
  /// \param counts  what the source itself handles (messages delivered again, reconnects) is added
  virtual Taken Take(Delivery& delivery, std::chrono::milliseconds wait, StreamCounts& counts) = 0;
  /// Reports that all messages up to `place` were used and need not be delivered again.
  virtual void Release(std::uint64_t place) = 0;
  /// Passes on to the broker every release that the source has held back.
  /// \throws openmi::Error  it is not possible
  virtual void Settle() {}
  /// The position of the next message, for a state.
  /// \throws StateError  this source cannot go back
  virtual std::uint64_t Position() = 0;
  /// Goes back, or on, to a value of Position(). May be called before or after Open.
  /// \throws StateError  this source cannot go back
  virtual void ReturnTo(std::uint64_t position) = 0;
  /// Whether messages arrive when they are published, and not from a file.
  virtual bool IsLive() const { return false; }
  /// Name for messages, such as "queue 'robot' of localhost:5672".
  virtual std::string Name() const = 0;
  virtual SourceHealth Health() { return {}; }
};

}  // namespace openmi::broker
