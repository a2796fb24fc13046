#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "composition/link/Variables.hpp"
#include "composition/model/CompositionFile.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

class Composition;

/// Checks a composition before it runs: asks every component to validate itself, and checks files, the run, horizons,
/// steps, loops, observed items, states and the trigger. Every problem is reported, not only the first one.
/// \param composition  loaded and connected
/// \param problems     receives what is found
void CheckComposition(Composition& composition, Problems& problems);

/// Parts of the above: reports how each loop of links will be run, and what prevents it; and links whose two ends step
/// differently without a time adaptor in between.
void CheckLoops(Composition& composition, Problems& problems);
void CheckSteps(Composition& composition, Problems& problems);

/// A file that a group needs on its host.
struct GroupFile {
  std::string group;
  std::string path;
  std::string sha256;  ///< of its bytes, 64 hexadecimal digits
};

/// Reports which files each group of components needs if it is placed on another host, with their hashes, and which
/// components cannot leave this one. Of a group, at most 100 files are named.
/// \param files  receives all of them; or null
void CheckGroups(Composition& composition, Problems& problems, std::vector<GroupFile>* files = nullptr);

/// What a check does beyond reading the composition.
struct CheckOptions {
  std::set<std::string> without;  ///< ids of components that are not loaded; if there is one, no links are made
  /// Called before each step with a text ("making 'creek'") and the id of the component whose code runs. May be empty.
  ///
  /// A process that supervises this one learns from it which step does not return.
  std::function<void(const std::string& what, const std::string& component)> on_step = {};
  std::vector<GroupFile>* files = nullptr;  ///< receives what CheckGroups finds; or null
};

/// Finds the problems of a composition without running it. Loads its libraries into this process.
/// \throws FileError    the file cannot be read
/// \throws FormatError  the file is not well-formed XML, or exceeds a limit
Problems CheckComposition(const std::filesystem::path& path, const Variables& variables,
                          const CheckOptions& options = {});
/// The same for a composition that has been read.
Problems CheckComposition(CompositionFile file, const Variables& variables, const CheckOptions& options = {});

/// The same for the component of an OMI file: it is loaded, its arguments are set, and it is initialized.
///
/// A missing argument that only a composition gives is a warning.
Problems CheckOmi(const std::filesystem::path& path);

/// Finds the problems that can be found without loading any library: the form of the files, and whether the libraries
/// exist and fit this build.
/// \throws FileError    the file cannot be read
/// \throws FormatError  the file is not well-formed XML, or exceeds a limit
Problems CheckCompositionStatic(const std::filesystem::path& path, const Variables& variables);
Problems CheckCompositionStatic(const CompositionFile& file, const Variables& variables);
Problems CheckOmiStatic(const std::filesystem::path& path);

/// Initializes a component alone and adds what fails to `problems`.
///
/// An exception about an argument that the OMI file gives is an error, placed at the line of that argument. Arguments
/// that only a composition gives (files, times) may be missing, so anything else is a warning. It is placed at the OMI
/// file if it names no other file.
void TryInitialize(IBaseLinkableComponent& component, const OmiFile& omi, Problems& problems);

}  // namespace openmi
