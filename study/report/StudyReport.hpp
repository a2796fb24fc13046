#pragma once

#include <filesystem>
#include <string>

#include "study/results/SeriesColumns.hpp"
#include "study/results/StudyTable.hpp"

namespace openmi {

/// Writes the report of a study as one HTML page: what was found, quantile bands against observations, parallel
/// coordinates, dotty plots, sensitivity, the spread on a map, the failures.
///
/// A study without weighted objectives has no best member, one without Saltelli's design no sensitivity, one whose
/// series have no places no map; such sections are left out.
///
/// Its size does not grow with the number of members: of many, some are drawn, and quantiles are of all.
/// \param netcdf   the rows of all members, as WriteStudyNetcdf wrote them
/// \param command  the command line; may be empty
/// \throws FileError  not writable
void WriteStudyReport(const Study& study, const StudyJournalReader& journal, const StudyTable& table,
                      const SeriesColumns& columns, const std::filesystem::path& netcdf, const std::string& command,
                      const std::filesystem::path& path);

}  // namespace openmi
