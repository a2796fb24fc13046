#pragma once

#include <functional>
#include <string>

namespace openmi::tools {

/// What the parsed command line asks for.
struct Invocation {
  std::string command_line;      ///< as it was typed, for the history of results
  std::function<int()> execute;  ///< does it; returns an ExitCode. \throws Error
};

}  // namespace openmi::tools
