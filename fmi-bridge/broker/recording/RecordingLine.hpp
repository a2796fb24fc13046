#pragma once

#include <string>
#include <string_view>

#include "fmi-bridge/broker/stream/WallTime.hpp"

namespace openmi::broker {

/// One line of a recording: a message with what a broker says about it.
struct RecordingLine {
  Nanos received = 0;     ///< wall-clock time; 0 where it is not known
  std::string_view id;    ///< the publisher's; may be empty
  std::string_view body;  ///< views last as long as the line and the codec's next call
};

/// Lines of recordings. One that was recorded is `{"received":"2019-01-04T14:41:24.1Z","id":"7","body":{...}}`, the
/// body as it came where it is one line of text and looks like an object, else in hexadecimal digits, `"bytes":"7b0a"`.
/// Any other line is a body by itself, so that JSON lines of anybody's making can be replayed.
class RecordingCodec {
 public:
  /// The line without its end; good until the next call.
  std::string_view Encode(const RecordingLine& line);
  /// What a line holds. One that only begins like a recorded line is a body by itself.
  RecordingLine Decode(std::string_view text);

 private:
  std::string text_;
  std::string id_;
  std::string bytes_;
};

}  // namespace openmi::broker
