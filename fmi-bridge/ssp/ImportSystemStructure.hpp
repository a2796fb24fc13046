#pragma once

#include <filesystem>
#include <memory>

#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/archive/UnpackedArchive.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::ssp {

/// A system structure as a composition.
struct ImportedSystem {
  CompositionFile composition;                     ///< paths in it are absolute
  std::shared_ptr<const UnpackedArchive> package;  ///< where they lead; to be kept as long as the composition runs
};

/// Imports a package (.ssp) or a description (.ssd) of SSP 1.0; of 2.0 what 1.0 has too. Systems inside systems are
/// made flat: a component's id is its path with '/' between the names. Time 0 of the system is 2000-01-01T00:00Z.
///
/// Components are FMUs. Connections become links, with a transformation as adaptors on them; a suppressed unit
/// conversion too. Values of parameters become arguments: those of a system beat those of what is inside it, and on one
/// level the later ones beat the earlier. All outputs that the description names are observed.
///
/// A source leads to a file inside the package (the folder of the .ssd), never to the network or outside.
/// \returns what could be read, even with problems; each of those names file and line
/// \throws FileError, FormatError  the package or the description cannot be read at all
ImportedSystem ImportSystemStructure(const std::filesystem::path& path, Problems& problems);

/// Whether the name ends in .ssp or .ssd.
bool IsSystemStructure(const std::filesystem::path& path);

}  // namespace openmi::ssp
