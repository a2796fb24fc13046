#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace openmi::described {

/// Position in one of the lists of a description; kNowhere for none.
using Index = std::int32_t;
inline constexpr Index kNowhere = -1;

/// An annotation, kept as it stands.
struct Annotation {
  std::string type;     ///< reverse domain name (3.0) or name of the tool (2.0)
  std::string content;  ///< XML between the tags
};

struct DisplayUnit {
  std::string name;
  double factor = 1.0;  ///< shown = factor * value + offset; with `inverse`: factor / value
  double offset = 0.0;
  bool inverse = false;
};

/// A unit definition: base value = factor * value + offset.
struct UnitDefinition {
  std::string name;
  bool has_base = false;           ///< whether there is a BaseUnit; without, the dimension is unknown
  std::array<int, 8> exponents{};  ///< kg m s A K mol cd rad
  double factor = 1.0;
  double offset = 0.0;
  std::vector<DisplayUnit> display_units;
  int line = 0;
};

}  // namespace openmi::described
