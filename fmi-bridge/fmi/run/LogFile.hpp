#pragma once

#include <fstream>
#include <string>

#include "fmi-bridge/fmi/run/Instance.hpp"

namespace openmi::fmi {

/// Messages of instances, a line each: time of day, instance, status, category, text.
class LogFile {
 public:
  /// Appends to the file. \throws FileError
  explicit LogFile(const std::string& path);
  void Write(const LogMessage& message);

 private:
  std::ofstream file_;
};

/// "creek: Warning [logEvents]: bounce", on one line.
std::string LogLine(const LogMessage& message);

}  // namespace openmi::fmi
