#include "composition/results/FileProblem.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "openmi/sdk/Error.hpp"
#include "openmi/system/FileDescriptor.hpp"

namespace openmi {
namespace {

struct Explanation {
  int error;
  const char* found;
  const char* remedy;
};

// Texts of this project, because those of the C library depend on the locale and suggest no remedy.
constexpr Explanation kExplanations[] = {
    {ENOSPC, "the disk is full", "free some space or name another folder for the results, and run again"},
    {EDQUOT, "the disk quota is used up", "free some space or name another folder for the results, and run again"},
    {EFBIG, "the file would be larger than the system allows",
     "raise the limit (ulimit -f) or observe fewer elements or times, and run again"},
    {EACCES, "permission denied", "name a folder for the results that you may write to"},
    {EPERM, "permission denied", "name a folder for the results that you may write to"},
    {EROFS, "the file system is read-only", "name a folder for the results that you may write to"},
    {ENOTDIR, "a part of the path is a file and no folder", "name another folder for the results"},
    {ENOENT, "there is no such file or folder", "correct the path"},
    {EISDIR, "it is a folder", "name a file"},
    {ENAMETOOLONG, "the name is too long", "name the results shorter"},
    {EIO, "the device failed", "look at the disk; name a folder on another one"},
};

}  // namespace

void ThrowFileProblem(const std::filesystem::path& path, std::string_view wanted, int error, std::string_view intact) {
  std::string found = fmt::format("{} (error {})", std::generic_category().message(error), error);
  std::string remedy = "see whether the file and its folder can be used";
  for (const Explanation& explanation : kExplanations) {
    if (explanation.error == error) {
      found = explanation.found;
      remedy = explanation.remedy;
    }
  }
  throw FileError({.file = path.string()},
                  fmt::format("cannot {}: {}{}{}", wanted, found, intact.empty() ? "" : "; ", intact), remedy);
}

void RefuseEarlierResults(const std::filesystem::path& path) {
  throw FileError(
      {.file = path.string()}, "expected no earlier results, found this file",
      "resume that run if it ended early (--resume; in Python resume=True), replace it (--overwrite; in Python "
      "overwrite=True), or name another folder");
}

void SyncFolder(const std::filesystem::path& folder) {
  const FileDescriptor file(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!file.IsOpen() || fsync(file.Number()) == 0) return;
  const int error = errno;
  if (error == EIO || error == ENOSPC || error == EDQUOT) ThrowFileProblem(folder, "hand results to the disk", error);
}

}  // namespace openmi
