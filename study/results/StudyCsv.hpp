#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "study/results/SeriesColumns.hpp"

namespace openmi {

/// Writes all rows as CSV: a line for each member and time.
/// \throws FileError  not writable
void WriteStudyCsv(const StudyJournalReader& journal, SeriesColumns& columns, std::uint64_t members,
                   const std::filesystem::path& path);

/// Writes a text so that the earlier file stays until the new one is complete.
/// \throws FileError  not writable
void WriteWhole(const std::filesystem::path& path, const std::string& text);

}  // namespace openmi
