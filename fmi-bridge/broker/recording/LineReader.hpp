#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace openmi::broker {

/// Reads a file line by line in bounded memory. What is written behind the end is found by the next call.
class LineReader {
 public:
  struct Line {
    std::string_view text;     ///< without its end; good until the next call; empty where it is too long
    std::uint64_t size = 0;    ///< bytes without the end
    std::uint64_t number = 0;  ///< from 1
    bool is_too_long = false;
  };

  /// \param most_bytes  of a line; longer ones are passed over
  LineReader(const std::filesystem::path& file, std::uint64_t most_bytes);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// \param only_whole  leaves a last line without its end for later: somebody may be writing it
  /// \returns false: the file ends. \throws FileError
  bool Next(Line& line, bool only_whole = false);
  /// Where the next line begins, in bytes.
  std::uint64_t Position() const { return position_; }
  void ReturnTo(std::uint64_t position);

 private:
  bool Fill();

  std::filesystem::path file_;
  std::uint64_t most_bytes_;
  int descriptor_ = -1;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what was not given yet
  std::size_t end_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace openmi::broker
