#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "adaptors/kernels/Crew.hpp"
#include "adaptors/kernels/Planar.hpp"
#include "adaptors/kernels/RawArray.hpp"

namespace openmi {

/// The fast index over rectangles or points that are of similar size and fill the plane evenly.
///
/// It is a grid of buckets; each item is in the bucket of its lower left corner. It is two to five times as fast as
/// `BoxTree`, which serves all other arrangements.
///
/// Source: [BentleyFriedman1979], cells.
class BoxGrid {
 public:
  /// Makes the grid for these rectangles.
  /// \param boxes  finite, at most 2^32 - 1; copied
  /// \param crew  the threads that build the grid
  /// \returns nothing if the rectangles are too clustered or their sizes too different for a grid
  static std::optional<BoxGrid> TryMake(std::span<const Box> boxes, Crew& crew);

  /// As `BoxTree::Overlapping`.
  template <typename Visit>
  void Overlapping(const Box& box, Visit&& visit) const;

  /// As `BoxTree::Near`.
  template <typename Limit, typename Visit>
  void Near(Point p, Limit&& limit, Visit&& visit) const;

 private:
  BoxGrid() = default;

  /// Calls `visit` for the items in a range of buckets of one row, which are next to each other in memory.
  template <typename Visit>
  void Scan(std::ptrdiff_t row, std::ptrdiff_t first, std::ptrdiff_t last, Visit&& visit) const {
    if (row < 0 || row >= raster_.rows) return;
    first = std::max<std::ptrdiff_t>(first, 0);
    last = std::min(last, raster_.columns - 1);
    if (first > last) return;
    const auto bucket = static_cast<std::size_t>(row * raster_.columns);
    const std::uint32_t end = starts_[bucket + static_cast<std::size_t>(last) + 1];
    for (std::uint32_t i = starts_[bucket + static_cast<std::size_t>(first)]; i < end; ++i) visit(i);
  }

  Raster raster_;                      // over the lower left corners
  double largest_x_ = 0.0;             // width of the widest item
  double largest_y_ = 0.0;             // height of the highest item
  std::vector<std::uint32_t> starts_;  // [buckets + 1]
  RawArray<std::uint32_t> order_;      // item numbers, bucket by bucket
  RawArray<Box> boxes_;                // in the order of order_
};

template <typename Visit>
void BoxGrid::Overlapping(const Box& box, Visit&& visit) const {
  const std::ptrdiff_t first = raster_.Column(box.x0 - largest_x_);
  const std::ptrdiff_t last = raster_.Column(box.x1);
  const std::ptrdiff_t last_row = raster_.Row(box.y1);
  for (std::ptrdiff_t row = raster_.Row(box.y0 - largest_y_); row <= last_row; ++row) {
    Scan(row, first, last, [&](std::uint32_t i) {
      const Box& item = boxes_[i];
      const bool apart = (item.x0 > box.x1) | (item.x1 < box.x0) | (item.y0 > box.y1) | (item.y1 < box.y0);
      if (!apart) visit(static_cast<std::size_t>(order_[i]));
    });
  }
}

template <typename Limit, typename Visit>
void BoxGrid::Near(Point p, Limit&& limit, Visit&& visit) const {
  const auto look = [&](std::uint32_t i) {
    const Box& item = boxes_[i];
    const double dx = std::max(std::max(item.x0 - p.x, p.x - item.x1), 0.0);
    const double dy = std::max(std::max(item.y0 - p.y, p.y - item.y1), 0.0);
    const double square = dx * dx + dy * dy;
    if (square <= limit()) visit(static_cast<std::size_t>(order_[i]), square);
  };
  // Ring by ring around the bucket of p. Items not seen yet lie beyond one of four lines, or reach over it from beyond
  // by the size of an item.
  const std::ptrdiff_t column = raster_.Column(p.x);
  const std::ptrdiff_t row = raster_.Row(p.y);
  Scan(row, column, column, look);
  for (std::ptrdiff_t ring = 1;; ++ring) {
    const double seen = static_cast<double>(ring - 1);
    const auto gap = [&](bool any, double distance) {
      return any ? std::max(distance, 0.0) : std::numeric_limits<double>::infinity();
    };
    const double left = gap(column - ring >= 0, p.x - largest_x_ - raster_.extent.x0 -
                                                    (static_cast<double>(column) - seen) / raster_.per_x);
    const double right = gap(column + ring < raster_.columns,
                             raster_.extent.x0 + (static_cast<double>(column) + seen + 1.0) / raster_.per_x - p.x);
    const double below =
        gap(row - ring >= 0, p.y - largest_y_ - raster_.extent.y0 - (static_cast<double>(row) - seen) / raster_.per_y);
    const double above = gap(row + ring < raster_.rows,
                             raster_.extent.y0 + (static_cast<double>(row) + seen + 1.0) / raster_.per_y - p.y);
    const double nearest = std::min(std::min(left, right), std::min(below, above));
    // A thousandth less, because bucket numbers are rounded.
    if (nearest == std::numeric_limits<double>::infinity() || 0.999 * nearest * nearest > limit()) return;
    Scan(row - ring, column - ring, column + ring, look);
    for (std::ptrdiff_t r = row - ring + 1; r < row + ring; ++r) {
      Scan(r, column - ring, column - ring, look);
      Scan(r, column + ring, column + ring, look);
    }
    Scan(row + ring, column - ring, column + ring, look);
  }
}

}  // namespace openmi
