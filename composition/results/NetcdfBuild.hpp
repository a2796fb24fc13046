#pragma once

#include <filesystem>

#include "composition/results/JournalReader.hpp"

namespace openmi {

/// Writes what a journal holds as a NetCDF file; see `NetcdfResults` for its form.
/// \throws FileError  the file cannot be written; what there is of it stays
void BuildNetcdf(JournalReader& journal, const std::filesystem::path& path);

}  // namespace openmi
