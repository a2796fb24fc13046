#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::fmi {

/// What can be known of an FMU without loading its library.
struct FmuInspection {
  ModelDescription description;
  std::vector<std::string> platforms;  ///< folders of binaries/ that hold the library of at least one interface
  bool has_sources = false;
  bool has_documentation = false;
  bool has_resources = false;
};

/// Whose libraries an FMU is expected to have.
enum class LibrariesFor : std::uint8_t {
  SomeMachine,  ///< any platform, or sources: for who reads about the FMU
  ThisMachine   ///< for who is going to run it here
};

/// Reads an archive or an unpacked folder, and checks the description, the libraries it needs and its units.
/// \throws FileError, FormatError  it cannot be read at all
FmuInspection InspectFmu(const std::filesystem::path& fmu, Problems& problems,
                         LibrariesFor libraries = LibrariesFor::SomeMachine);

/// As JSON: everything of the model, its interfaces, units, types, variables and structure.
std::string FmuJson(const FmuInspection& inspection);

}  // namespace openmi::fmi
