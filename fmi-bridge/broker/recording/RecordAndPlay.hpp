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

/// Takes messages from a source into a recording, and releases each when it is in the file.
class StreamRecorder {
 public:
  struct Options {
    std::uint64_t most_messages = 0;                ///< 0: no limit
    std::optional<std::chrono::milliseconds> idle;  ///< ends when no message arrived for this long
  };

  /// \param source  borrowed, open
  /// \param writer  borrowed
  StreamRecorder(IMessageSource& source, RecordingWriter& writer, Options options)
      : source_(source), writer_(writer), options_(options) {}

  /// Records until the source ends, a limit is reached or Stop is called.
  /// \returns how many messages were recorded
  std::uint64_t Run();
  /// Ends Run soon; may be called by a signal handler.
  void Stop() { stops_ = true; }
  const StreamCounts& Counts() const { return counts_; }

 private:
  IMessageSource& source_;
  RecordingWriter& writer_;
  Options options_;
  StreamCounts counts_;
  std::atomic<bool> stops_ = false;
};

/// Publishes a recording at the pace of its stamps.
///
/// A message without a stamp is published with the message before it. A message stamped before its predecessor is
/// published at once.
class RecordingPlayer {
 public:
  struct Options {
    double pace = 1.0;  ///< factor to the original pace; 0: as fast as possible
    std::string stamp_member = "time";
    bool is_by_arrival = false;  ///< at the pace at which messages were received, not stamped
  };

  /// \param source  borrowed, open
  /// \param sink  borrowed, open
  RecordingPlayer(RecordedSource& source, IMessageSink& sink, Options options)
      : source_(source), sink_(sink), options_(std::move(options)) {}

  /// Publishes the recording, until all is confirmed or Stop is called.
  /// \returns how many messages were published
  std::uint64_t Run();
  /// Ends Run soon; may be called by a signal handler.
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
