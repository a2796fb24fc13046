#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "openmi/sdk/Problem.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"

namespace openmi::tools {

/// What `check` says of descriptions of one kind.
struct DescriptionCheck {
  std::string purpose;  ///< one line for the help
  std::string file;     ///< what FILE is
  std::string footer;
  void (*find)(const std::string& file, Problems& problems) = nullptr;  ///< may throw what hinders reading
  void (*expect)(const std::string& file) = ExpectFile;                 ///< throws where there is no file
};

/// Adds `check FILE [--json]`: all problems of a description, on stdout.
void AddDescriptionCheck(CLI::App& parent, Invocation& invocation, DescriptionCheck check);

}  // namespace openmi::tools
