#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "composition/results/ResultSeries.hpp"
#include "composition/results/RunInfo.hpp"

namespace openmi {

/// The start of every results file that this project writes.
inline constexpr std::string_view kCsvMark = "# OpenMI results, form ";

/// The comment lines and the heading of a results file.
std::string CsvHead(const RunInfo& info, const std::vector<ResultSeries>& series);

/// A comment line that states what changed the run from outside.
std::string CsvNote(std::string_view text);

}  // namespace openmi
