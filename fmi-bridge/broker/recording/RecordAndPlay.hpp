#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "fmi-bridge/broker/recording/RecordedSource.hpp"
#include "fmi-bridge/broker/recording/RecordingWriter.hpp"
#include "fmi-bridge/broker/stream/IMessageSink.hpp"
#include "fmi-bridge/broker/stream/IMessageSource.hpp"

namespace openmi::broker {

/// Takes messages of a source into a recording, and releases each once the file holds it.
class StreamRecorder {
 public:
  struct Options {
    std::uint64_t most_messages = 0;                ///< 0: no end
    std::optional<std::chrono::milliseconds> idle;  ///< ends where no message came for so long
  };

  /// \param source, writer  borrowed; the source is open
  StreamRecorder(IMessageSource& source, RecordingWriter& writer, Options options)
      : source_(source), writer_(writer), options_(options) {}

  /// \returns how many messages were recorded
  std::uint64_t Run();
  /// Ends it soon; may be called by a signal handler.
  void Stop() { stops_ = true; }
  const StreamCounts& Counts() const { return counts_; }

 private:
  IMessageSource& source_;
  RecordingWriter& writer_;
  Options options_;
  StreamCounts counts_;
  std::atomic<bool> stops_ = false;
};

/// Publishes a recording at the pace of its stamps: each message at its own, those without one with the message before.
/// One stamped before its predecessor is sent at once.
class RecordingPlayer {
 public:
  struct Options {
    double pace = 1.0;  ///< times as fast as it was; 0: as fast as it goes
    std::string stamp_member = "time";
    bool is_by_arrival = false;  ///< at the pace in which messages were received, not stamped
  };

  /// \param source, sink  borrowed; open
  RecordingPlayer(RecordedSource& source, IMessageSink& sink, Options options)
      : source_(source), sink_(sink), options_(std::move(options)) {}

  /// Returns when all is published and confirmed. \returns how many messages
  std::uint64_t Run();
  void Stop() { stops_ = true; }
  const StreamCounts& Counts() const { return counts_; }

 private:
  RecordedSource& source_;
  IMessageSink& sink_;
  Options options_;
  StreamCounts counts_;
  std::atomic<bool> stops_ = false;
};

}  // namespace openmi::broker
