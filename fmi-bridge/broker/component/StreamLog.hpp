#pragma once

#include <fstream>
#include <memory>
#include <mutex>
#include <string>

namespace openmi::broker {

/// The file in which streams write what was wrong with messages; all streams of a run that name it write into one.
///
/// What is written is there at once. What an earlier run left in the file goes at the first step of this one, unless
/// the run goes on with that one (GoOn).
class StreamLog {
 public:
  /// The file of that path, opened where no other stream has it. \throws FileError  it cannot be written
  static std::shared_ptr<StreamLog> Of(const std::string& path);

  explicit StreamLog(const std::string& path);
  /// \param line  without its end
  void Write(const std::string& line);
  /// Removes what an earlier run left; only the first call of this or of GoOn counts. \throws FileError  it cannot be
  void BeginAnew();
  /// Leaves what is there: the run goes on from a state.
  void GoOn();

 private:
  std::mutex mutex_;
  std::string path_;
  std::ofstream file_;
  std::streamoff earlier_ = 0;  // bytes that an earlier run left
};

}  // namespace openmi::broker
