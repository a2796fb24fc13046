#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace openmi::structure {

/// One `#include` line as it stands in a file.
struct IncludeLine {
  std::filesystem::path file;  ///< the including file, relative to the tree
  int line = 0;                ///< counted from 1
  std::string name;            ///< between the quotes or brackets
  bool is_quoted = false;      ///< "..." rather than <...>
};

/// A forbidden include; `text` names both files and says what to do.
struct Offence {
  IncludeLine include;
  std::string text;
};

/// The layer of a path relative to the tree's root: 2 (`openmi/standard`) to 8 (`tools`); none outside the layers
/// (`tests`, `bench`, `examples`).
std::optional<int> LayerOf(const std::filesystem::path& path);

/// Every `#include` of the C and C++ files below `root`, build folders and hidden folders left out, ordered by file and
/// line.
std::vector<IncludeLine> ReadIncludes(const std::filesystem::path& root);

/// Includes from a layer to a layer above or to another folder of the same layer, from a module to one that it may not
/// use, and out of the layers (`tests`, ...).
std::vector<Offence> FindUpwardIncludes(const std::filesystem::path& root);

/// The modules of all layers, with the sentence of their README on what they may include.
struct ModuleRule {
  std::filesystem::path folder;
  std::string sentence;
};
std::vector<ModuleRule> ModuleRules();

/// Includes of public headers that are neither the C++ standard library nor another public header.
/// \param public_headers  relative to `root`
std::vector<Offence> FindForeignIncludes(const std::filesystem::path& root,
                                         const std::set<std::filesystem::path>& public_headers);

}  // namespace openmi::structure
