#pragma once

#include <vector>

#include "composition/record/RunRecord.hpp"
#include "study/model/StudyFile.hpp"
#include "study/run/MemberResult.hpp"

namespace openmi {

/// Computes the objectives of a study for one run; the warm-up does not count unless a window says otherwise.
/// \param run          of the composition; with From and To
/// \param persistence  receives, for each objective that is an NSE, that of persistence (24 h) on the same pairs; NaN
///   for others
/// \returns NaN where an objective cannot be computed; shape [study.objectives]
std::vector<double> ComputeObjectives(const StudyFile& study, const RunSpec& run, const RunRecord& record,
                                      std::vector<double>& persistence);

/// The observed sides of all comparisons of a run.
std::vector<Observation> ObservationsOf(const RunRecord& record);

}  // namespace openmi
