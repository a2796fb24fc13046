#pragma once

#include <algorithm>
#include <limits>

namespace openmi {

/// A place in the plane, in the unit of its reference system.
///
/// Source: none; the common part of two rectangles is the common part of their intervals along each axis.
struct Point {
  double x;
  double y;
  friend bool operator==(const Point&, const Point&) = default;
};

/// A closed rectangle along the axes. The default one is empty; it grows with what is added.
struct Box {
  double x0 = std::numeric_limits<double>::infinity();
  double y0 = std::numeric_limits<double>::infinity();
  double x1 = -std::numeric_limits<double>::infinity();
  double y1 = -std::numeric_limits<double>::infinity();

  /// Extends the rectangle to a point.
  void Add(Point p) {
    x0 = std::min(x0, p.x);
    y0 = std::min(y0, p.y);
    x1 = std::max(x1, p.x);
    y1 = std::max(y1, p.y);
  }
  /// Extends the rectangle to another one.
  void Add(const Box& b) {
    x0 = std::min(x0, b.x0);
    y0 = std::min(y0, b.y0);
    x1 = std::max(x1, b.x1);
    y1 = std::max(y1, b.y1);
  }
  /// The common part of both rectangles; width or height is negative where there is none.
  Box Common(const Box& b) const {
    return {std::max(x0, b.x0), std::max(y0, b.y0), std::min(x1, b.x1), std::min(y1, b.y1)};
  }
  double Width() const { return x1 - x0; }
  double Height() const { return y1 - y0; }
};

}  // namespace openmi
