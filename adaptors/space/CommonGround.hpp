#pragma once

#include <span>
#include <string>
#include <vector>

#include "adaptors/kernels/SparseRows.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// The common part of two sets of elements, from the geometry of both alone.
///
/// It covers areas of polygons in polygons (in one plane, equal-area where they are in longitude and latitude), lengths
/// of lines in polygons or along lines, and points in polygons. Sources are transformed to the reference system of the
/// targets.
class CommonGround {
 public:
  /// \param who  names the caller in messages
  /// \param source  the set whose shares are asked for
  /// \param target  the set that may contain them
  /// \throws LinkError  a geometry that cannot be used
  /// \throws RangeError  a geometry that cannot be used
  CommonGround(const std::string& who, const IElementSet& source, const IElementSet& target);

  /// Whether the geometry shows what lies within what. It does not for points with points, or without places.
  bool IsKnown() const { return is_known_; }
  /// For polygons in polygons: the areas, m2 or coordinate units squared; else empty. Shape [sources], [targets].
  const std::vector<double>& SourceAreas() const { return source_areas_; }
  const std::vector<double>& TargetAreas() const { return target_areas_; }
  /// The part of each source that lies within targets, where it is known.
  /// \param counts  the part of each target that counts, 0 to 1; shape [targets]
  /// \returns shape [sources], 0 to 1, also where targets overlap each other
  std::vector<double> SharesWithin(std::span<const double> counts) const;

 private:
  bool is_known_ = false;
  SparseRows common_;          // [target x source]
  std::vector<double> whole_;  // size of each source; empty: 1 each
  std::vector<double> source_areas_;
  std::vector<double> target_areas_;
};

}  // namespace openmi
