#pragma once

#include <vector>

#include "composition/results/ResultDifference.hpp"
#include "composition/results/ResultTable.hpp"

namespace openmi {

/// Compares what two files hold: series by id, elements by id, rows by time (equal within the house's tolerance).
///
/// Two values agree where |a - b| <= absolute + relative * max(|a|, |b|), where both are missing, and where both are
/// the same infinity. Captions, comments and the run's provenance are not compared; units are, as texts. \param
/// relative_tolerance  dimensionless, at least 0 \param absolute_tolerance  in the unit of each series, at least 0
/// \returns one entry for each series, element or kind of difference; empty: they agree
std::vector<ResultDifference> CompareResults(const ResultTable& a, const ResultTable& b, double relative_tolerance,
                                             double absolute_tolerance);

}  // namespace openmi
