#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "adaptors/kernels/Polygons.hpp"

namespace bench {

/// A place of the unit square, turned about its middle by 30 degrees where `turned`.
inline openmi::Point Place(double u, double v, bool turned) {
  static const double cosine = std::cos(std::numbers::pi / 6), sine = std::sin(std::numbers::pi / 6);
  if (!turned) return {u, v};
  return {0.5 + (u - 0.5) * cosine - (v - 0.5) * sine, 0.5 + (u - 0.5) * sine + (v - 0.5) * cosine};
}

/// The area common to the unit square and the same turned about its middle by 30 degrees.
inline double CommonArea() {
  return 2.0 / (1.0 + std::sin(std::numbers::pi / 6) + std::cos(std::numbers::pi / 6));
}

/// n x n square cells over the unit square, of them the rows from `first` to before `end`.
inline openmi::Polygons Squares(std::size_t n, bool turned, std::size_t first, std::size_t end) {
  openmi::Polygons cells;
  const auto at = [&](std::size_t i) { return static_cast<double>(i) / static_cast<double>(n); };
  for (std::size_t j = first; j < end; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      cells.Add(std::array{Place(at(i), at(j), turned), Place(at(i + 1), at(j), turned),
                           Place(at(i + 1), at(j + 1), turned), Place(at(i), at(j + 1), turned)});
    }
  }
  return cells;
}
inline openmi::Polygons Squares(std::size_t n, bool turned) {
  return Squares(n, turned, 0, n);
}

/// n x n concave cells of 8 vertices over the unit square, which fit each other, each with a hole in its middle whose
/// sides are 0.2 of a cell.
inline openmi::Polygons ConcaveCells(std::size_t n, bool turned) {
  openmi::Polygons cells;
  const auto add = [&](double i, double j) {
    const openmi::Point p = Place(i / static_cast<double>(n), j / static_cast<double>(n), turned);
    cells.AddVertex(p.x, p.y);
  };
  // How far the middle of an edge is pushed out; the rim stays straight.
  const auto bend = [&](std::size_t line) { return line == 0 || line == n ? 0.0 : (line % 2 == 0 ? 0.2 : -0.2); };
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto x = static_cast<double>(i);
      const auto y = static_cast<double>(j);
      add(x, y);
      add(x + 0.5, y + bend(j));
      add(x + 1, y);
      add(x + 1 + bend(i + 1), y + 0.5);
      add(x + 1, y + 1);
      add(x + 0.5, y + 1 + bend(j + 1));
      add(x, y + 1);
      add(x + bend(i), y + 0.5);
      cells.EndRing();
      add(x + 0.4, y + 0.4);
      add(x + 0.4, y + 0.6);
      add(x + 0.6, y + 0.6);
      add(x + 0.6, y + 0.4);
      cells.EndRing(true);
      cells.EndPolygon();
    }
  }
  return cells;
}

}  // namespace bench
