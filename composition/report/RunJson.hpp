#pragma once

#include <nlohmann/json_fwd.hpp>

#include "composition/link/Composition.hpp"
#include "composition/record/RunRecord.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// The outcome of a run as one JSON object: how far it came, balances of links and components, loops, measures of
/// stations, files. Numbers that are unknown are null.
/// \param problems  those that the object lists: of the run, without those of the check
nlohmann::ordered_json RunToJson(const Composition& composition, const RunRecord& record, const Problems& problems);

}  // namespace openmi
