#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace openmi {

/// Splits bytes, as they arrive, into lines of bounded length.
class LineSplitter {
 public:
  /// The longest line that a run accepts from a client, bytes.
  static constexpr std::size_t kLongest = std::size_t{1} << 16;

  /// \param longest  maximum length of a line, bytes
  explicit LineSplitter(std::size_t longest = kLongest) : longest_(longest) {}
  /// Adds bytes as they arrived.
  /// \returns false if a line is longer than allowed: nothing more must be read
  bool Add(std::string_view bytes);
  /// The next whole line, without the line end; no value if there is none yet.
  std::optional<std::string> Next();

 private:
  std::size_t longest_;
  std::string buffer_;
  std::size_t searched_ = 0;
};

}  // namespace openmi
