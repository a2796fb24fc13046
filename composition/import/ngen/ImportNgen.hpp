#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "composition/import/ngen/Hydrofabric.hpp"
#include "composition/import/ngen/Realization.hpp"
#include "composition/model/CompositionFile.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::ngen {

/// A variable of a BMI module.
struct ModuleItem {
  std::string id;
  std::string unit;  ///< as the module names it
  std::size_t count = 1;
};

/// What only the library of a module knows.
struct ModuleItems {
  std::vector<ModuleItem> inputs, outputs;
  double step_seconds = 0.0;  ///< its own step; 0: it has none that can be used
};

/// What the realization does not say, or what its owner has to allow.
struct NgenOptions {
  std::string id;              ///< of the composition
  std::filesystem::path root;  ///< the folder in which ngen runs: relative paths of the realization start there
  std::map<std::string, std::filesystem::path> libraries;  ///< by the path as the realization writes it
  /// A path as files in the folder of the composition write it.
  std::function<std::string(const std::filesystem::path&)> named;
  /// Loads the library of a module, in a process where it can do no harm, and asks for its variables; nothing: it could
  /// not, which is reported. `step` is the argument time-step for a model without a step of its own. Without this
  /// function no library is loaded, and no links to modules are written.
  std::function<std::optional<ModuleItems>(const OmiFile& omi, const std::string& step, Problems& problems)> describe;
};

/// A composition, and the files beside it.
struct NgenImport {
  CompositionFile file;
  std::vector<std::pair<std::string, std::string>> files;  ///< name and text
};

/// The composition that computes what ngen computes with a realization and a hydrofabric.
///
/// Catchments with the same modules, variables and kind of forcing are one population a module. `catchments` has their
/// flow, `nexus` what flows into each nexus, and `river` is the flowpaths, if the hydrofabric has been read with them.
/// Units that ngen cannot convert are passed unconverted, as there, with a warning.
/// What is left out, changed or still to be done is a problem: an error is work for the user.
NgenImport ImportNgen(const Realization& realization, const Hydrofabric& hydrofabric, const NgenOptions& options,
                      Problems& problems);

}  // namespace openmi::ngen
