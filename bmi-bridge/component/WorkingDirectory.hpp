#pragma once

#include <mutex>
#include <string>

namespace openmi::bmi {

/// Changes the working folder of the process during the lifetime of this object.
///
/// Afterwards the process is in its previous folder again, even if the library changed the folder meanwhile. One object
/// at a time: others wait, because the folder belongs to the whole process.
class WorkingDirectory {
 public:
  /// \param folder  empty: nothing changes, and the object does not wait for others
  /// \throws FileError  the folder cannot be entered
  explicit WorkingDirectory(const std::string& folder) : WorkingDirectory(nullptr, folder) {}
  /// \param folder  the folder to enter; with `follow` it receives the folder that the library left the process in
  /// \param follow  whether the library must find that folder again at the next call
  WorkingDirectory(std::string& folder, bool follow) : WorkingDirectory(follow ? &folder : nullptr, folder) {}
  ~WorkingDirectory();
  WorkingDirectory(const WorkingDirectory&) = delete;
  WorkingDirectory& operator=(const WorkingDirectory&) = delete;

 private:
  WorkingDirectory(std::string* left, const std::string& folder);
  std::unique_lock<std::recursive_mutex> lock_;
  int before_ = -1;              // the previous folder, open
  std::string* left_ = nullptr;  // receives the folder at the end of the lifetime; may be null
};

}  // namespace openmi::bmi
