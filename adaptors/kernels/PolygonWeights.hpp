#pragma once

#include <span>
#include <vector>

#include "adaptors/kernels/Crew.hpp"
#include "adaptors/kernels/Polygons.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// What the weight of source s in target t is, A(s, t) being the area that both have in common.
enum class PolygonWeightKind {
  Mean,       ///< A(s, t) / sum over s of A(s, t): rows sum to 1 (ElementMapper800)
  Sum,        ///< A(s, t) / A(t): rows sum to the covered part of the target (ElementMapper801)
  Distribute  ///< A(s, t) / A(s): columns sum to the part of the source that lies in targets (ElementMapper802)
};

/// Common areas of two sets of polygons, and what belongs to judging them.
struct PolygonOverlaps {
  SparseRows areas;                  ///< [target x source], coordinate units squared; columns rising in each row
  std::vector<double> source_areas;  ///< [sources], coordinate units squared
  std::vector<double> target_areas;  ///< [targets], coordinate units squared

  /// For each target the part of its area that sources cover, 0 to 1 where sources do not overlap each other;
  /// [targets].
  std::vector<double> TargetCover() const;
  /// For each source the part of its area that lies in targets; [sources].
  std::vector<double> SourceCover() const;
};

/// Finds all common areas of two sets of polygons in one plane.
///
/// Longitude and latitude must be projected first (`EqualArea`). n log n in the number of polygons for any arrangement
/// of them; the result does not depend on the number of threads. \param threads  how many work side by side; 0 counts
/// as 1 \throws RangeError  a polygon without an area or with a coordinate that is not finite, with "source" or
/// "target" and its
///                     index
PolygonOverlaps FindOverlaps(const PolygonsView& source, const PolygonsView& target, unsigned threads = 1);
/// The same by a crew that is there already.
PolygonOverlaps FindOverlaps(const PolygonsView& source, const PolygonsView& target, Crew& crew);

/// The weights of a kind, made in place of the areas. Rows of targets without overlap are empty, never 0/0.
SparseRows MakePolygonWeights(PolygonOverlaps overlaps, PolygonWeightKind kind);

}  // namespace openmi
