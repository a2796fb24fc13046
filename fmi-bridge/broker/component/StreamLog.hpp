#pragma once

#include <fstream>
#include <memory>
#include <mutex>
#include <string>

namespace openmi::broker {

/// The file in which streams log problems with messages. All streams of a run that name it share it.
///
/// A line is in the file as soon as Write returns. The first step of a run removes the lines of an earlier run, unless
/// the run resumes that one (GoOn).
class StreamLog {
 public:
  /// The log of that path; opened where no other stream has it open.
  /// \throws FileError  the file cannot be written
  static std::shared_ptr<StreamLog> Of(const std::string& path);

  /// \throws FileError  the file cannot be written
  explicit StreamLog(const std::string& path);
  /// Appends a line.
  /// \param line  without its end
  void Write(const std::string& line);
  /// Removes the lines of an earlier run. Only the first call of this function or of GoOn has an effect.
  /// \throws FileError  the file cannot be written
  void BeginAnew();
  /// Keeps the lines of an earlier run, because this run resumes it.
  void GoOn();

 private:
  std::mutex mutex_;
  std::string path_;
  std::ofstream file_;
  std::streamoff earlier_ = 0;  // bytes of an earlier run
};

}  // namespace openmi::broker
