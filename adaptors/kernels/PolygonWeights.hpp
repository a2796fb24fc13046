#pragma once

#include <span>
#include <vector>

#include "adaptors/kernels/Crew.hpp"
#include "adaptors/kernels/Polygons.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// The weight of source s in target t, where A(s, t) is their common area.
///
/// Source: [Jones1999], first-order remapping (normalisation by the covered or by the whole target area).
enum class PolygonWeightKind {
  Mean,       ///< A(s, t) / sum over s of A(s, t): rows sum to 1 (ElementMapper800)
  Sum,        ///< A(s, t) / A(t): rows sum to the covered part of the target (ElementMapper801)
  Distribute  ///< A(s, t) / A(s): columns sum to the part of the source that lies in targets (ElementMapper802)
};

/// The common areas of two sets of polygons, and the areas to judge them by.
struct PolygonOverlaps {
  SparseRows areas;                  ///< [target x source], coordinate units squared; columns rising in each row
  std::vector<double> source_areas;  ///< [sources], coordinate units squared
  std::vector<double> target_areas;  ///< [targets], coordinate units squared

  /// The part of each target's area that sources cover, 0 to 1 where sources do not overlap each other; [targets].
  std::vector<double> TargetCover() const;
  /// The part of each source's area that lies in targets; [sources].
  std::vector<double> SourceCover() const;
};

/// Finds all common areas of two sets of polygons in one plane.
///
/// Longitude and latitude must be projected first (`EqualArea`). n log n in the number of polygons for any arrangement.
/// The result does not depend on the number of threads.
/// \param source  the first set
/// \param target  the second set
/// \param threads  how many threads work in parallel; 0 counts as 1
/// \throws RangeError  a polygon without an area or with a coordinate that is not finite; the message gives "source" or
///   "target" and the index
PolygonOverlaps FindOverlaps(const PolygonsView& source, const PolygonsView& target, unsigned threads = 1);
/// Finds all common areas with the threads of an existing crew.
PolygonOverlaps FindOverlaps(const PolygonsView& source, const PolygonsView& target, Crew& crew);

/// Makes weights of a kind in place of the areas. Rows of targets without overlap are empty, never 0/0.
SparseRows MakePolygonWeights(PolygonOverlaps overlaps, PolygonWeightKind kind);

}  // namespace openmi
