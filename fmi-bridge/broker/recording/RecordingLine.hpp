#pragma once

#include <string>
#include <string_view>

#include "fmi-bridge/broker/stream/WallTime.hpp"

namespace openmi::broker {

/// One line of a recording: a message with its properties.
struct RecordingLine {
  Nanos received = 0;     ///< wall-clock time; 0 where it is not known
  std::string_view id;    ///< set by the publisher; may be empty
  std::string_view body;  ///< valid, as `id`, as long as the line and until the codec's next call
};

/// Encodes and decodes lines of recordings.
///
/// A recorded line is `{"received":"2019-01-04T14:41:24.1Z","id":"7","body":{...}}`. The body is unchanged where it is
/// one line of text and looks like an object. Otherwise it is written in hexadecimal digits, as `"bytes":"7b0a"`. Any
/// other line is a body alone, so that JSON lines of other programs can be replayed.
class RecordingCodec {
 public:
  /// The line without its end; valid until the next call.
  std::string_view Encode(const RecordingLine& line);
  /// The content of a line. A line that only starts like a recorded line is a body alone.
  RecordingLine Decode(std::string_view text);

 private:
  std::string text_;
  std::string id_;
  std::string bytes_;
};

}  // namespace openmi::broker
