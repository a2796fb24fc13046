#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// A list of objects with severity, file, line, component, item, problem and remedy; unknown ones are omitted.
nlohmann::ordered_json ToJson(const Problems& problems);
/// The reverse of `ToJson`.
Problems ProblemsFromJson(const nlohmann::ordered_json& json);

/// The JSON as text; invalid UTF-8 is replaced.
std::string JsonText(const nlohmann::ordered_json& json, int indent = 2);

}  // namespace openmi
