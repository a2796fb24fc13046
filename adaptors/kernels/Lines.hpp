#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "adaptors/kernels/Planar.hpp"
#include "adaptors/kernels/Polygons.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// Polylines in flat arrays, borrowed. Positive is the direction from the first vertex to the last.
struct LinesView {
  std::span<const Point> points;          ///< vertices, line after line
  std::span<const std::uint32_t> starts;  ///< first vertex of each line, and the number of vertices at the end
  /// Length of the segment that begins at each vertex, where it is not the straight distance (on the earth); shape
  /// [points], or empty.
  std::span<const double> lengths = {};

  std::size_t Count() const { return starts.empty() ? 0 : starts.size() - 1; }
  double SegmentLength(std::size_t vertex) const;
};

/// The length of each line; shape [lines].
std::vector<double> LineLengths(const LinesView& lines);

/// How long each line runs in each polygon. A stretch along an edge counts half, so that it counts once for two
/// polygons side by side.
/// \returns [polygons x lines], unit of the lengths, columns rising
/// \throws RangeError  a coordinate that is not finite, or a polygon without an area
SparseRows LengthsInPolygons(const LinesView& lines, const PolygonsView& polygons);

/// How long the lines of two sets run along each other (within 1e-9 of their segments' lengths), negative where their
/// directions are opposite.
/// \returns [targets x sources], unit of the targets' lengths, columns rising
/// \throws RangeError  a coordinate that is not finite
SparseRows LengthsAlongLines(const LinesView& sources, const LinesView& targets);

/// The square of the distance of a point from a line: from its nearest place.
double SquareToLine(const LinesView& lines, std::size_t line, Point p);

struct LineDistanceOptions {
  bool lines_are_sources = true;  ///< else the points are, and the lines are targets
  double power = 1.0;             ///< of 1 / distance; 0: only the nearest source counts, or equally near ones alike
  std::size_t neighbours = 0;     ///< how many sources count for a target, the nearest ones; 0: all
  double radius = std::numeric_limits<double>::infinity();  ///< sources further away do not count
};

/// Weights by the distance of points from lines (ElementMapper200, 201, 400, 401); sources at distance 0 share alone.
/// \returns [targets x sources], columns rising; rows sum to 1, but are empty where no source is within the radius
/// \throws RangeError  a coordinate that is not finite
/// \note  All against all: points times segments.
SparseRows LineDistanceWeights(const LinesView& lines, std::span<const Point> points,
                               const LineDistanceOptions& options);

}  // namespace openmi
