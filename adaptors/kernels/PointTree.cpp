#include "adaptors/kernels/PointTree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "openmi/sdk/Error.hpp"

namespace openmi {

void RequireFinite(std::span<const Point3> points, const char* side) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point3& p = points[i];
    if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) continue;
    throw RangeError(
        {}, fmt::format("{} point {}: expected finite coordinates, found ({}, {}, {})", side, i, p.x, p.y, p.z),
        "correct the element set");
  }
}

PointTree::PointTree(std::span<const Point3> points) : order_(points.size()) {
  RequireFinite(points, "source");
  std::iota(order_.begin(), order_.end(), 0U);
  if (points.empty()) return;
  nodes_.reserve(2 * points.size() / (kLeaf / 2) + 1);
  Build(0, static_cast<std::uint32_t>(points.size()), points);
  points_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) points_[i] = points[order_[i]];
}

void PointTree::Build(std::uint32_t begin, std::uint32_t end, std::span<const Point3> points) {
  Node node{points[order_[begin]], points[order_[begin]], begin, end, 0};
  for (std::uint32_t i = begin + 1; i < end; ++i) {
    const Point3& p = points[order_[i]];
    node.low = {std::min(node.low.x, p.x), std::min(node.low.y, p.y), std::min(node.low.z, p.z)};
    node.high = {std::max(node.high.x, p.x), std::max(node.high.y, p.y), std::max(node.high.z, p.z)};
  }
  const std::size_t self = nodes_.size();
  nodes_.push_back(node);
  const Point3 size = node.high - node.low;
  const double longest = std::max({size.x, size.y, size.z});
  if (end - begin <= kLeaf || longest == 0.0) return;  // all at one place: a leaf of any size
  const auto split = [&](double Point3::*axis) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t a, std::uint32_t b) { return points[a].*axis < points[b].*axis; });
    return middle;
  };
  const std::uint32_t middle = split(size.x == longest ? &Point3::x : size.y == longest ? &Point3::y : &Point3::z);
  Build(begin, middle, points);
  nodes_[self].right = static_cast<std::uint32_t>(nodes_.size());
  Build(middle, end, points);
}

void PointTree::Nearest(Point3 p, std::size_t count, std::vector<PointNeighbour>& found, double radius) const {
  found.clear();
  if (nodes_.empty() || count == 0) return;
  double limit = radius * radius;
  Search(0, p, count, limit, found);
}

void PointTree::Search(std::uint32_t index, Point3 p, std::size_t count, double& limit,
                       std::vector<PointNeighbour>& found) const {
  const Node& node = nodes_[index];
  if (node.right != 0) {
    const double left = SquareTo(nodes_[index + 1], p);
    const double right = SquareTo(nodes_[node.right], p);
    const bool left_first = left <= right;
    if (std::min(left, right) <= limit) Search(left_first ? index + 1 : node.right, p, count, limit, found);
    if (std::max(left, right) <= limit) Search(left_first ? node.right : index + 1, p, count, limit, found);
    return;
  }
  for (std::uint32_t i = node.begin; i < node.end; ++i) {
    const PointNeighbour neighbour{SquaredDistance(points_[i], p), order_[i]};
    if (neighbour.square > limit) continue;
    if (found.size() == count) {
      if (!(neighbour < found.back())) continue;
      found.pop_back();
    }
    found.insert(std::upper_bound(found.begin(), found.end(), neighbour), neighbour);
    if (found.size() == count) limit = found.back().square;
  }
}

}  // namespace openmi
