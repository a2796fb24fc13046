#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "adaptors/kernels/BoxTree.hpp"
#include "adaptors/kernels/Planar.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace openmi {

/// An index over points in the plane: which ones lie near a place. A grid of buckets where they are spread evenly, else
/// a tree over groups of eight along a space-filling curve, which does not mind clusters and lines. n log n to build
/// (linear in practice). May be asked from several threads at once.
class PointIndex {
 public:
  /// \param points  finite, at most 2^32 - 1; copied
  explicit PointIndex(std::span<const Point> points);

  /// The square of a distance within which `count` points lie for certain, or infinity where saying so is no cheaper
  /// than a search. \pre  count is at most the number of points
  double Bound(Point p, std::size_t count) const;

  /// Calls `visit(point, square)` for each point whose distance squared is at most `limit`, roughly from near to far. A
  /// visit may lower `limit`, and points beyond are left out from then on.
  template <typename Visit>
  void Within(Point p, const double& limit, Visit&& visit) const;

  /// A distance that is small against those between the places: 0 for a tree.
  double Cell() const { return leaves_ ? 0.0 : std::min(1.0 / per_x_, 1.0 / per_y_); }

 private:
  static constexpr std::size_t kLeaf = 8;

  bool TryGrid(std::span<const Point> points);
  void MakeTree(std::span<const Point> points);

  std::ptrdiff_t Column(double x) const { return Clamp((x - extent_.x0) * per_x_, columns_); }
  std::ptrdiff_t Row(double y) const { return Clamp((y - extent_.y0) * per_y_, rows_); }
  static std::ptrdiff_t Clamp(double place, std::ptrdiff_t count) {
    return place > 0.0 ? static_cast<std::ptrdiff_t>(std::min(place, static_cast<double>(count - 1))) : 0;
  }
  std::uint32_t StartOf(std::ptrdiff_t row, std::ptrdiff_t column) const {
    return starts_[static_cast<std::size_t>(row * columns_ + column)];
  }

  template <typename Visit>
  void Scan(std::uint32_t first, std::uint32_t last, Point p, const double& limit, Visit&& visit) const;

  Box extent_;
  double per_x_ = 0.0;  // buckets per unit
  double per_y_ = 0.0;
  std::ptrdiff_t columns_ = 1;
  std::ptrdiff_t rows_ = 1;
  std::vector<std::uint32_t> starts_;  // [buckets + 1]
  std::optional<BoxTree> leaves_;      // over groups of eight
  std::vector<double> x_;              // bucket by bucket or along the curve, and one more place to read beyond
  std::vector<double> y_;
  std::vector<std::uint32_t> order_;
};

template <typename Visit>
void PointIndex::Scan(std::uint32_t first, std::uint32_t last, Point p, const double& limit, Visit&& visit) const {
#if defined(__SSE2__)
  const __m128d px = _mm_set1_pd(p.x), py = _mm_set1_pd(p.y);
  for (std::uint32_t i = first; i < last; i += 2) {
    const __m128d dx = _mm_sub_pd(_mm_loadu_pd(x_.data() + i), px), dy = _mm_sub_pd(_mm_loadu_pd(y_.data() + i), py);
    const __m128d square = _mm_add_pd(_mm_mul_pd(dx, dx), _mm_mul_pd(dy, dy));
    const int near = _mm_movemask_pd(_mm_cmple_pd(square, _mm_set1_pd(limit)));
    if (near == 0) continue;
    if (near & 1) visit(order_[i], _mm_cvtsd_f64(square));
    if ((near & 2) != 0 && i + 1 < last) {
      const double second = _mm_cvtsd_f64(_mm_unpackhi_pd(square, square));
      if (second <= limit) visit(order_[i + 1], second);
    }
  }
#else
  for (std::uint32_t i = first; i < last; ++i) {
    const double dx = x_[i] - p.x, dy = y_[i] - p.y;
    const double square = dx * dx + dy * dy;
    if (square <= limit) visit(order_[i], square);
  }
#endif
}

template <typename Visit>
void PointIndex::Within(Point p, const double& limit, Visit&& visit) const {
  if (order_.empty()) return;
  if (leaves_) {
    leaves_->Near(
        p, [&] { return limit; },
        [&](std::size_t leaf, double) {
          const auto first = static_cast<std::uint32_t>(leaf * kLeaf);
          Scan(first, static_cast<std::uint32_t>(std::min(order_.size(), leaf * kLeaf + kLeaf)), p, limit, visit);
        });
    return;
  }
  // Bucket numbers never fall as coordinates rise, so that no rounding hides a point; the radius is rounded up.
  const auto radius = [&] { return std::sqrt(limit) * (1.0 + 1e-15); };
  const auto scan_row = [&](std::ptrdiff_t row) {
    const double r = radius();
    Scan(StartOf(row, Column(p.x - r)), StartOf(row, Column(p.x + r) + 1), p, limit, visit);
  };
  const std::ptrdiff_t middle = Row(p.y);
  scan_row(middle);
  for (std::ptrdiff_t away = 1;; ++away) {
    const double r = radius();
    const bool below = middle - away >= Row(p.y - r);
    const bool above = middle + away <= Row(p.y + r);
    if (!below && !above) return;
    if (below) scan_row(middle - away);
    if (above && middle + away <= Row(p.y + radius())) scan_row(middle + away);
  }
}

}  // namespace openmi
