#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace openmi::fmu {

/// The platform of this build as in FMI 3.0: "x86_64-linux". Also the name of the runtime folder in the resources.
std::string PlatformTuple();
/// The folder of the library in an FMU of that version: "linux64" or the platform tuple.
std::string BinaryFolder(int version);

/// The installed library that is copied into each FMU.
/// \throws FileError  it is not installed
std::filesystem::path ShimLibrary();

/// Which third-party libraries are included.
struct RuntimeChoice {
  bool lean = false;       ///< none: the importer's machine must have them
  bool complete = false;   ///< all
  bool netcdf = false;     ///< NetCDF and HDF5, for files in these formats
  bool proj = false;       ///< PROJ, for elements with a reference system
  bool python = false;     ///< what runs components in Python; the interpreter is that of the importer's machine
  bool encodings = false;  ///< ICU, for documents in encodings other than UTF-8, UTF-16, ISO-8859-1 and ASCII
};

/// Copies the host program of an FMU, the libraries it and the components need, and their data.
///
/// Libraries that are never used are replaced by placeholders: the schema validator (packed files have been validated),
/// those for network data in PROJ and HDF5, and those that `choice` excludes.
/// \param resources   the resources folder, which is being created
/// \param components  libraries of components, by their names in the FMU; the libraries they need are included in any
///   case
/// \returns the libraries that the importer's machine must have
/// \throws FileError  a file of the runtime does not exist or cannot be copied
/// \throws LoadError  a library cannot be found
std::vector<std::string> CopyRuntime(const std::filesystem::path& resources,
                                     const std::map<std::string, std::filesystem::path>& components,
                                     const RuntimeChoice& choice);

}  // namespace openmi::fmu
