#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// Points in which those at the same place are merged, for methods whose equations cannot have two values at one place.
///
/// The sources at a place share its weight equally, so that the place has the mean of their values.
///
/// Source: none; the mean of n values is the sum of value times 1/n, so weight w of the place is w/n for each source.
class MergedPoints {
 public:
  /// \param points  finite; points no further apart than 1e-12 of their common extent are at the same place
  /// \throws RangeError  a coordinate that is not finite
  explicit MergedPoints(std::span<const Point3> points);

  /// One point for each place.
  std::span<const Point3> Points() const { return points_; }
  std::size_t Count() const { return points_.size(); }
  /// The longest side of the box around all points.
  double Extent() const { return extent_; }
  /// The indices of the points at a place.
  std::span<const std::uint32_t> Members(std::size_t place) const {
    return std::span(members_).subspan(starts_[place], starts_[place + 1] - starts_[place]);
  }
  /// Adds the weight of a place to the current row, divided among its points.
  void Add(std::size_t place, double weight, SparseRows& rows) const;

 private:
  std::vector<Point3> points_;
  std::vector<std::uint32_t> starts_{0};
  std::vector<std::uint32_t> members_;
  double extent_ = 0.0;
};

}  // namespace openmi
