#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::fmi {

/// The name of a build description in an FMU.
inline constexpr const char* kBuildDescription = "sources/buildDescription.xml";

/// Sources of an FMU that are compiled alike.
struct SourceSet {
  std::string standard;                                           ///< "c99", "c++17", ...; empty: that of the compiler
  std::vector<std::string> files = {};                            ///< relative to sources/
  std::vector<std::pair<std::string, std::string>> defines = {};  ///< names and values of the preprocessor
  std::vector<std::string> includes = {};                         ///< folders, relative to sources/
};

/// Whether these are sources of C++.
bool IsCxx(const SourceSet& set);

/// The sources of an FMU for one way to run it: those of SourceFiles (FMI 2.0), or of the build description.
///
/// A build description comes from elsewhere. Only names of files in sources/, names and values of definitions, and the
/// language are taken from it. A compiler, options and libraries that it names are reported and not used.
/// \param build  text of the build description; empty: there is none
/// \returns what could be read, even with problems
/// \throws FormatError  the text is not XML, or exceeds its limits
std::vector<SourceSet> SourceSetsOf(const ModelDescription& description, InterfaceKind kind, std::string_view build,
                                    Problems& problems);

}  // namespace openmi::fmi
