#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "composition/link/Composition.hpp"
#include "composition/record/RunRecord.hpp"
#include "composition/report/ReportModel.hpp"
#include "composition/run/RunOptions.hpp"

namespace openmi {

/// The icon of a component (IIcon) as an address that holds it (data:), for an image in a page or a picture; empty: it
/// has none, or one that is not fit to be shown.
std::string IconAddress(const IBaseLinkableComponent& component);

/// The diagram of a composition: components, items that take part in links, and adaptors.
GraphModel DescribeGraph(const Composition& composition);
/// The diagram of what a file states, without units and without inserted conversions. Loads nothing.
GraphModel DescribeGraph(const CompositionFile& file);

/// The comparisons of a run with all measures, for each window of the file and for the whole run after its warm-up.
std::vector<ReportComparison> DescribeComparisons(const CompositionFile& file, const RunRecord& record);

/// The figures of an iterated loop, in one line.
std::string LoopText(const LoopFigures& loop);

/// Why a balance has no figures: "nothing was balanced: the run did not get past its warm-up".
std::string UnweighedText(const RunSpec& run);

/// The outcome of a run as one JSON object: how far it came, balances of links and components, loops, measures of
/// stations, files. Numbers that are unknown are null.
/// \param problems  those that the object lists, as ToJson gives them: of the run, without those of the check
nlohmann::ordered_json RunToJson(const Composition& composition, const RunRecord& record,
                                 nlohmann::ordered_json problems);

/// Everything that the report of a run shows. To be called before the components are finished, since it reads their
/// items.
ReportModel DescribeRun(const Composition& composition, const RunRecord& record, const RunOptions& options);

/// Writes the report of a run.
/// \throws FileError  it cannot be written
void WriteRunReport(const Composition& composition, const RunRecord& record, const RunOptions& options,
                    const std::filesystem::path& path);

}  // namespace openmi
