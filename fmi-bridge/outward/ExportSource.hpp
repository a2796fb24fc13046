#pragma once

#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/run/Composition.hpp"
#include "fmi-bridge/outward/ExportInterface.hpp"
#include "fmi-bridge/outward/ExportOptions.hpp"

namespace openmi::outward {

/// What is to be offered to another tool: a composition, or one of a single component.
struct ExportSource {
  CompositionFile file;
  bool is_single = false;  ///< made of an OMI file: items go by their own names
  ExportOptions options;   ///< with the names of inputs as the composition has them
};

/// Reads a composition, or makes one around an OMI file; chosen inputs that are linked lose their link.
/// \throws FileError, FormatError
ExportSource ReadExportSource(const ExportOptions& options, Problems& problems);

/// Those of the composition, and the components of outputs that nothing draws on: more would change the order in which
/// loops of links are gone through, and so the results.
std::vector<std::string> TriggersOf(const Composition& composition, const ExportInterface& interface);

}  // namespace openmi::outward
