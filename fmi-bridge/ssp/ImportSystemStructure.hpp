#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/archive/UnpackedArchive.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::ssp {

/// What is wanted of a system beside what its description says. Times in seconds.
struct SystemOptions {
  std::string description;          ///< the .ssd of a package; empty: SystemStructure.ssd
  std::optional<double> start;      ///< instead of startTime
  std::optional<double> stop;       ///< instead of stopTime
  std::optional<double> step;       ///< of every FMU
  std::optional<double> tolerance;  ///< of every FMU
  std::string kind;                 ///< arguments of openmi.fmi.Fmu; empty: as the description and the FMU say
  std::string inputs;
  std::string solver;
};

/// A system structure as a composition.
struct ImportedSystem {
  /// Paths in it are absolute. Lines are those of the description; of what another file describes, the line of the
  /// description that brings it in.
  CompositionFile composition;
  std::shared_ptr<const UnpackedArchive> package;  ///< where they lead; to be kept as long as the composition runs
};

/// Imports a package (.ssp) or a description (.ssd) of SSP 1.0; of 2.0 what 1.0 has too. Systems inside systems are
/// made flat: a component's id is its path with '/' between the names. Time 0 of the system is 2000-01-01T00:00Z.
///
/// Problems name the files as the user knows them: "x.ssp/SystemStructure.ssd".
///
/// Components are FMUs. Connections become links, with a transformation as adaptors on them; a suppressed unit
/// conversion too. Values of parameters become arguments: those of a system beat those of what is inside it, and on one
/// level the later ones beat the earlier. All outputs that the description names are observed, those of the whole
/// system by their names. Steps that OSP and OMSimulator write into annotations are taken.
///
/// A source leads to a file inside the package (the folder of the .ssd), never to the network or outside.
/// \returns what could be read, even with problems; each of those names file and line
/// \throws FileError, FormatError  the package or the description cannot be read at all
ImportedSystem ImportSystemStructure(const std::filesystem::path& path, Problems& problems,
                                     const SystemOptions& options = {});

/// Whether the name ends in .ssp or .ssd.
bool IsSystemStructure(const std::filesystem::path& path);

}  // namespace openmi::ssp
