#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "openmi/sdk/Problem.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"

namespace openmi::tools {

/// How `check` examines descriptions of one kind.
struct DescriptionCheck {
  std::string purpose;  ///< one line for the help
  std::string file;     ///< what FILE is, for the help
  std::string footer;
  void (*find)(const std::string& file, Problems& problems) = nullptr;  ///< adds the problems found; may throw what
                                                                        ///< prevents reading
  void (*expect)(const std::string& file) = ExpectFile;                 ///< throws if there is no file
};

/// Adds `check FILE [--json]`: prints all problems of a description to standard output.
void AddDescriptionCheck(CLI::App& parent, Invocation& invocation, DescriptionCheck check);

}  // namespace openmi::tools
