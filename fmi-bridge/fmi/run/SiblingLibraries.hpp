#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "composition/isolation/IProcessClaims.hpp"

namespace openmi::fmi {

/// The names of the libraries in the folder of a library that it needs, directly or through each other; needed ones
/// first.
///
/// Loads nothing: reads the files.
/// \param library  an ELF file; another file needs nothing
std::vector<std::string> SiblingsNeeded(const std::filesystem::path& library);

/// The names of those libraries, each claimed for its file in the folder of `library`.
///
/// The loader identifies libraries by name, so that in one process an FMU would get the library of another FMU if both
/// have the same name. Libraries of the C++ system, which every process of this SDK has, are shared and not claimed.
/// Loads nothing.
std::vector<ProcessClaim> SiblingClaims(const std::filesystem::path& library);

/// Loads a library that needs libraries in its folder but does not say so (it has no RUNPATH "$ORIGIN").
///
/// The loader then also searches the folder of the library, as other importers of FMUs achieve by a search path. The
/// libraries are loaded like those of a system folder: shared by name, and closed with the last one that needs them.
/// \param siblings  result of SiblingsNeeded
/// \param keeper    receives a handle that must be closed after the library; null if nothing was loaded
/// \param reason    receives the message of the loader if the library cannot be loaded and the loader gives one
/// \returns the handle of dlopen; null if the library cannot be loaded
void* LoadWithSiblings(const std::filesystem::path& library, const std::vector<std::string>& siblings, void*& keeper,
                       std::string& reason);

}  // namespace openmi::fmi
