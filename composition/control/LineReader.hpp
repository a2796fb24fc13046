#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace openmi {

/// Cuts bytes as they come into lines of bounded length.
class LineReader {
 public:
  /// What a run takes from a stranger.
  static constexpr std::size_t kLongest = std::size_t{1} << 16;

  /// \param longest  a line may be, bytes
  explicit LineReader(std::size_t longest = kLongest) : longest_(longest) {}
  /// Takes bytes as they came. \returns false when a line is longer than it may be: nothing more is to be read
  bool Add(std::string_view bytes);
  /// The next whole line, without its end; nothing if there is none yet.
  std::optional<std::string> Next();

 private:
  std::size_t longest_;
  std::string buffer_;
  std::size_t searched_ = 0;
};

}  // namespace openmi
