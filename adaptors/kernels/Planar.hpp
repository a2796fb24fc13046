#pragma once

#include <algorithm>
#include <cstddef>
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

inline double Cross(Point a, Point b) {
  return a.x * b.y - a.y * b.x;
}
inline double Dot(Point a, Point b) {
  return a.x * b.x + a.y * b.y;
}
inline Point Minus(Point a, Point b) {
  return {a.x - b.x, a.y - b.y};
}

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

/// A rectangle divided into columns and rows of equal width and height. What lies outside is in the outermost ones.
struct Raster {
  Box extent;
  double per_x = 0.0;  ///< columns per coordinate unit
  double per_y = 0.0;  ///< rows per coordinate unit
  std::ptrdiff_t columns = 1;
  std::ptrdiff_t rows = 1;

  /// The column of a place. Never falls as `x` rises, though it is rounded.
  std::ptrdiff_t Column(double x) const { return Clamp((x - extent.x0) * per_x, columns); }
  /// The row of a place, as `Column`.
  std::ptrdiff_t Row(double y) const { return Clamp((y - extent.y0) * per_y, rows); }

 private:
  static std::ptrdiff_t Clamp(double place, std::ptrdiff_t count) {
    return place > 0.0 ? static_cast<std::ptrdiff_t>(std::min(place, static_cast<double>(count - 1))) : 0;
  }
};

}  // namespace openmi
