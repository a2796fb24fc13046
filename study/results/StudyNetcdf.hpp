#pragma once

#include <filesystem>

#include "study/results/SeriesColumns.hpp"
#include "study/results/StudyTable.hpp"

namespace openmi {

/// Writes the rows of all members as NetCDF: a variable for each observed series with the dimensions member, time and
/// element, and variables of the values, objectives and ends of the members.
/// \throws FileError  not writable
void WriteStudyNetcdf(const Study& study, const StudyJournalReader& journal, const StudyTable& table,
                      SeriesColumns& columns, const std::filesystem::path& path);

}  // namespace openmi
