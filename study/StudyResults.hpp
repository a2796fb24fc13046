#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "study/run/Study.hpp"

namespace openmi {

struct StudyResultOptions {
  bool with_csv = false;  ///< all rows as CSV too
  bool with_report = true;
  std::string command = {};  ///< for the report
};

/// Writes what a study found: the table of members, one NetCDF file with a dimension of members, the best composition,
/// the report. Nothing but the report says when or how fast members were computed, so that equal studies give equal
/// bytes.
/// \param folder  where the journal is
/// \returns the files
/// \throws FileError  not writable
std::vector<std::filesystem::path> WriteStudyResults(const Study& study, const StudyJournalReader& journal,
                                                     const std::filesystem::path& folder,
                                                     const StudyResultOptions& options);

}  // namespace openmi
