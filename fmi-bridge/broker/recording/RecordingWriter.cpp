#include "fmi-bridge/broker/recording/RecordingWriter.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "openmi/sdk/Error.hpp"

namespace openmi::broker {
namespace {
constexpr std::size_t kMostPending = 1 << 16;
}

RecordingWriter::RecordingWriter(const std::filesystem::path& file, bool appends)
    : file_(file), descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (appends ? 0 : O_TRUNC), 0644)) {
  if (descriptor_ < 0) Fail("expected a file that can be written, found");
  off_t end = lseek(descriptor_, 0, SEEK_END);
  char last = '\n';
  while (end > 0 && pread(descriptor_, &last, 1, end - 1) == 1 && last != '\n') --end;
  if (ftruncate(descriptor_, end) != 0 || lseek(descriptor_, end, SEEK_SET) < 0) Fail("cannot be written");
  size_ = static_cast<std::uint64_t>(end);
}

RecordingWriter::~RecordingWriter() {
  try {
    Flush();
  } catch (const Error&) {  // callers that need the error call Flush
  }
  close(descriptor_);
}

void RecordingWriter::Fail(const char* what) const {
  throw FileError({.file = file_.string()}, fmt::format("{}: {}", what, std::generic_category().message(errno)),
                  "look at the path, the rights and the space on the disk");
}

void RecordingWriter::Append(const RecordingLine& line) {
  const std::string_view text = codec_.Encode(line);
  pending_.append(text);
  pending_ += '\n';
  size_ += text.size() + 1;
  if (pending_.size() > kMostPending) Flush();
}

void RecordingWriter::Flush() {
  std::size_t written = 0;
  while (written < pending_.size()) {
    const ssize_t done = write(descriptor_, pending_.data() + written, pending_.size() - written);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) {
      pending_.erase(0, written);
      Fail("cannot be written");
    }
    written += static_cast<std::size_t>(done);
  }
  pending_.clear();
}

void RecordingWriter::Sync() {
  Flush();
  if (synced_ == size_ && is_named_on_disk_) return;
  if (fdatasync(descriptor_) != 0) Fail("cannot be brought to the disk");
  synced_ = size_;
  if (is_named_on_disk_) return;
  const std::filesystem::path folder = file_.has_parent_path() ? file_.parent_path() : ".";
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool is_done = descriptor >= 0 && fsync(descriptor) == 0;
  if (descriptor >= 0) close(descriptor);
  if (!is_done) Fail("its folder cannot be brought to the disk");
  is_named_on_disk_ = true;
}

}  // namespace openmi::broker
