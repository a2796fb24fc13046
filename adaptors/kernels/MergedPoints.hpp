#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// Points with those at one place made one, for methods whose equations have no answer for two values at one place. The
/// sources of one place share its weight equally, so that the place has their mean.
class MergedPoints {
 public:
  /// \param points  finite; those no further apart than 1e-12 of their common extent are at one place
  /// \throws RangeError  a coordinate that is not finite
  explicit MergedPoints(std::span<const Point3> points);

  std::span<const Point3> Points() const { return points_; }
  std::size_t Count() const { return points_.size(); }
  /// The longest side of the box about all points.
  double Extent() const { return extent_; }
  /// The numbers of the points at a place.
  std::span<const std::uint32_t> Members(std::size_t place) const {
    return std::span(members_).subspan(starts_[place], starts_[place + 1] - starts_[place]);
  }
  /// Adds the weight of a place to the row that is being made.
  void Add(std::size_t place, double weight, SparseRows& rows) const;

 private:
  std::vector<Point3> points_;
  std::vector<std::uint32_t> starts_{0};
  std::vector<std::uint32_t> members_;
  double extent_ = 0.0;
};

}  // namespace openmi
