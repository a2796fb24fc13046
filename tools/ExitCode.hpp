#pragma once

namespace openmi::tools {

/// What the command ends with; printed by `openmi --help`.
enum ExitCode : int {
  kSuccess = 0,
  kInternalError = 1,  ///< something that nobody foresaw
  kUsage = 2,          ///< an unknown sub-command or option, or a value that an option does not take
  kMissingFile = 3,    ///< a file that was named does not exist
  kBadInput = 4,       ///< a file is there and is not what it should be
  kProblemsFound = 5,  ///< the check found problems
  kModelFailed = 6,    ///< a component failed, or the run did not reach its end
  kCannotWrite = 7,    ///< results, a report or a drawing could not be written, or earlier ones are in the way
  kDifferences = 8,    ///< `compare` found differences
  kInterrupted = 130   ///< Ctrl-C; results until then are kept
};

}  // namespace openmi::tools
