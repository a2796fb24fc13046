#include "fmi-bridge/broker/recording/FileLineReader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "openmi/sdk/Error.hpp"

namespace openmi::broker {
namespace {
constexpr std::size_t kBlock = 1 << 16;
}

FileLineReader::FileLineReader(const std::filesystem::path& file, std::uint64_t most_bytes)
    : file_(file), most_bytes_(most_bytes), descriptor_(open(file.c_str(), O_RDONLY | O_CLOEXEC)), buffer_(kBlock) {
  if (descriptor_ >= 0) return;
  throw FileError({.file = file.string()},
                  fmt::format("expected a file that can be read, found: {}", std::generic_category().message(errno)),
                  "correct the path");
}

FileLineReader::~FileLineReader() {
  close(descriptor_);
}

bool FileLineReader::Fill() {
  if (begin_ != 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() - end_ < kBlock) buffer_.resize(end_ + kBlock);
  ssize_t got = 0;
  do {
    got = read(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    throw FileError({.file = file_.string()}, "cannot read: " + std::generic_category().message(errno),
                    "look at the disk");
  }
  end_ += static_cast<std::size_t>(got);
  return got > 0;
}

bool FileLineReader::Next(Line& line, bool only_whole) {
  line = {};
  std::uint64_t passed = 0;  // bytes of a line that is too long
  std::size_t searched = 0;
  while (true) {
    const char* const from = buffer_.data() + begin_;
    const auto* found = static_cast<const char*>(std::memchr(from + searched, '\n', end_ - begin_ - searched));
    const bool is_last = found == nullptr && [&] {
      searched = end_ - begin_;
      if (searched > most_bytes_ + 1) {
        passed += searched;
        begin_ = end_ = searched = 0;
      }
      return !Fill();
    }();
    if (found == nullptr && !is_last) continue;
    const std::size_t here = found != nullptr ? static_cast<std::size_t>(found - from) : end_ - begin_;
    const std::uint64_t size = passed + here;
    if (found == nullptr && (size == 0 || only_whole)) {
      if (passed != 0) ReturnTo(position_);
      return false;
    }
    line.number = ++number_;
    line.size = size;
    line.is_too_long = size > most_bytes_;
    if (!line.is_too_long) {
      line.text = {buffer_.data() + begin_, here};
      if (line.text.ends_with('\r')) line.text.remove_suffix(1);
    }
    begin_ += here + (found != nullptr ? 1 : 0);
    position_ += size + (found != nullptr ? 1 : 0);
    return true;
  }
}

void FileLineReader::ReturnTo(std::uint64_t position) {
  if (lseek(descriptor_, static_cast<off_t>(position), SEEK_SET) < 0) {
    throw FileError({.file = file_.string()}, "cannot go back: " + std::generic_category().message(errno),
                    "use a file on a disk");
  }
  begin_ = end_ = 0;
  position_ = position;
}

}  // namespace openmi::broker
