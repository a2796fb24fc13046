#pragma once

#include <mutex>
#include <string>

namespace openmi::bmi {

/// While it lives, the process works in another folder; afterwards in the one it was in, whatever the library did about
/// it in between. One at a time: others wait, since the folder belongs to the whole process.
class WorkingDirectory {
 public:
  /// \param folder  empty: nothing changes and nobody waits
  /// \throws FileError  it cannot be entered
  explicit WorkingDirectory(const std::string& folder) : WorkingDirectory(nullptr, folder) {}
  /// \param follow  whether `folder` is, afterwards, where the library went to meanwhile: it finds itself there again
  WorkingDirectory(std::string& folder, bool follow) : WorkingDirectory(follow ? &folder : nullptr, folder) {}
  ~WorkingDirectory();
  WorkingDirectory(const WorkingDirectory&) = delete;
  WorkingDirectory& operator=(const WorkingDirectory&) = delete;

 private:
  WorkingDirectory(std::string* left, const std::string& folder);
  std::unique_lock<std::recursive_mutex> lock_;
  int before_ = -1;              // the folder it was in, open
  std::string* left_ = nullptr;  // where to write the folder in which it ended; null: nowhere
};

}  // namespace openmi::bmi
