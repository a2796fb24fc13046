#pragma once

#include <string>

namespace openmi {

/// Holds the header of a classic NetCDF file (CDF-1, CDF-2, CDF-5) against the size of the file, before the NetCDF
/// library opens it: the library believes every count and length, and a damaged or hostile file of 3 kB makes it take
/// gigabytes or crash.
///
/// Every list, name, attribute and variable has to fit into the file, dimensions that a variable names have to exist,
/// and types have to be known. Reads the header only.
/// \returns what is wrong ("the list of dimensions claims 603979778 entries, more than the file can hold"); empty for a
///          header that fits, for a file of another kind (HDF5), and for one that cannot be opened
/// Source: NetCDF User's Guide, "The NetCDF-3 file format specification".
std::string FaultOfNetcdfHeader(const std::string& path);

}  // namespace openmi
