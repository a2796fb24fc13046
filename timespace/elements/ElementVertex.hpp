#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace openmi {

/// A vertex for an element set, in the units of the set's reference system.
struct ElementVertex {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;  ///< ignored when the set has no Z
  double m = 0.0;  ///< ignored when the set has no M
};

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

/// The coordinates of many vertices, each kind in contiguous memory.
struct VertexLists {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> z;  ///< empty when the set has no Z
  std::vector<double> m;  ///< empty when the set has no M

  void Add(std::span<const ElementVertex> vertices, bool with_z, bool with_m) {
    for (const ElementVertex& vertex : vertices) {
      x.push_back(vertex.x);
      y.push_back(vertex.y);
      if (with_z) z.push_back(vertex.z);
      if (with_m) m.push_back(vertex.m);
    }
  }
  /// The vertices from `begin` until before `end`. Valid until the lists change.
  ElementRing Ring(std::size_t begin, std::size_t end, int part, bool is_hole) const {
    const auto piece = [&](const std::vector<double>& all) {
      return all.empty() ? std::span<const double>() : std::span(all).subspan(begin, end - begin);
    };
    return {piece(x), piece(y), piece(z), part, is_hole};
  }
};

}  // namespace openmi
