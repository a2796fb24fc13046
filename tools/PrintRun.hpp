#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>

#include "composition/run/CompositionRun.hpp"

namespace openmi::tools {

/// Prints the outcome of a run: the balance of each link and component, the figures of each station, the files.
void PrintRun(std::FILE* stream, const Composition& composition, const RunRecord& record);

/// The same as one JSON object, with the problems during the run.
nlohmann::ordered_json RunToJson(const Composition& composition, const RunRecord& record, const Problems& problems);

}  // namespace openmi::tools
