#pragma once

#include <map>
#include <string>

#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/ssp/ImportSystemStructure.hpp"
#include "fmi-bridge/fmi/ssp/SystemStructure.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::ssp {

/// A system without systems in it.
struct FlatSystem {
  CompositionFile file;      ///< components, links, observers and arguments, but no run
  double latest_stop = 0.0;  ///< of all FMUs, in s; 0: none has a stop time
};

/// Flattens nested systems into components, links and arguments of one level.
FlatSystem Flatten(const Structure& structure, const std::map<std::string, fmi::UnitDefinition>& units,
                   const SystemOptions& options, Problems& problems);

}  // namespace openmi::ssp
