#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "composition/report/ReportModel.hpp"
#include "composition/run/Composition.hpp"
#include "composition/run/RunOptions.hpp"
#include "composition/run/RunRecord.hpp"

namespace openmi {

/// The diagram of a composition: components, items that take part in links, and adaptors.
GraphModel DescribeGraph(const Composition& composition);

/// The comparisons of a run with all measures, for each window of the file and the whole run after its warm-up.
std::vector<ReportComparison> DescribeComparisons(const CompositionFile& file, const RunRecord& record);

/// What an iterated loop did, in a line.
std::string LoopText(const LoopFigures& loop);

/// Why a balance says nothing: "nothing was balanced: it did not come past the warm-up of the run".
std::string UnweighedText(const RunSpec& run);

/// Everything the report of a run shows. Before the components are finished: their items are read.
ReportModel DescribeRun(const Composition& composition, const RunRecord& record, const RunOptions& options);

/// Writes the report of a run. \throws FileError
void WriteRunReport(const Composition& composition, const RunRecord& record, const RunOptions& options,
                    const std::filesystem::path& path);

}  // namespace openmi
