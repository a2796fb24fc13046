#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>

namespace openmi::tools {

/// Prints a description of a component, or of an OMI file and its library, as text.
void PrintDescription(std::FILE* stream, const nlohmann::ordered_json& description);

}  // namespace openmi::tools
