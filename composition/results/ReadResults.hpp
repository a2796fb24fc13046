#pragma once

#include <filesystem>

#include "composition/results/ResultTable.hpp"

namespace openmi {

/// Reads a results file, told apart by what it begins with: CSV, NetCDF, or the journal of a run.
///
/// Where the path names a NetCDF file whose run was killed, the file is made of its journal first; of a run that goes
/// on the rows so far are read. Files of others are read too where they are a table with a column of times, or follow
/// the CF conventions with variables over (time) or (time, element).
///
/// \throws FileError    there is no such file, or it cannot be read
/// \throws FormatError  it is no results file; names line and column
ResultTable ReadResults(const std::filesystem::path& path);

}  // namespace openmi
