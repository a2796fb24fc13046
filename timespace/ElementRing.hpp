#pragma once

#include <span>

namespace openmi {

/// One ring of a polygon. The closing vertex is not repeated.
///
/// Borrowed from its element set; valid until the set changes.
struct ElementRing {
  std::span<const double> x;
  std::span<const double> y;
  std::span<const double> z;  ///< empty when the set has no Z
  int part = 0;               ///< number of the part: an outer ring and the holes in it have the same
  bool is_hole = false;       ///< outer rings run counter-clockwise, holes clockwise
};

}  // namespace openmi
