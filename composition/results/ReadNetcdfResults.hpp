#pragma once

#include <filesystem>

#include "composition/results/ResultTable.hpp"

namespace openmi {

/// Reads a NetCDF file; see `ReadResults`.
ResultTable ReadNetcdfResults(const std::filesystem::path& path);

/// Reads the rows of a journal.
ResultTable ReadJournalResults(const std::filesystem::path& journal);

}  // namespace openmi
