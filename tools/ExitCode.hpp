#pragma once

namespace openmi::tools {

/// The exit codes of the command; `openmi --help` prints them.
enum ExitCode : int {
  kSuccess = 0,
  kInternalError = 1,  ///< an unexpected fault of the program
  kUsage = 2,          ///< an unknown sub-command or option, or a value that an option does not accept
  kMissingFile = 3,    ///< a named file does not exist
  kBadInput = 4,       ///< a file exists but has the wrong content
  kProblemsFound = 5,  ///< the check found problems
  kModelFailed = 6,    ///< a component failed, or the run did not reach its end
  kCannotWrite = 7,    ///< results, a report or a drawing could not be written, or earlier ones are in the way
  kDifferences = 8,    ///< `compare` found differences
  kInterrupted = 130   ///< Ctrl-C; the results until then are kept
};

}  // namespace openmi::tools
