#pragma once

#include <string>
#include <vector>

#include "composition/link/Composition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/export/ExportInterface.hpp"
#include "fmi-bridge/export/ExportOptions.hpp"

namespace openmi::exported {

/// What is exported: a composition, or a composition that was made for a single component.
struct ExportSource {
  CompositionFile file;
  bool is_single = false;  ///< made from an OMI file: items have no component in their names
  ExportOptions options;   ///< with the names of inputs in the composition
};

/// Reads a composition, or makes one for an OMI file; chosen inputs that are linked lose their link.
/// \throws FileError    the source does not exist or cannot be read
/// \throws FormatError  the source is not well-formed, or the composition has no Run element
ExportSource ReadExportSource(const ExportOptions& options, Problems& problems);

/// Removes what the importer or the master does itself: results, observers, comparisons, checkpoints and the pace.
void LeaveToMaster(CompositionFile& file);

/// The triggers of the composition, and the components of outputs that no other component requests.
///
/// More triggers would change the order in which loops of links are computed, and so the results.
std::vector<std::string> TriggersOf(const Composition& composition, const ExportInterface& interface);

}  // namespace openmi::exported
