#pragma once

#include <span>
#include <string>

#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// Makes the component that an OMI file describes, and gives it the arguments of the file.
///
/// Relative file names among the arguments stand against the folder of the OMI file (IFileRoot). A file without a type
/// means the only type of its library; one without an Assembly, a type of this program.
/// \param problems  receives everything found, in the file, the library and the arguments, errors too, and nothing is
///                  thrown; or null
/// \returns the component, Created; none where `problems` says why
/// \throws LoadError      only without `problems`: as ComponentLoader::Load, or the file is for other platforms
/// \throws ArgumentError  only without `problems`: the first argument that cannot be set
LoadedComponent LoadOmi(ComponentLoader& loader, const OmiFile& omi, Problems* problems = nullptr);

/// Sets arguments of a component that is Created.
///
/// A key means the argument of that id, else the one of that caption (with a note). What cannot be set is an error in
/// `problems`: an unknown key, with the nearest name; a read-only argument, unless it has that very value; a text that
/// is no value of the argument's type.
/// \param where      the file the arguments are from, and the name of the component there
/// \param protected_arguments  arguments set before by somebody who may forbid it: one that is `read_only` there cannot
///                             be set to another value (the arguments of the OMI file, where a composition sets its
///                             own)
void SetArguments(IBaseLinkableComponent& component, std::span<const OmiArgument> arguments, const Where& where,
                  Problems& problems, std::span<const OmiArgument> protected_arguments = {});

}  // namespace openmi
