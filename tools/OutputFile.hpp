#pragma once

#include <string>

namespace openmi::tools {

/// Something could not be written.
struct CannotWrite {
  std::string text;
};

struct OutputOptions {
  bool says_so = true;        ///< on standard error
  const char* option = "-o";  ///< that chooses the path
};

/// Writes `text` to `path`, or to standard output where it is "-".
/// \throws CannotWrite
void WriteOutput(const std::string& path, const std::string& text, const OutputOptions& options = {});

/// The name of `input` without folder and ending, with another ending: "upper-creek.svg".
std::string NamedAfter(const std::string& input, const std::string& ending);

}  // namespace openmi::tools
