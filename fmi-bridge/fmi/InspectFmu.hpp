#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/FmuExtras.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::fmi {

/// The properties of an FMU that are known without loading its library.
struct FmuInspection {
  ModelDescription description;
  std::vector<std::string> platforms;  ///< folders of binaries/ with the library of at least one interface
  bool has_sources = false;
  bool needs_compiling = false;  ///< no library for this machine, and sources that may be compiled, see LibraryFor
  bool has_documentation = false;
  bool has_resources = false;
  std::vector<Terminal> terminals;
  std::vector<LayeredStandard> layered_standards;
  std::string icon;  ///< file name in the FMU; empty: there is none that is fit to be shown
};

/// Which libraries an FMU is expected to have.
enum class LibrariesFor : std::uint8_t {
  SomeMachine,  ///< for any platform, or sources: to inspect the FMU
  ThisMachine   ///< for this machine: to run the FMU here
};

/// Reads an archive or an unpacked folder, and checks the description, its units and the libraries that are expected.
/// \throws FileError    the FMU does not exist or cannot be read
/// \throws FormatError  the archive is damaged, or the description is not one of FMI 1.0, 2.0 or 3.0
FmuInspection InspectFmu(const std::filesystem::path& fmu, Problems& problems,
                         LibrariesFor libraries = LibrariesFor::SomeMachine);

/// An inspection as JSON: all data of the model, its interfaces, units, types, variables and structure.
std::string FmuJson(const FmuInspection& inspection);

}  // namespace openmi::fmi
