#pragma once

#include <filesystem>
#include <string>

#include "composition/run/Variables.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// Everything that can be found in a composition without running it. Its libraries are loaded into this process.
/// \param component  the only one to load; empty: all, with their links
/// \throws FileError, FormatError  the file cannot be read at all
Problems CheckComposition(const std::filesystem::path& path, const Variables& variables,
                          const std::string& component = {});

/// The same for the component of an OMI file: it is loaded, its arguments are set, and it is initialized. That it wants
/// arguments which only a composition gives is a warning.
Problems CheckOmi(const std::filesystem::path& path);

/// Everything that can be found without loading any library: the form of the files, whether the libraries are there
/// and fit this build.
/// \throws FileError, FormatError  the file cannot be read at all
Problems CheckCompositionStatic(const std::filesystem::path& path, const Variables& variables);
Problems CheckOmiStatic(const std::filesystem::path& path);

}  // namespace openmi
