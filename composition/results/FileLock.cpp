#include "composition/results/FileLock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>

#include "composition/results/FileProblem.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

/// The number that the holder wrote, or 0.
long HolderOf(int file) {
  char text[32] = {};
  const ssize_t length = pread(file, text, sizeof text, 0);
  long process = 0;
  if (length > 0) std::from_chars(text, text + length, process);
  return process;
}

/// Whether the path still leads to the open file: another process may have removed it meanwhile.
bool IsStillAt(const std::filesystem::path& path, int file) {
  struct stat by_path = {};
  struct stat by_number = {};
  return stat(path.c_str(), &by_path) == 0 && fstat(file, &by_number) == 0 && by_path.st_dev == by_number.st_dev &&
         by_path.st_ino == by_number.st_ino;
}

}  // namespace

FileLock::FileLock(std::filesystem::path path) : path_(std::move(path)) {
  for (;;) {
    file_ = FileDescriptor(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!file_.IsOpen()) ThrowFileProblem(path_, "make a lock file beside the results", errno);
    if (flock(file_.Number(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno != EWOULDBLOCK) ThrowFileProblem(path_, "lock the results", errno);
      const long process = HolderOf(file_.Number());
      throw FileError({.file = path_.string()},
                      fmt::format("expected to be the only run that writes these results, found that {} does",
                                  process > 0 ? fmt::format("process {}", process) : "another one"),
                      "wait until it has ended, or name another folder for the results");
    }
    if (IsStillAt(path_, file_.Number())) break;
  }
  const std::string text = fmt::format("{}\n", getpid());
  // The number only helps users who wait: a full disk must not prevent the lock.
  [[maybe_unused]] const bool is_named =
      ftruncate(file_.Number(), 0) == 0 && pwrite(file_.Number(), text.data(), text.size(), 0) > 0;
}

FileLock::~FileLock() {
  if (!file_.IsOpen()) return;
  // Removed while locked, so that no process can take a removed file for the lock (see IsStillAt).
  unlink(path_.c_str());
  flock(file_.Number(), LOCK_UN);  // a child process may still have the file open
}

}  // namespace openmi
