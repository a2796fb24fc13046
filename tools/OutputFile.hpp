#pragma once

#include <string>

namespace openmi::tools {

/// A file could not be written.
struct CannotWrite {
  std::string text;
};

/// Options of `WriteOutput`.
struct OutputOptions {
  bool says_so = true;        ///< reports the file on standard error
  const char* option = "-o";  ///< the option that sets the path
};

/// Writes `text` to `path`, or to standard output if `path` is "-".
/// \throws CannotWrite  the file cannot be written
void WriteOutput(const std::string& path, const std::string& text, const OutputOptions& options = {});

/// The name of `input` without folder and with another extension: "upper-creek.svg".
std::string NamedAfter(const std::string& input, const std::string& ending);

}  // namespace openmi::tools
