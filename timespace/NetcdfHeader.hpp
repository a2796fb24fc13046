#pragma once

#include <string>

namespace openmi {

/// Checks the header of a classic NetCDF file (CDF-1, CDF-2, CDF-5) against the size of the file.
///
/// Call it before the NetCDF library opens the file. The library trusts every count and length: a damaged or hostile
/// file of 3 kB makes it allocate gigabytes or crash.
///
/// Every list, name, attribute and variable must fit into the file, dimensions of a variable must exist, and types must
/// be known. Reads only the header.
///
/// Source: NetCDF User's Guide, "The NetCDF-3 file format specification".
/// \returns the fault ("the list of dimensions claims 603979778 entries, more than the file can hold"); empty for a
///   valid header, for a file of another kind (HDF5), and for a file that cannot be opened
std::string FaultOfNetcdfHeader(const std::string& path);

}  // namespace openmi
