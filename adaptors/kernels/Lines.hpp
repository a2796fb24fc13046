#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "adaptors/kernels/Planar.hpp"
#include "adaptors/kernels/Polygons.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// Polylines in flat arrays, borrowed. The positive direction leads from the first vertex to the last.
struct LinesView {
  std::span<const Point> points;          ///< vertices, line after line
  std::span<const std::uint32_t> starts;  ///< first vertex of each line, and the number of vertices at the end
  /// Length of the segment that starts at each vertex, where it is not the straight distance (on the earth); shape
  /// [points], or empty.
  std::span<const double> lengths = {};

  std::size_t Count() const { return starts.empty() ? 0 : starts.size() - 1; }
  /// The length of the segment that starts at a vertex: from `lengths` if given, else the straight distance.
  double SegmentLength(std::size_t vertex) const;
};

/// The length of each line; shape [lines].
std::vector<double> LineLengths(const LinesView& lines);

/// The length of each line within each polygon.
///
/// A stretch along an edge counts half, so that it counts once for two adjacent polygons.
/// \returns [polygons x lines], unit of the lengths, columns rising
/// \throws RangeError  a coordinate that is not finite, or a polygon without an area
///
/// Source: [Berg2008], sec. 2.1 for the intersection of segments; the middle of each part between intersections
/// decides.
SparseRows LengthsInPolygons(const LinesView& lines, const PolygonsView& polygons);

/// The length over which the lines of two sets coincide (within 1e-9 of their segments' lengths).
///
/// It is negative where their directions are opposite.
/// \returns [targets x sources], unit of the targets' lengths, columns rising
/// \throws RangeError  a coordinate that is not finite
SparseRows LengthsAlongLines(const LinesView& sources, const LinesView& targets);

/// The squared distance of a point from the nearest place of a line.
double SquareToLine(const LinesView& lines, std::size_t line, Point p);

/// Options of `LineDistanceWeights`.
struct LineDistanceOptions {
  bool lines_are_sources = true;  ///< else the points are sources and the lines are targets
  double power = 1.0;             ///< of 1 / distance; 0: only the nearest source counts, equally near ones alike
  std::size_t neighbours = 0;     ///< how many nearest sources count for a target; 0: all
  double radius = std::numeric_limits<double>::infinity();  ///< sources further away do not count
};

/// Weights by the distance of points from lines (ElementMapper200, 201, 400, 401).
///
/// If sources are at distance 0, only they count, in equal parts.
/// \returns [targets x sources], columns rising; rows sum to 1, but are empty where no source is within the radius
/// \throws RangeError  a coordinate that is not finite
/// \note  All pairs are computed: points times segments.
///
/// Source: [Shepard1968], with the distance from the nearest place of the line.
SparseRows LineDistanceWeights(const LinesView& lines, std::span<const Point> points,
                               const LineDistanceOptions& options);

}  // namespace openmi
