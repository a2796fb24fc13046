#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "openmi/sdk/Problem.hpp"
#include "study/run/Study.hpp"

namespace openmi {

/// The estimate of a study before it runs.
struct StudyEstimate {
  std::uint64_t members = 0;
  int workers = 1;
  double member_seconds = 0.0;  ///< of the trial
  double seconds = 0.0;         ///< of all, wall-clock time
  double bytes = 0.0;           ///< of journal and NetCDF file
  double free_bytes = 0.0;      ///< on the disk of the results
};

/// How many workers a study has.
/// \param wanted  0: as the file says, else one for each core
int WorkerCount(const StudyFile& study, int wanted);

/// Checks a study in a worker, where the code of components can do no harm, and runs its first member as a trial; where
/// there are errors, the composition without what varies.
/// \param study     sound; it may have errors, which are in `problems`
/// \param folder    for results
/// \param problems  receives everything that is wrong, and a study that does not fit on the disk
/// \returns nothing if there are errors
std::optional<StudyEstimate> CheckStudy(const Study& study, const std::filesystem::path& folder, int workers,
                                        bool with_trial, Problems& problems);

}  // namespace openmi
