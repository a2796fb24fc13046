#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "composition/isolation/IProcessClaims.hpp"

namespace openmi::fmi {

/// Names of the libraries in the folder of a library that it needs, directly or by way of each other: the needed ones
/// first. Nothing is loaded: the files are read. \param library  an ELF file; what is none needs nothing
std::vector<std::string> SiblingsNeeded(const std::filesystem::path& library);

/// The names of those libraries, each claimed for the file beside `library`: the loader knows libraries by their names,
/// so that in one process an FMU would get the library of another FMU that has one of the same name. Libraries of the
/// C++ system, which every process of ours has, are shared and not claimed. Nothing is loaded.
std::vector<ProcessClaim> SiblingClaims(const std::filesystem::path& library);

/// Loads a library whose needed libraries lie beside it, although nothing in it says so (it has no RUNPATH "$ORIGIN"):
/// the loader looks for those in the folder of the library too, as other importers of FMUs let it do by a search path.
/// They are loaded as from a folder of the system: shared by name, and closed with the last that needs them.
/// \param siblings  what SiblingsNeeded gave
/// \param keeper    becomes a handle to be closed after the library; null where nothing was loaded
/// \param reason    becomes the loader's, where it cannot be loaded so either and the loader gives one
/// \returns the handle of dlopen; null where it cannot be loaded so either
void* LoadWithSiblings(const std::filesystem::path& library, const std::vector<std::string>& siblings, void*& keeper,
                       std::string& reason);

}  // namespace openmi::fmi
