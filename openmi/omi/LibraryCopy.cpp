#include "openmi/omi/LibraryCopy.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "openmi/omi/Script.hpp"
#include "openmi/system/FileDescriptor.hpp"

namespace openmi {

namespace fs = std::filesystem;

namespace {

constexpr char kPrefix[] = ".openmi-copy-";
constexpr int kAttempts = 20;
constexpr std::chrono::milliseconds kPause{25};
constexpr std::size_t kBlock = std::size_t{1} << 16;

// Copies the rest of `from` and hashes it, eight bytes at a time; when `to` is negative it only hashes.
bool CopyAndHash(int from, int to, std::uint64_t& hash) {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  std::vector<char> block(kBlock);
  hash = 0xcbf29ce484222325;
  for (off_t offset = 0;;) {
    const ssize_t got = pread(from, block.data(), block.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) return true;
    offset += got;
    const auto count = static_cast<std::size_t>(got);
    for (std::size_t i = 0; i < count; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, block.data() + i, std::min<std::size_t>(8, count - i));
      hash = std::rotl((hash ^ word) * kPrime, 29);
    }
    for (std::size_t done = 0; to >= 0 && done < count;) {
      const ssize_t put = write(to, block.data() + done, count - done);
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return false;
      done += static_cast<std::size_t>(put);
    }
  }
}

// Copies that a killed process left. No load takes an hour, also not on another machine that shares the folder.
void RemoveForgottenCopies(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<std::string> looked_at;
  const std::scoped_lock lock(mutex);
  if (!looked_at.insert(folder.string()).second) return;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string path = entry->path().string();
    struct stat status = {};
    if (!entry->path().filename().string().starts_with(kPrefix) || lstat(path.c_str(), &status) != 0) continue;
    if (S_ISREG(status.st_mode) && status.st_uid == geteuid() && std::time(nullptr) - status.st_mtime > 3600) {
      unlink(path.c_str());
    }
  }
}

// The stamp from the result of `stat`; its hash is 0.
FileStamp StampOf(const struct stat& status) {
  FileStamp stamp;
  stamp.size = static_cast<std::uint64_t>(status.st_size);
  stamp.modified_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  stamp.inode = status.st_ino;
  return stamp;
}

// Whether size, time and inode are equal. The hash is not compared.
bool SameFile(const FileStamp& a, const FileStamp& b) {
  return a.size == b.size && a.modified_ns == b.modified_ns && a.inode == b.inode;
}

[[noreturn]] void ThrowUnreadable(const std::string& path, const Where& where) {
  throw LoadError(where, fmt::format("expected a shared library at '{}', found: {}", path, std::strerror(errno)),
                  "make the file readable for this user");
}

}  // namespace

std::uint64_t HashOfLibrary(const std::string& path, const Where& where) {
  if (Script::IsModule(path)) return 0;
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::uint64_t hash = 0;
  if (!file.IsOpen() || !CopyAndHash(file.Number(), -1, hash)) {
    ThrowUnreadable(path, where);
  }
  return hash;
}

LibraryCopy::LibraryCopy(const std::string& path, bool uses_origin, bool in_place, const Where& where) : name_(path) {
  const FileDescriptor original(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const int from = original.Number();
  if (!original.IsOpen()) {
    ThrowUnreadable(path, where);
  }
  bool changing = false;
  if (in_place || (!CopyBeside(path, from) && (uses_origin || !CopyToMemory(path, from)))) {
    image_ = LibraryImage::InPlace;
    changing = !CopyStable(from, -1);
  }
  if (changing) {
    throw LoadError(where,
                    fmt::format("expected a shared library at '{}', found a file that changes while it is read", path),
                    "wait until it is written, and replace it by renaming a finished file");
  }
}

LibraryCopy::~LibraryCopy() {
  if (image_ == LibraryImage::CopyBeside) unlink(name_.c_str());
  if (memory_file_ >= 0) close(memory_file_);
}

int LibraryCopy::ReleaseMemoryFile() {
  return std::exchange(memory_file_, -1);
}

bool LibraryCopy::CopyBeside(const std::string& path, int from) {
  static std::atomic<unsigned> count = 0;
  const fs::path original(path);
  RemoveForgottenCopies(original.parent_path());
  const std::string name = (original.parent_path() / fmt::format("{}{}-{}-{}", kPrefix, getpid(), ++count,
                                                                 original.filename().string().substr(0, 100)))
                               .string();
  FileDescriptor to(open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRWXU));
  if (!to.IsOpen()) return false;
  const bool copied = CopyStable(from, to.Number());
  if (to.Close() != 0 || !copied) {
    unlink(name.c_str());
    return false;
  }
  name_ = name;
  image_ = LibraryImage::CopyBeside;
  return true;
}

bool LibraryCopy::CopyToMemory(const std::string& path, int from) {
  const int to = memfd_create(fs::path(path).filename().string().substr(0, 100).c_str(), MFD_CLOEXEC);
  if (to < 0) return false;
  if (!CopyStable(from, to)) {
    close(to);
    return false;
  }
  memory_file_ = to;
  name_ = fmt::format("/proc/self/fd/{}", to);
  image_ = LibraryImage::CopyInMemory;
  return true;
}

// The file may be written at this moment: copies until it is the same before and after.
bool LibraryCopy::CopyStable(int from, int to) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(kPause);
    struct stat before = {};
    struct stat after = {};
    if (attempt > 0 && to >= 0 && (ftruncate(to, 0) != 0 || lseek(to, 0, SEEK_SET) != 0)) return false;
    if (fstat(from, &before) != 0) return false;
    std::uint64_t hash = 0;
    if (!CopyAndHash(from, to, hash)) return false;
    if (fstat(from, &after) != 0) return false;
    if (!SameFile(StampOf(before), StampOf(after))) continue;
    stamp_ = StampOf(after);
    stamp_.hash = hash;
    return true;
  }
  return false;
}

}  // namespace openmi
