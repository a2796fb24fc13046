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

/// Copies the program behind an FMU, the libraries it and the components need, and the data of those.
/// \param resources   the folder in the making
/// \param components  libraries of components, by the name they get
/// \param lean        leaves the libraries of others out
/// \returns the libraries that the importer's machine has to have
/// \throws FileError, LoadError
std::vector<std::string> CopyRuntime(const std::filesystem::path& resources,
                                     const std::map<std::string, std::filesystem::path>& components, bool lean);

}  // namespace openmi::fmu
