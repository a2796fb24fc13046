#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "composition/results/ResultSeries.hpp"
#include "composition/results/RunInfo.hpp"

namespace openmi {

/// The bodies of a journal's first blocks.
std::string PackRunInfo(const RunInfo& info);
std::string PackSeries(const ResultSeries& series);

/// And back; nothing where the bytes are no such body.
std::optional<RunInfo> UnpackRunInfo(std::string_view bytes);
std::optional<ResultSeries> UnpackSeries(std::string_view bytes);

}  // namespace openmi
