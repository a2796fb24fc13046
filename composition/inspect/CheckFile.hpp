#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "composition/model/CompositionFile.hpp"
#include "composition/run/Variables.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// What a check is to do, beside looking.
struct CheckOptions {
  std::set<std::string> without;  ///< components that are not loaded; where there is one, no links are made either
  /// Called before each thing that is done, with words ("making 'creek'") and the id of the component whose code runs:
  /// a process that watches over this one knows by it what holds it up. May be empty.
  std::function<void(const std::string& what, const std::string& component)> on_step = {};
};

/// Everything that can be found in a composition without running it. Its libraries are loaded into this process.
/// \throws FileError, FormatError  the file cannot be read at all
Problems CheckComposition(const std::filesystem::path& path, const Variables& variables,
                          const CheckOptions& options = {});
/// The same of what was read already.
Problems CheckComposition(CompositionFile file, const Variables& variables, const CheckOptions& options = {});

/// The same for the component of an OMI file: it is loaded, its arguments are set, and it is initialized. That it wants
/// arguments which only a composition gives is a warning.
Problems CheckOmi(const std::filesystem::path& path);

/// Everything that can be found without loading any library: the form of the files, whether the libraries are there
/// and fit this build.
/// \throws FileError, FormatError  the file cannot be read at all
Problems CheckCompositionStatic(const std::filesystem::path& path, const Variables& variables);
Problems CheckCompositionStatic(const CompositionFile& file, const Variables& variables);
Problems CheckOmiStatic(const std::filesystem::path& path);

}  // namespace openmi
