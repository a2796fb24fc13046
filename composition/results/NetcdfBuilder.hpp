#pragma once

#include <filesystem>

#include "composition/results/JournalReader.hpp"

namespace openmi {

/// Writes the content of a journal as a NetCDF file after the CF conventions [CF-1.8]; see docs/results.md.
///
/// - The file is of the classic kind, which every NetCDF library reads: 64-bit offset, or 64-bit data if a variable
/// needs
///   more than 4 GiB. If `RunInfo::compression` is not 0, it is netCDF-4 in compressed chunks.
/// - Series with the same times share a time dimension. Times are seconds since the day of the first one; a span is
///   stamped at its end and has bounds.
/// - Series with the same elements share a dimension (`ElementAxes`).
/// - A missing value is the number that its series has for it.
/// - Variables have short names (`NetcdfNames`), and the attribute `id` has the id of their series.
///
/// The values are read from the journal once, and at most 4 million of them are in memory.
/// \param path  a file of that name is replaced
/// \throws FileError  the file cannot be written; an incomplete file stays
void BuildNetcdf(JournalReader& journal, const std::filesystem::path& path);

}  // namespace openmi
