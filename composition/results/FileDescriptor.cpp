#include "composition/results/FileDescriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "composition/results/FileProblem.hpp"

namespace openmi {

int FileDescriptor::Close() {
  const int number = std::exchange(number_, -1);
  return number >= 0 && close(number) != 0 ? errno : 0;
}

void SyncFolder(const std::filesystem::path& folder) {
  const FileDescriptor file(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!file.IsOpen() || fsync(file.Number()) == 0) return;
  const int error = errno;
  if (error == EIO || error == ENOSPC || error == EDQUOT) ThrowFileProblem(folder, "hand results to the disk", error);
}

}  // namespace openmi
