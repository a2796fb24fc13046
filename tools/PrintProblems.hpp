#pragma once

#include <cstdio>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "openmi/sdk/Problem.hpp"

namespace openmi::tools {

/// Prints each problem on one line: errors plain, warnings and notes followed by their severity.
void PrintProblems(std::FILE* stream, const Problems& problems);

/// Runs `make`, then prints the problems found on standard error.
///
/// If `make` throws although no problem states why, the exception is passed on.
/// \returns whether `make` completed; if not, an error among the problems states why
bool PrintProblemsOf(Problems& problems, const std::function<void()>& make);

/// "2 problems, 1 warning, 3 notes", "1 warning", "2 notes, no problems".
std::string CountText(const Problems& problems);

/// A list of objects with severity, file, line, component, item, problem and remedy; unknown ones are omitted.
nlohmann::ordered_json ToJson(const Problems& problems);
/// The reverse of `ToJson`.
Problems ProblemsFromJson(const nlohmann::ordered_json& json);

/// The JSON as text; invalid UTF-8 is replaced.
std::string JsonText(const nlohmann::ordered_json& json, int indent = 2);

}  // namespace openmi::tools
