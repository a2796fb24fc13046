#pragma once

#include <filesystem>

#include "composition/results/JournalReader.hpp"

namespace openmi {

/// Writes the content of a journal as a NetCDF file.
///
/// The file is of the classic kind, which every NetCDF library reads (64-bit offset; 64-bit data if a variable needs
/// more than 4 GiB). If `RunInfo::compression` is not 0, it is netCDF-4 in compressed chunks. Series with the same
/// times share a time dimension, series with the same elements a dimension of elements (`ElementAxes`). Times are
/// seconds since the day of the first one; a span is stamped at its end and has bounds. See docs/results.md.
/// \throws FileError  the file cannot be written; an incomplete file stays
void BuildNetcdf(JournalReader& journal, const std::filesystem::path& path);

}  // namespace openmi
