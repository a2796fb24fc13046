#pragma once

#include <span>
#include <string>
#include <vector>

#include "adaptors/kernels/SparseRows.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// What two sets of elements have in common, from the geometry of both and nothing else: areas of polygons in polygons
/// (in one plane, equal-area where they are in longitude and latitude), lengths of lines in polygons or along lines,
/// points in polygons. Sources are transformed to the reference system of the targets.
class CommonGround {
 public:
  /// \param who  for messages
  /// \throws LinkError, RangeError  a geometry that cannot be used
  CommonGround(const std::string& who, const IElementSet& source, const IElementSet& target);

  /// Whether the geometry tells what lies within what; it does not for points and points, or without places.
  bool IsKnown() const { return is_known_; }
  /// Of polygons and polygons, m2 or coordinate units squared; else empty. Shape [sources], [targets].
  const std::vector<double>& SourceAreas() const { return source_areas_; }
  const std::vector<double>& TargetAreas() const { return target_areas_; }
  /// How much of each source lies within targets, where it is known.
  /// \param counts  how much of each target counts, 0 to 1; shape [targets]
  /// \returns shape [sources], 0 to 1. Where targets overlap each other, no source counts more than whole
  std::vector<double> SharesWithin(std::span<const double> counts) const;

 private:
  bool is_known_ = false;
  SparseRows common_;          // [target x source]
  std::vector<double> whole_;  // of each source; empty: 1 each
  std::vector<double> source_areas_;
  std::vector<double> target_areas_;
};

}  // namespace openmi
