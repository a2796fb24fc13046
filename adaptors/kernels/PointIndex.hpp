#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "adaptors/kernels/BoxTree.hpp"
#include "adaptors/kernels/Planar.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace openmi {

/// An index over points in the plane that finds those near a place.
///
/// It is a grid of buckets. A bucket with many points has a grid inside, and so on, so that clusters and lines cost
/// little more than points spread evenly. A tree is used where even such grids do not separate the points. The points
/// of a bucket are next to each other in memory. Building is linear in practice. Several threads may use the index at
/// once.
///
/// Source: [Bentley1980], cells; [BentleyFriedman1979], cells.
class PointIndex {
 public:
  /// \param points  finite, at most 2^32 - 1; copied
  explicit PointIndex(std::span<const Point> points);

  /// Calls `visit(place, square)` for each point whose squared distance is at most `limit`, roughly from near to far.
  ///
  /// A visit may lower `limit`; points beyond it are then skipped. `ItemAt(place)` is the point's index.
  template <typename Visit>
  void Within(Point p, const double& limit, Visit&& visit) const;

  /// The index of the point at a place.
  std::uint32_t ItemAt(std::uint32_t place) const { return order_[place]; }

  /// The points in the nine buckets around a place.
  struct Block {
    static constexpr std::size_t kMost = 64;
    std::array<std::uint32_t, 3> first;     ///< first place of each of three ranges
    std::array<std::uint32_t, 3> last;      ///< one beyond the last place of each range
    double square = 0.0;                    ///< every point with a smaller squared distance is in the block
    alignas(16) double squares[kMost + 2];  ///< squared distances, range after range
    std::size_t count = 0;

    std::uint32_t PlaceOf(std::size_t i) const {
      for (std::size_t k = 0; k < 2; ++k) {
        const std::size_t size = last[k] - first[k];
        if (i < size) return first[k] + static_cast<std::uint32_t>(i);
        i -= size;
      }
      return first[2] + static_cast<std::uint32_t>(i);
    }
  };
  /// Fills a block.
  /// \returns false where the buckets hold more than `Block::kMost` points
  bool Around(Point p, Block& block) const;

  /// Whether the index has buckets; else it has a tree.
  bool HasBuckets() const { return !leaves_; }
  /// A number below `BucketCount()` for each place, mostly close for places near each other.
  std::uint32_t BucketOf(Point p) const;
  std::size_t BucketCount() const { return starts_.size(); }

 private:
  static constexpr std::size_t kLeaf = 8;

  struct Grid : Raster {
    std::size_t first = 0;  // in starts_, [columns x rows + 1]
    bool has_grids = false;
    std::size_t Bucket(std::ptrdiff_t row, std::ptrdiff_t column) const {
      return first + static_cast<std::size_t>(row * columns + column);
    }
  };

  bool Divide(std::uint32_t first, std::uint32_t last, int depth);
  void MakeTree();
  /// The innermost grid around a place.
  const Grid& GridAt(Point p) const;

  template <typename Visit>
  void Scan(std::uint32_t first, std::uint32_t last, Point p, const double& limit, Visit&& visit) const;
  template <typename Visit>
  void WithinGrid(const Grid& grid, Point p, const double& limit, Visit&& visit) const;

  std::vector<Grid> grids_;             // outermost first
  std::vector<std::uint32_t> starts_;   // of buckets, grid after grid
  std::vector<std::uint32_t> grid_of_;  // of buckets with a grid; 0: none. Empty: no bucket has one
  std::optional<BoxTree> leaves_;       // over groups of eight points
  std::vector<double> x_;               // by bucket or along a curve, with one more place that may be read
  std::vector<double> y_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> bucket_of_;  // used only while the index is built
  std::vector<double> room_x_;
  std::vector<double> room_y_;
  std::vector<std::uint32_t> room_order_;
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
    if (near & 1) visit(i, _mm_cvtsd_f64(square));
    if ((near & 2) != 0 && i + 1 < last) {
      const double second = _mm_cvtsd_f64(_mm_unpackhi_pd(square, square));
      if (second <= limit) visit(i + 1, second);
    }
  }
#else
  for (std::uint32_t i = first; i < last; ++i) {
    const double dx = x_[i] - p.x, dy = y_[i] - p.y;
    const double square = dx * dx + dy * dy;
    if (square <= limit) visit(i, square);
  }
#endif
}

template <typename Visit>
void PointIndex::Within(Point p, const double& limit, Visit&& visit) const {
  if (order_.empty()) return;
  if (!leaves_) return WithinGrid(grids_[0], p, limit, visit);
  leaves_->Near(
      p, [&] { return limit; },
      [&](std::size_t leaf, double) {
        const auto first = static_cast<std::uint32_t>(leaf * kLeaf);
        Scan(first, static_cast<std::uint32_t>(std::min(order_.size(), leaf * kLeaf + kLeaf)), p, limit, visit);
      });
}

template <typename Visit>
void PointIndex::WithinGrid(const Grid& grid, Point p, const double& limit, Visit&& visit) const {
  // Bucket numbers never fall as coordinates rise, so that rounding hides no point; the radius is rounded up.
  const auto radius = [&] { return std::sqrt(limit) * (1.0 + 1e-15); };
  const auto scan = [&](std::size_t begin, std::size_t end) { Scan(starts_[begin], starts_[end], p, limit, visit); };
  const std::ptrdiff_t own_row = grid.Row(p.y);
  const std::ptrdiff_t own_column = grid.Column(p.x);
  const auto scan_bucket = [&](std::size_t bucket) {
    if (grid_of_[bucket] == 0) return scan(bucket, bucket + 1);
    const Grid& inner = grids_[grid_of_[bucket]];
    const double dx = std::max({inner.extent.x0 - p.x, p.x - inner.extent.x1, 0.0});
    const double dy = std::max({inner.extent.y0 - p.y, p.y - inner.extent.y1, 0.0});
    if (dx * dx + dy * dy <= limit) WithinGrid(inner, p, limit, visit);
  };
  const auto scan_row = [&](std::ptrdiff_t row) {
    const double r = radius();
    const std::ptrdiff_t left = grid.Column(p.x - r);
    const std::ptrdiff_t right = grid.Column(p.x + r);
    if (!grid.has_grids) return scan(grid.Bucket(row, left), grid.Bucket(row, right) + 1);
    for (std::ptrdiff_t column = left; column <= right; ++column) {
      if (row != own_row || column != own_column) scan_bucket(grid.Bucket(row, column));
    }
  };
  // The own bucket first, so that the others are not searched.
  if (grid.has_grids) scan_bucket(grid.Bucket(own_row, own_column));
  scan_row(own_row);
  for (std::ptrdiff_t away = 1;; ++away) {
    const double r = radius();
    const bool below = own_row - away >= grid.Row(p.y - r);
    const bool above = own_row + away <= grid.Row(p.y + r);
    if (!below && !above) return;
    if (below) scan_row(own_row - away);
    if (above && own_row + away <= grid.Row(p.y + radius())) scan_row(own_row + away);
  }
}

inline const PointIndex::Grid& PointIndex::GridAt(Point p) const {
  const Grid* grid = &grids_[0];
  while (grid->has_grids) {
    const std::uint32_t inner = grid_of_[grid->Bucket(grid->Row(p.y), grid->Column(p.x))];
    if (inner == 0) break;
    grid = &grids_[inner];
  }
  return *grid;
}

inline std::uint32_t PointIndex::BucketOf(Point p) const {
  const Grid& grid = GridAt(p);
  return static_cast<std::uint32_t>(grid.Bucket(grid.Row(p.y), grid.Column(p.x)));
}

inline bool PointIndex::Around(Point p, Block& block) const {
  block.count = 0;
  if (leaves_) return false;
  const Grid& grid = GridAt(p);
  const std::ptrdiff_t column = grid.Column(p.x);
  const std::ptrdiff_t row = grid.Row(p.y);
  const std::ptrdiff_t left = std::max<std::ptrdiff_t>(column - 1, 0);
  const std::ptrdiff_t right = std::min(column + 1, grid.columns - 1);
  const std::ptrdiff_t bottom = std::max<std::ptrdiff_t>(row - 1, 0);
  const std::ptrdiff_t top = std::min(row + 1, grid.rows - 1);
  std::size_t count = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::ptrdiff_t r = bottom + static_cast<std::ptrdiff_t>(k);
    block.first[k] = r <= top ? starts_[grid.Bucket(r, left)] : 0;
    block.last[k] = r <= top ? starts_[grid.Bucket(r, right) + 1] : 0;
    count += block.last[k] - block.first[k];
  }
  block.count = count;
  if (count > Block::kMost) return false;
  // The distance to the nearest side beyond which there may be points; no points are outside the outermost grid. A
  // thousandth of a bucket less, because bucket numbers are rounded.
  const bool outermost = &grid == grids_.data();
  const auto side = [&](double at, double origin, double per, std::ptrdiff_t low, std::ptrdiff_t high,
                        std::ptrdiff_t most) {
    double reach = std::numeric_limits<double>::infinity();
    if (low > 0 || !outermost) reach = at - (origin + (static_cast<double>(low) + 1e-3) / per);
    if (high < most || !outermost) reach = std::min(reach, origin + (static_cast<double>(high) + 0.999) / per - at);
    return reach;
  };
  const double reach = std::max(0.0, std::min(side(p.x, grid.extent.x0, grid.per_x, left, right, grid.columns - 1),
                                              side(p.y, grid.extent.y0, grid.per_y, bottom, top, grid.rows - 1)));
  block.square = reach * reach;
  double* to = block.squares;
#if defined(__SSE2__)
  const __m128d px = _mm_set1_pd(p.x), py = _mm_set1_pd(p.y);
#endif
  for (std::size_t k = 0; k < 3; ++k) {
    const std::uint32_t size = block.last[k] - block.first[k];
    const double* x = x_.data() + block.first[k];
    const double* y = y_.data() + block.first[k];
#if defined(__SSE2__)
    for (std::uint32_t i = 0; i < size; i += 2) {  // values written beyond the end are overwritten by the next range
      const __m128d dx = _mm_sub_pd(_mm_loadu_pd(x + i), px), dy = _mm_sub_pd(_mm_loadu_pd(y + i), py);
      _mm_storeu_pd(to + i, _mm_add_pd(_mm_mul_pd(dx, dx), _mm_mul_pd(dy, dy)));
    }
#else
    for (std::uint32_t i = 0; i < size; ++i) to[i] = (x[i] - p.x) * (x[i] - p.x) + (y[i] - p.y) * (y[i] - p.y);
#endif
    to += size;
  }
  return true;
}

}  // namespace openmi
