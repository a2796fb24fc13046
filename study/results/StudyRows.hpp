#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "study/results/SeriesColumns.hpp"
#include "study/results/StudyTable.hpp"

namespace openmi {

/// Writes the rows of all members as NetCDF: a variable for each observed series with the dimensions member, time and
/// element, and variables of the values, objectives and ends of the members.
/// \throws FileError  not writable
void WriteStudyNetcdf(const Study& study, const StudyJournalReader& journal, const StudyTable& table,
                      SeriesColumns& columns, const std::filesystem::path& path);

/// Writes all rows as CSV: a line for each member and time.
/// \throws FileError  not writable
void WriteStudyCsv(const StudyJournalReader& journal, SeriesColumns& columns, std::uint64_t members,
                   const std::filesystem::path& path);

/// Writes a text so that the earlier file stays until the new one is complete.
/// \throws FileError  not writable
void WriteWhole(const std::filesystem::path& path, const std::string& text);

}  // namespace openmi
