#include "adaptors/kernels/PointIndex.hpp"

#include <limits>

namespace openmi {
namespace {

constexpr std::size_t kFewest = 64;  // fewer points are no matter
constexpr double kPointsPerBucket = 2.0;
constexpr double kCrowded = 4.0 * kPointsPerBucket;  // average number of points that a point shares its bucket with
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

PointIndex::PointIndex(std::span<const Point> points) {
  if (!TryGrid(points)) MakeTree(points);
}

bool PointIndex::TryGrid(std::span<const Point> points) {
  if (points.size() < kFewest) return false;
  const auto count = static_cast<double>(points.size());
  for (const Point& p : points) extent_.Add(p);
  if (!(extent_.Width() > 0.0 && extent_.Height() > 0.0)) return false;
  const double side = std::sqrt(extent_.Width() * extent_.Height() * kPointsPerBucket / count);
  const double columns = std::floor(extent_.Width() / side) + 1.0;
  const double rows = std::floor(extent_.Height() / side) + 1.0;
  if (!(columns * rows <= 2.0 * count)) return false;  // a thin strip, say
  columns_ = static_cast<std::ptrdiff_t>(columns);
  rows_ = static_cast<std::ptrdiff_t>(rows);
  per_x_ = columns / extent_.Width();
  per_y_ = rows / extent_.Height();
  const auto buckets = static_cast<std::size_t>(columns_ * rows_);
  std::vector<std::uint32_t> bucket_of(points.size());
  starts_.assign(buckets + 1, 0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    bucket_of[i] = static_cast<std::uint32_t>(Row(points[i].y) * columns_ + Column(points[i].x));
    ++starts_[bucket_of[i] + 1];
  }
  double crowd = 0.0;
  for (std::size_t i = 1; i < starts_.size(); ++i) {
    crowd += static_cast<double>(starts_[i]) * static_cast<double>(starts_[i]) / count;
    starts_[i] += starts_[i - 1];
  }
  if (crowd > kCrowded) return false;
  order_.resize(points.size());
  x_.assign(points.size() + 1, kInfinity);
  y_.assign(points.size() + 1, kInfinity);
  // Filling moves each start to the next one; afterwards they are shifted back.
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::uint32_t place = starts_[bucket_of[i]]++;
    order_[place] = static_cast<std::uint32_t>(i);
    x_[place] = points[i].x;
    y_[place] = points[i].y;
  }
  for (std::size_t i = starts_.size() - 1; i > 0; --i) starts_[i] = starts_[i - 1];
  starts_[0] = 0;
  return true;
}

void PointIndex::MakeTree(std::span<const Point> points) {
  order_ = CurveOrder(points);
  x_.assign(points.size() + 1, kInfinity);
  y_.assign(points.size() + 1, kInfinity);
  std::vector<Box> boxes((points.size() + kLeaf - 1) / kLeaf);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point p = points[order_[i]];
    x_[i] = p.x;
    y_[i] = p.y;
    boxes[i / kLeaf].Add(p);
  }
  leaves_.emplace(boxes);
}

double PointIndex::Bound(Point p, std::size_t count) const {
  if (leaves_) return kInfinity;
  const std::ptrdiff_t column = Column(p.x);
  const std::ptrdiff_t row = Row(p.y);
  for (std::ptrdiff_t ring = 0;; ++ring) {
    const std::ptrdiff_t left = std::max<std::ptrdiff_t>(column - ring, 0);
    const std::ptrdiff_t right = std::min(column + ring, columns_ - 1);
    const std::ptrdiff_t bottom = std::max<std::ptrdiff_t>(row - ring, 0);
    const std::ptrdiff_t top = std::min(row + ring, rows_ - 1);
    std::size_t inside = 0;
    for (std::ptrdiff_t r = bottom; r <= top; ++r) inside += StartOf(r, right + 1) - StartOf(r, left);
    if (inside < count) continue;
    // To the furthest corner of these buckets, and a thousandth of one more for the rounding of their numbers.
    const auto reach = [](double at, double origin, double per, std::ptrdiff_t low, std::ptrdiff_t high) {
      const double first = origin + (static_cast<double>(low) - 1e-3) / per;
      const double last = origin + (static_cast<double>(high) + 1.001) / per;
      return std::max(std::abs(at - first), std::abs(last - at));
    };
    const double dx = reach(p.x, extent_.x0, per_x_, left, right);
    const double dy = reach(p.y, extent_.y0, per_y_, bottom, top);
    return dx * dx + dy * dy;
  }
}

}  // namespace openmi
