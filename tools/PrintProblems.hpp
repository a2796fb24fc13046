#pragma once

#include <cstdio>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "openmi/sdk/Problem.hpp"

namespace openmi::tools {

/// Prints each problem as one line, errors plain, warnings and notes with their name behind.
void PrintProblems(std::FILE* stream, const Problems& problems);

/// Runs `make`, then prints what it found on stderr.
/// \returns whether it came to its end; when not, an error among the problems says why
/// \throws  what `make` threw and no problem tells
bool PrintProblemsOf(Problems& problems, const std::function<void()>& make);

/// "2 problems, 1 warning, 3 notes", "2 notes, no problems".
std::string CountText(const Problems& problems);

/// A list of objects with severity, file, line, component, item, problem and remedy; what is unknown is left out.
nlohmann::ordered_json ToJson(const Problems& problems);
Problems ProblemsFromJson(const nlohmann::ordered_json& json);

/// The JSON as text, invalid UTF-8 replaced.
std::string JsonText(const nlohmann::ordered_json& json, int indent = 2);

}  // namespace openmi::tools
