#pragma once

#include <filesystem>

#include "composition/results/ResultTable.hpp"

namespace openmi {

/// Reads a results file; its first bytes show whether it is CSV, NetCDF, or the journal of a run.
///
/// If the path names a NetCDF file whose run was killed, the file is made from its journal first; if the run is in
/// progress, the rows so far are read. Third-party files are read, too, if they are a table with a column of times, or
/// follow the CF conventions with variables over (time) or (time, element).
///
/// \throws FileError    there is no such file, or it cannot be read
/// \throws FormatError  it is not a results file; names line and column
ResultTable ReadResults(const std::filesystem::path& path);

}  // namespace openmi
