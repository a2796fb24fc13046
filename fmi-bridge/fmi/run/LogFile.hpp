#pragma once

#include <fstream>
#include <span>
#include <string>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/run/CallbackTarget.hpp"

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

/// A message of FMI 1.0 or 2.0 with the names of variables in it.
///
/// Replaces `#r12#` by the name of the Real with value reference 12 (i, b and s are the other types), and `##` by `#`.
std::string NamesInText(const char* text, const ModelDescription& description);

/// Checks that an FMU can restrict its log to these categories.
/// \throws ArgumentError  a category does not belong to the FMU, or the FMU is of FMI 1.0, which has no categories
void CheckLogCategories(std::span<const std::string> categories, const ModelDescription& description);

}  // namespace openmi::fmi
