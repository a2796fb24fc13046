#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace openmi::described {

/// Position in a list of a description; kNowhere: none.
using Index = std::int32_t;
inline constexpr Index kNowhere = -1;

/// An element directly below an annotation; its content is not kept.
struct AnnotationElement {
  std::string name;  ///< without prefix
  std::string namespace_uri;
  std::vector<std::pair<std::string, std::string>> attributes;  ///< attributes without namespace: name and value
};

/// An annotation, unchanged.
struct Annotation {
  std::string type;     ///< reverse domain name (3.0) or name of the tool (2.0)
  std::string content;  ///< XML between the tags
  std::vector<AnnotationElement> elements = {};
  int line = 0;
};

struct DisplayUnit {
  std::string name;
  double factor = 1.0;  ///< shown = factor * value + offset; with `inverse`: factor / value
  double offset = 0.0;
  bool inverse = false;
};

/// The base units, in the order of exponents.
inline constexpr std::array<const char*, 8> kBaseUnits = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

/// A unit definition: base value = factor * value + offset.
struct UnitDefinition {
  std::string name;
  bool has_base = false;           ///< whether there is a BaseUnit; if not, the dimension is unknown
  std::array<int, 8> exponents{};  ///< of kBaseUnits
  double factor = 1.0;
  double offset = 0.0;
  std::vector<DisplayUnit> display_units;
  int line = 0;
};

/// Smallest and largest value.
///
/// Those of integers, including enumerations, are also stored exactly; a UInt64 with its bits.
struct Limits {
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::optional<double> gradient;    ///< DCP: the largest change of an input in a second
  std::int64_t integer_minimum = 0;  ///< valid only if `minimum` is set
  std::int64_t integer_maximum = 0;  ///< valid only if `maximum` is set
};

}  // namespace openmi::described
