#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "adaptors/kernels/Polygons.hpp"

namespace openmi::testing {

/// nx x ny cells over the unit square, each vertex sent through `place`; neighbours share their vertices bit for bit.
/// With `bends` extra vertices on each edge, displaced along the other axis by up to `depth` cells, the cells are
/// concave, and still fit each other like a jigsaw puzzle; the rim stays straight.
inline Polygons Grid(std::size_t nx, std::size_t ny, const std::function<Point(double, double)>& place,
                     std::size_t bends = 0, double depth = 0.0) {
  const auto shift = [&](std::size_t line, std::size_t lines, std::size_t cell, std::size_t bend) {
    if (bend == 0 || line == 0 || line == lines) return 0.0;
    return depth * std::sin(12.9898 * static_cast<double>(line * 131 + cell * 17 + bend * 7));
  };
  const auto part = [&](std::size_t cell, std::size_t bend) {
    return static_cast<double>(cell) + static_cast<double>(bend) / static_cast<double>(bends + 1);
  };
  Polygons cells;
  for (std::size_t j = 0; j < ny; ++j) {
    for (std::size_t i = 0; i < nx; ++i) {
      const auto add = [&](double u, double v) {
        const Point p = place(u / static_cast<double>(nx), v / static_cast<double>(ny));
        cells.AddVertex(p.x, p.y);
      };
      for (std::size_t k = 0; k <= bends; ++k) add(part(i, k), static_cast<double>(j) + shift(j, ny, i, k));
      for (std::size_t k = 0; k <= bends; ++k) add(static_cast<double>(i + 1) + shift(i + 1, nx, j, k), part(j, k));
      for (std::size_t k = bends + 1; k > 0; --k) {
        const std::size_t bend = k == bends + 1 ? 0 : k;
        add(k == bends + 1 ? part(i + 1, 0) : part(i, k), static_cast<double>(j + 1) + shift(j + 1, ny, i, bend));
      }
      for (std::size_t k = bends + 1; k > 0; --k) {
        const std::size_t bend = k == bends + 1 ? 0 : k;
        add(static_cast<double>(i) + shift(i, nx, j, bend), k == bends + 1 ? part(j + 1, 0) : part(j, k));
      }
      cells.EndRing();
      cells.EndPolygon();
    }
  }
  return cells;
}

}  // namespace openmi::testing
