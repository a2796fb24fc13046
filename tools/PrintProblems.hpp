#pragma once

#include <cstdio>
#include <functional>
#include <string>

#include "composition/check/ChildAnswer.hpp"
#include "composition/link/Composition.hpp"
#include "composition/record/RunRecord.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::tools {

/// Prints each problem on one line: errors plain, warnings and notes followed by their severity.
void PrintProblems(std::FILE* stream, const Problems& problems);

/// Prints the outcome of a run: the balance of each link and component, the figures of each station, the files.
void PrintRun(std::FILE* stream, const Composition& composition, const RunRecord& record);

/// Runs `make`, then prints the problems found on standard error.
///
/// If `make` throws although no problem states why, the exception is passed on.
/// \returns whether `make` completed; if not, an error among the problems states why
bool PrintProblemsOf(Problems& problems, const std::function<void()>& make);

/// "2 problems, 1 warning, 3 notes", "1 warning", "2 notes, no problems".
std::string CountText(const Problems& problems);

}  // namespace openmi::tools
