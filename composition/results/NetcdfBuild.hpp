#pragma once

#include <filesystem>

#include "composition/results/JournalReader.hpp"

namespace openmi {

/// Writes the content of a journal as a NetCDF file; see `NetcdfResults` for its form.
/// \throws FileError  the file cannot be written; an incomplete file stays
void BuildNetcdf(JournalReader& journal, const std::filesystem::path& path);

}  // namespace openmi
