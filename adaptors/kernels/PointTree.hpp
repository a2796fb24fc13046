#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "adaptors/kernels/Point3.hpp"

namespace openmi {

/// A source and its squared distance. Nearer sources come first; of equally near ones, that with the lower index.
struct PointNeighbour {
  double square;
  std::uint32_t index;
  friend bool operator<(const PointNeighbour& a, const PointNeighbour& b) {
    return a.square != b.square ? a.square < b.square : a.index < b.index;
  }
};

/// Checks that all coordinates are finite.
/// \param points  the points to check
/// \param side  the name of a point in the message: "source"
/// \throws RangeError  a coordinate is not finite; the message gives the point's index
void RequireFinite(std::span<const Point3> points, const char* side);

/// An index over points in space, in a plane or on a sphere (by chords) that finds those near a place.
///
/// It is a k-d tree, split at medians of the longest side; n log n to build, for any arrangement. Several threads may
/// use it at once.
///
/// Source: [Friedman1977].
class PointTree {
 public:
  /// \param points  finite, at most 2^32 - 1; copied
  explicit PointTree(std::span<const Point3> points);

  std::size_t Count() const { return points_.size(); }

  /// Finds the `count` nearest points no further than `radius`, nearest first; fewer where there are no more.
  /// \param found  replaced; its memory is used again
  void Nearest(Point3 p, std::size_t count, std::vector<PointNeighbour>& found,
               double radius = std::numeric_limits<double>::infinity()) const;

  /// Calls `visit(index, square)` for each point no further than `radius`, in any order.
  template <typename Visit>
  void Within(Point3 p, double radius, Visit&& visit) const;

 private:
  static constexpr std::uint32_t kLeaf = 10;

  struct Node {
    Point3 low;
    Point3 high;
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t right;  ///< index of the right child; 0 for a leaf. The left child follows its parent.
  };
  static double SquareTo(const Node& node, Point3 p);
  void Build(std::uint32_t begin, std::uint32_t end, std::span<const Point3> points);
  void Search(std::uint32_t node, Point3 p, std::size_t count, double& limit, std::vector<PointNeighbour>& found) const;
  template <typename Visit>
  void VisitNear(std::uint32_t node, Point3 p, double square, Visit&& visit) const;

  std::vector<std::uint32_t> order_;
  std::vector<Point3> points_;  // in the order of order_
  std::vector<Node> nodes_;
};

inline double PointTree::SquareTo(const Node& node, Point3 p) {
  const auto beyond = [](double low, double high, double at) {
    return at < low ? low - at : at > high ? at - high : 0.0;
  };
  const Point3 d{beyond(node.low.x, node.high.x, p.x), beyond(node.low.y, node.high.y, p.y),
                 beyond(node.low.z, node.high.z, p.z)};
  return Dot(d, d);
}

template <typename Visit>
void PointTree::Within(Point3 p, double radius, Visit&& visit) const {
  if (!nodes_.empty()) VisitNear(0, p, radius * radius, visit);
}

template <typename Visit>
void PointTree::VisitNear(std::uint32_t index, Point3 p, double square, Visit&& visit) const {
  const Node& node = nodes_[index];
  if (SquareTo(node, p) > square) return;
  if (node.right == 0) {
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
      const double distance = SquaredDistance(points_[i], p);
      if (distance <= square) visit(order_[i], distance);
    }
    return;
  }
  VisitNear(index + 1, p, square, visit);
  VisitNear(node.right, p, square, visit);
}

}  // namespace openmi
