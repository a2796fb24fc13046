#pragma once

#include <span>
#include <string>

#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// Creates the component of an OMI file and sets the arguments of the file.
///
/// Relative file names in arguments are relative to the folder of the OMI file (IFileRoot). A file without a type means
/// the only type of its library. A file without an Assembly means a type of this program.
/// \param problems  receives all problems of the file, the library and the arguments, errors included; then nothing is
///   thrown. May be null
/// \returns the component, in the status Created; no component when it cannot be created: `problems` gives the reason
/// \throws LoadError      only without `problems`: as `ComponentLoader::Load`, or the file is for other platforms
/// \throws ArgumentError  only without `problems`: the first argument that cannot be set
LoadedComponent LoadOmi(ComponentLoader& loader, const OmiFile& omi, Problems* problems = nullptr);

/// Sets arguments of a component in the status Created.
///
/// A key names the argument with this id, else the argument with this caption (with a note). An argument that cannot be
/// set gives an error in `problems`: an unknown key, with the nearest name; a read-only argument, unless it already has
/// the value; a text that is not a value of the argument's type.
/// \param where                the file that contains the arguments, and the name of the component there
/// \param protected_arguments  arguments that an earlier file set, such as the OMI file before a composition. An
///   argument that is `read_only` there cannot be set to another value
void SetArguments(IBaseLinkableComponent& component, std::span<const OmiArgument> arguments, const Where& where,
                  Problems& problems, std::span<const OmiArgument> protected_arguments = {});

}  // namespace openmi
