#pragma once

#include <string>

#include "composition/run/Variables.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::tools {

/// Everything that can be found without running, in this process: the libraries are loaded.
/// \param component  of a composition, the only one to load; empty: all, with their links
/// \throws FileError, FormatError  the file cannot be read at all
Problems CheckLoaded(const std::string& path, const Variables& variables, const std::string& component = {});

/// Everything that can be found without loading any library: the form of the files, whether the libraries are there
/// and fit this build.
/// \throws FileError, FormatError  the file cannot be read at all
Problems CheckStatic(const std::string& path, const Variables& variables);

}  // namespace openmi::tools
