#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::ssp {

/// Settings for the import of a system, in addition to its description. Times in seconds.
struct SystemOptions {
  std::string description;       ///< the .ssd of a package; empty: SystemStructure.ssd
  std::filesystem::path within;  ///< for a .ssd or of OSP: sources may lead to files in this folder; empty: in its own
  std::optional<double> start;   ///< replaces startTime
  std::optional<double> stop;    ///< replaces stopTime
  std::optional<double> step;    ///< of every FMU
  std::optional<double> tolerance;  ///< of every FMU
  std::string kind;                 ///< an argument of openmi.fmi.Fmu; empty: from the description and the FMU
  std::string inputs;
  std::string solver;
  /// Names and values, which replace those of the files: "component.variable", "system.component.variable" or a
  /// connector of the system. Numbers are in the unit of the variable; of an enumeration, the name or number of an
  /// item.
  std::vector<std::pair<std::string, std::string>> start_values;
  bool compile = false;  ///< the sources of FMUs without a library for this machine; see CompileOptions
};

/// A system structure as a composition.
struct ImportedSystem {
  /// Paths in it are absolute. Lines are those of the description; for the content of another file, the line of the
  /// description that includes it.
  CompositionFile composition;
  std::shared_ptr<const UnpackedArchive>
      package;  ///< the folder of these paths; keep it as long as the composition runs
};

/// Imports a package (.ssp) or a description (.ssd) of SSP 1.0, and the part of SSP 2.0 that 1.0 has, too.
///
/// Components are FMUs. Nested systems are flattened: the id of a component is its path, with '/' between the names.
/// Time 0 of the system is 2000-01-01T00:00Z. Problems name the files as the user knows them:
/// "x.ssp/SystemStructure.ssd".
///
/// Connections become links, with transformations and suppressed unit conversions as adaptors on them. Values of
/// parameters become arguments: those of a system have priority over those of its parts, and on one level later ones
/// over earlier ones. All outputs in the description are observed, those of the whole system under their names. Steps
/// in the annotations of OSP and OMSimulator are used.
///
/// An OspSystemStructure.xml becomes a composition in the same way: functions are components openmi.Expression, and
/// numbers go through links as they are.
///
/// A lone FMU (.fmu) becomes a system of this FMU, with all its outputs and the times of its experiment. Its sources
/// are beside it.
///
/// A source must lead to a file inside the package (the folder of the .ssd, or SystemOptions::within), never to the
/// network or another folder.
/// \returns what could be read, even with problems; each problem names file and line
/// \throws FileError    the package or the description cannot be read
/// \throws FormatError  the package is damaged, or the description is not one of version 1.0 or 2.0
ImportedSystem ImportSystemStructure(const std::filesystem::path& path, Problems& problems,
                                     const SystemOptions& options = {});

/// Whether the name is that of a system structure of the Open Simulation Platform: OspSystemStructure*.xml.
inline bool IsOspStructure(const std::filesystem::path& path) {
  return path.extension() == ".xml" && path.filename().string().starts_with("OspSystemStructure");
}

/// Whether the name ends in .ssp or .ssd, or is that of a system structure of the Open Simulation Platform.
inline bool IsSystemStructure(const std::filesystem::path& path) {
  return path.extension() == ".ssp" || path.extension() == ".ssd" || IsOspStructure(path);
}

}  // namespace openmi::ssp
