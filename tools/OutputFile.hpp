#pragma once

#include <string>

namespace openmi::tools {

/// Something could not be written.
struct CannotWrite {
  std::string text;
};

/// Writes `text` to `path`, or to standard output where it is "-"; says so on standard error
/// if it is to.
/// \throws CannotWrite
void WriteOutput(const std::string& path, const std::string& text, bool say_so = true);

/// The name of `input` without folder and ending, with another ending: "upper-creek.svg".
std::string NamedAfter(const std::string& input, const std::string& ending);

}  // namespace openmi::tools
