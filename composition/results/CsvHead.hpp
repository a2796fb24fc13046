#pragma once

#include <string>
#include <vector>

#include "composition/results/ResultSeries.hpp"
#include "composition/results/RunInfo.hpp"

namespace openmi {

/// The comment lines and the heading of a results file.
std::string CsvHead(const RunInfo& info, const std::vector<ResultSeries>& series);

}  // namespace openmi
