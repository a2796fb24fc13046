#include "adaptors/kernels/MergedPoints.hpp"

#include <algorithm>

#include "adaptors/kernels/PointTree.hpp"

namespace openmi {

MergedPoints::MergedPoints(std::span<const Point3> points) {
  const PointTree tree(points);
  if (points.empty()) return;
  Point3 low = points.front();
  Point3 high = low;
  for (const Point3& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  extent_ = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  std::vector<bool> taken(points.size(), false);
  points_.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (taken[i]) continue;
    const std::size_t begin = members_.size();
    tree.Within(points[i], 1e-12 * extent_, [&](std::uint32_t other, double) {
      if (!taken[other]) members_.push_back(other);
      taken[other] = true;
    });
    std::sort(members_.begin() + static_cast<std::ptrdiff_t>(begin), members_.end());
    points_.push_back(points[i]);
    starts_.push_back(static_cast<std::uint32_t>(members_.size()));
  }
}

void MergedPoints::Add(std::size_t place, double weight, SparseRows& rows) const {
  const std::span<const std::uint32_t> members = Members(place);
  for (const std::uint32_t member : members) rows.Add(member, weight / static_cast<double>(members.size()));
}

}  // namespace openmi
