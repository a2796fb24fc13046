#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>

namespace openmi::tools {

/// A description of a component, or of an OMI file and its library, for people.
void PrintDescription(std::FILE* stream, const nlohmann::ordered_json& description);

}  // namespace openmi::tools
