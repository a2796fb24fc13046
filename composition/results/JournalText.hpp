#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "composition/results/ResultSeries.hpp"
#include "composition/results/RunInfo.hpp"

namespace openmi {

/// The bodies of the first blocks of a journal.
std::string PackRunInfo(const RunInfo& info);
std::string PackSeries(const ResultSeries& series);

/// Reads such a body; nothing if the bytes are not one.
std::optional<RunInfo> UnpackRunInfo(std::string_view bytes);
std::optional<ResultSeries> UnpackSeries(std::string_view bytes);

}  // namespace openmi
