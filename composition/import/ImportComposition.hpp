#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "composition/import/OldComposition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "openmi/sdk/Problem.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

/// What the old file does not say, or says of software that does not run here.
struct ImportOptions {
  std::string id;  ///< of the composition
  /// OMI files in place of those of the old components, by component id, old model id, or OMI file as written
  std::map<std::string, std::string> replacements;
  std::optional<Stamp> from;  ///< UTC; nothing: the latest start that an OMI file states
  std::optional<Stamp> to;    ///< UTC; nothing: the time for which the trigger asks, or the earliest end
};

/// The composition that an old one becomes, once FindModels has run.
///
/// Everything that is left out, changed, or still has to be named is a problem: an error is something that the user has
/// to do before the composition runs. The paths of OMI files are those of this process, not yet relative to a
/// composition file; nothing in the composition is a variable.
/// \throws ArgumentError  a replacement for a component that does not exist
CompositionFile ImportComposition(const OldComposition& old, const ImportOptions& options, Problems& problems);

}  // namespace openmi
