#pragma once

#include <fstream>
#include <string>

#include "fmi-bridge/fmi/run/Instance.hpp"

namespace openmi::fmi {

/// Writes messages of instances to a file, one line each: time of day, instance, status, category, text.
class LogFile {
 public:
  /// Appends to the file.
  /// \throws FileError  the file cannot be opened
  explicit LogFile(const std::string& path);
  void Write(const LogMessage& message);

 private:
  std::ofstream file_;
};

/// "creek: Warning [logEvents]: bounce", on one line.
std::string LogLine(const LogMessage& message);

}  // namespace openmi::fmi
