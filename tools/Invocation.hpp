#pragma once

#include <functional>
#include <string>

namespace openmi::tools {

/// The action that the parsed command line asks for.
struct Invocation {
  std::string command_line;      ///< as the user typed it, for the history in the results
  std::function<int()> execute;  ///< runs it and returns an ExitCode; may throw Error
};

}  // namespace openmi::tools
