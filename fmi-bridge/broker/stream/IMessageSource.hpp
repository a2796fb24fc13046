#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fmi-bridge/broker/stream/StreamCounts.hpp"

namespace openmi::broker {

/// A message as it came.
struct Delivery {
  std::string_view body;      ///< good until the next call of the source
  std::string_view id;        ///< the publisher's; may be empty
  std::uint64_t place = 0;    ///< its number among all that were given, from 1
  std::uint64_t size = 0;     ///< bytes of the body
  bool is_oversized = false;  ///< longer than allowed: the body was passed over
};

/// How a question for a message ended.
enum class Taken {
  Message,
  Nothing,  ///< none came in time
  End       ///< none will ever come: a recording is over
};

/// How a source is, for health items.
struct SourceHealth {
  bool is_connected = true;
  std::optional<std::uint64_t> waiting;  ///< messages in the queue that were not delivered yet
};

/// Where messages come from, one after the other in the order received: a recording, a queue of a broker.
class IMessageSource {
 public:
  virtual ~IMessageSource() = default;
  /// Gets ready. \throws openmi::Error  that says what to do
  virtual void Open() = 0;
  /// Waits for the next message, at most so long. Counts what the source deals with by itself.
  virtual Taken Take(Delivery& delivery, std::chrono::milliseconds wait, StreamCounts& counts) = 0;
  /// Everything up to `place` was used and need not be given again.
  virtual void Release(std::uint64_t place) = 0;
  /// Nothing that was released waits here any more. \throws openmi::Error
  virtual void Settle() {}
  /// Where the next message will be, for a state. \throws StateError  this source cannot go back
  virtual std::uint64_t Position() = 0;
  /// Goes back (or on) to where Position() was that. Before Open or after it.
  virtual void ReturnTo(std::uint64_t position) = 0;
  /// Whether messages come as they are sent, not out of a file.
  virtual bool IsLive() const { return false; }
  /// "queue 'robot' of localhost:5672": for messages.
  virtual std::string Name() const = 0;
  virtual SourceHealth Health() { return {}; }
};

}  // namespace openmi::broker
