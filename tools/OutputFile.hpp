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

/// The sentence for a file that cannot be opened for writing: a folder that is missing, or what the system says.
/// \param error   errno
/// \param option  that sets the path
std::string WhyNotWritten(const std::string& path, int error, const char* option);

/// \throws CannotWrite  the folder of a file that is written later is missing
void ExpectFolder(const std::string& path, const char* option);

/// Looks at the path of a file that is written later: a package is not to replace what it is made of.
/// \throws UsageFault   the path has another ending
/// \throws CannotWrite  its folder is missing
void ExpectEnding(const std::string& path, const std::string& ending, const char* option, const std::string& remedy);
/// As `ExpectEnding`, of .svg.
void ExpectSvg(const std::string& path, const char* option);

/// The name of `input` without folder and with another extension: "upper-creek.svg".
std::string NamedAfter(const std::string& input, const std::string& ending);

}  // namespace openmi::tools
