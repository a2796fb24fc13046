#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace openmi::broker {

/// Reads a file line by line in bounded memory. A line that is appended later is found by the next call.
class FileLineReader {
 public:
  struct Line {
    std::string_view text;     ///< without its end; valid until the next call; empty where it is too long
    std::uint64_t size = 0;    ///< bytes without the end
    std::uint64_t number = 0;  ///< counts from 1
    bool is_too_long = false;
  };

  /// \param most_bytes  longest line in bytes; the text of longer ones is skipped
  /// \throws FileError  the file cannot be read
  FileLineReader(const std::filesystem::path& file, std::uint64_t most_bytes);
  ~FileLineReader();
  FileLineReader(const FileLineReader&) = delete;
  FileLineReader& operator=(const FileLineReader&) = delete;

  /// Reads the next line.
  /// \param only_whole  leaves a last line without its end for later, because it may still be written
  /// \returns false at the end of the file
  /// \throws FileError  the file cannot be read
  bool Next(Line& line, bool only_whole = false);
  /// Where the next line starts, in bytes.
  std::uint64_t Position() const { return position_; }
  /// Continues at a value of Position().
  /// \throws FileError  the file cannot go back
  void ReturnTo(std::uint64_t position);

 private:
  bool Fill();

  std::filesystem::path file_;
  std::uint64_t most_bytes_;
  int descriptor_ = -1;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // start of the bytes not yet returned
  std::size_t end_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace openmi::broker
