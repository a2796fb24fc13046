#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace openmi::fmu {

/// The folder of the runtime among the resources, by the platform of FMI 3.0: "x86_64-linux".
std::string PlatformTuple();
/// The folder of the library in an FMU of that version: "linux64" or the tuple.
std::string BinaryFolder(int version);

/// The library that becomes that of each FMU. \throws FileError  it is not installed
std::filesystem::path ShimLibrary();

/// Which libraries of others go along.
struct RuntimeChoice {
  bool lean = false;       ///< none: the importer's machine has to have them
  bool complete = false;   ///< all
  bool netcdf = false;     ///< NetCDF and HDF5, for files in these forms
  bool proj = false;       ///< PROJ, for places with a reference system
  bool encodings = false;  ///< ICU, for documents in other encodings than UTF-8, UTF-16, ISO-8859-1 and ASCII
};

/// Copies the program behind an FMU, the libraries it and the components need, and the data of those. In the place of
/// libraries that cannot be reached (the validator of schemas, since what is packed was validated; what PROJ and HDF5
/// need for data in the network; what `choice` does without) there are placeholders.
/// \param resources   the folder in the making
/// \param components  libraries of components, by the name they get; what these need is put in whatever it is
/// \returns the libraries that the importer's machine has to have
/// \throws FileError, LoadError
std::vector<std::string> CopyRuntime(const std::filesystem::path& resources,
                                     const std::map<std::string, std::filesystem::path>& components,
                                     const RuntimeChoice& choice);

}  // namespace openmi::fmu
