#include "composition/results/AppendFile.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "composition/results/FileProblem.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

bool IsTaken(const std::filesystem::path& path) {
  struct stat status = {};
  return lstat(path.c_str(), &status) == 0 && !(S_ISREG(status.st_mode) && status.st_size == 0);
}

namespace {

[[noreturn]] void RefuseLink(const std::filesystem::path& path) {
  throw FileError({.file = path.string()}, "expected a file of the results, found a symbolic link",
                  "remove the link, or name another folder for the results");
}

void LockOrRefuse(const FileDescriptor& file, const std::filesystem::path& path) {
  if (flock(file.Number(), LOCK_EX | LOCK_NB) == 0) return;
  throw FileError({.file = path.string()}, "expected to be the only one to write this file, found that another does",
                  "wait until it has ended, or name another folder for the results");
}

}  // namespace

void ExpectReplaceable(const std::filesystem::path& path) {
  // O_NONBLOCK, so that opening a pipe without a reader does not wait; it then fails with ENXIO.
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status = {};
  if (file.IsOpen() ? fstat(file.Number(), &status) == 0 && !S_ISREG(status.st_mode) : errno == ENXIO) {
    throw FileError({.file = path.string()}, "expected a file of the results, found a pipe or a device",
                    "remove it, or name another folder for the results");
  }
  if (file.IsOpen()) {
    LockOrRefuse(file, path);
  } else if (errno == ELOOP) {
    RefuseLink(path);
  } else if (errno != ENOENT) {
    ThrowFileProblem(path, "write results", errno);
  }
}

AppendFile::AppendFile(std::filesystem::path path, Existing existing) : path_(std::move(path)) {
  // O_EXCL, so that no other process can create the file between a check and the opening. An existing file that is to
  // be overwritten is emptied only under the lock.
  const bool refuses = existing == Existing::Refuse;
  const int how = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  const auto refuse = [this] { RefuseEarlierResults(path_); };
  // A link is not followed: its target does not belong to the results.
  file_ = FileDescriptor(open(path_.c_str(), how | (refuses ? O_EXCL : O_NOFOLLOW), 0666));
  if (!file_.IsOpen() && errno == ELOOP) RefuseLink(path_);
  if (!file_.IsOpen() && errno == EEXIST && refuses && !IsTaken(path_)) {
    file_ = FileDescriptor(open(path_.c_str(), how | O_NOFOLLOW, 0666));
  }
  if (!file_.IsOpen()) {
    if (errno == EEXIST) refuse();
    ThrowFileProblem(path_, "write results", errno);
  }
  struct stat status = {};
  if (fstat(file_.Number(), &status) != 0 || !S_ISREG(status.st_mode)) return;  // a device
  LockOrRefuse(file_, path_);
  // Another process may have written the file before it was locked.
  if (fstat(file_.Number(), &status) != 0) ThrowFileProblem(path_, "write results", errno);
  if (refuses && status.st_size > 0) refuse();
  if (status.st_size > 0 && ftruncate(file_.Number(), 0) != 0) {
    ThrowFileProblem(path_, "overwrite earlier results", errno);
  }
}

AppendFile::AppendFile(std::filesystem::path path, std::uint64_t size)
    : path_(std::move(path)), file_(open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)), size_(size) {
  if (!file_.IsOpen()) ThrowFileProblem(path_, "continue earlier results", errno);
  LockOrRefuse(file_, path_);
  struct stat status = {};
  if (fstat(file_.Number(), &status) != 0) ThrowFileProblem(path_, "continue earlier results", errno);
  if (static_cast<std::uint64_t>(status.st_size) < size) {
    throw FormatError({.file = path_.string()},
                      fmt::format("expected at least {} bytes of earlier results, found {}", size, status.st_size),
                      "the file was cut or changed since: start anew, with --overwrite");
  }
}

void AppendFile::CutBack(std::uint64_t size) {
  size_ = size;
  CutBack();
}

void AppendFile::CutBack() {
  if (ftruncate(file_.Number(), static_cast<off_t>(size_)) != 0) {
    ThrowFileProblem(path_, "cut earlier results back", errno);
  }
}

bool AppendFile::IsAtItsPath() const {
  struct stat open_file = {};
  struct stat at_path = {};
  if (fstat(file_.Number(), &open_file) != 0 || !S_ISREG(open_file.st_mode)) return true;
  return stat(path_.c_str(), &at_path) == 0 && at_path.st_dev == open_file.st_dev && at_path.st_ino == open_file.st_ino;
}

void AppendFile::MoveTo(std::filesystem::path path) {
  if (rename(path_.c_str(), path.c_str()) != 0) ThrowFileProblem(path, "put results in their place", errno);
  path_ = std::move(path);
}

void AppendFile::Sync() {
  if (fdatasync(file_.Number()) != 0 && errno != EINVAL && errno != EROFS) {  // not possible for devices
    ThrowFileProblem(path_, "hand results to the disk", errno);
  }
}

int AppendFile::Write(std::string_view block) {
  const std::uint64_t length = block.size();
  while (!block.empty()) {
    const ssize_t written = write(file_.Number(), block.data(), block.size());
    if (written > 0) {
      block.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0 || errno != EINTR) {
      const int error = written == 0 ? ENOSPC : errno;
      // A device cannot be cut; if a file cannot be cut, its reader drops the tail.
      [[maybe_unused]] const int cut = ftruncate(file_.Number(), static_cast<off_t>(size_));
      return error;
    }
  }
  size_ += length;
  return 0;
}

void AppendFile::Discard() {
  struct stat status = {};
  if (fstat(file_.Number(), &status) == 0 && S_ISREG(status.st_mode)) unlink(path_.c_str());  // while it is locked
  file_.Close();
}

void AppendFile::Close() {
  if (!file_.IsOpen()) return;
  try {
    Sync();
  } catch (const Error&) {
    file_.Close();
    throw;
  }
  if (const int close_error = file_.Close(); close_error != 0)
    ThrowFileProblem(path_, "close the results", close_error);
}

}  // namespace openmi
