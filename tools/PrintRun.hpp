#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>

#include "composition/run/CompositionRun.hpp"

namespace openmi::tools {

/// Prints what came out of a run: the balance of each link and component, the figures of each station, the files.
void PrintRun(std::FILE* stream, const Composition& composition, const RunRecord& record);

/// The same as one object, with the problems met while it ran.
nlohmann::ordered_json RunToJson(const Composition& composition, const RunRecord& record, const Problems& problems);

}  // namespace openmi::tools
