#pragma once

#include <vector>

#include "composition/results/ResultDifference.hpp"
#include "composition/results/ResultTable.hpp"

namespace openmi {

/// Compares two results: series by id, elements by id, rows by time (equal within `kTimeTolerance`).
///
/// Two values agree if |a - b| <= absolute + relative * max(|a|, |b|), if both are missing, or if both are the same
/// infinity. Captions, comments and the provenance of the run are not compared; units are, as texts.
/// \param relative_tolerance  dimensionless, at least 0
/// \param absolute_tolerance  in the unit of each series, at least 0
/// \returns one entry for each series, element or kind of difference; empty: they agree
std::vector<ResultDifference> CompareResults(const ResultTable& a, const ResultTable& b, double relative_tolerance,
                                             double absolute_tolerance);

}  // namespace openmi
