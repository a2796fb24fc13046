#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace openmi::house {

/// One `#include` line as it stands in a file.
struct IncludeLine {
  std::filesystem::path file;  ///< the including file, relative to the tree
  int line = 0;                ///< counted from 1
  std::string name;            ///< between the quotes or brackets
  bool is_quoted = false;      ///< "..." rather than <...>
};

/// Something that the house forbids; `text` names both files and says what to do.
struct Offence {
  IncludeLine include;
  std::string text;
};

/// The floor of a path relative to the tree's root: 2 (`openmi/standard`) to 8 (`tools`); none outside the house
/// (`tests`, `bench`, `examples`).
std::optional<int> FloorOf(const std::filesystem::path& path);

/// Every `#include` of the C and C++ files below `root`, build folders and hidden folders left out, ordered by file and
/// line.
std::vector<IncludeLine> ReadIncludes(const std::filesystem::path& root);

/// Includes from a floor to a floor above, to another room of the same floor, between rooms of fmi-bridge/ that must
/// not know each other, or out of the house (`tests`, ...).
std::vector<Offence> FindUpwardIncludes(const std::filesystem::path& root);

/// Includes of public headers that are neither the C++ standard library nor another public header.
/// \param public_headers  relative to `root`
std::vector<Offence> FindForeignIncludes(const std::filesystem::path& root,
                                         const std::set<std::filesystem::path>& public_headers);

}  // namespace openmi::house
