#include "adaptors/kernels/BoxGrid.hpp"

#include <cmath>

namespace openmi {
namespace {

constexpr std::size_t kFewest = 64;                 // fewer items are no matter
constexpr double kUnequal = 4.0;                    // the largest item against the average one
constexpr double kItemsPerBucket = 2.0;             // points; rectangles get buckets of their own size
constexpr double kCrowded = 4.0 * kItemsPerBucket;  // average number of items that an item shares its bucket with

}  // namespace

std::optional<BoxGrid> BoxGrid::TryMake(std::span<const Box> boxes) {
  if (boxes.size() < kFewest) return std::nullopt;
  const auto count = static_cast<double>(boxes.size());
  BoxGrid grid;
  double width = 0.0;
  double height = 0.0;
  for (const Box& box : boxes) {
    grid.extent_.Add(Point{box.x0, box.y0});
    grid.largest_x_ = std::max(grid.largest_x_, box.Width());
    grid.largest_y_ = std::max(grid.largest_y_, box.Height());
    width += box.Width() / count;
    height += box.Height() / count;
  }
  if (grid.largest_x_ > kUnequal * width || grid.largest_y_ > kUnequal * height) return std::nullopt;
  const double extent_x = grid.extent_.Width();
  const double extent_y = grid.extent_.Height();
  if (!(extent_x > 0.0 && extent_y > 0.0)) return std::nullopt;

  const double side = std::sqrt(extent_x * extent_y * kItemsPerBucket / count);
  const double columns = std::floor(extent_x / std::max(side, width)) + 1.0;
  const double rows = std::floor(extent_y / std::max(side, height)) + 1.0;
  if (!(columns * rows <= 2.0 * count)) return std::nullopt;  // a thin strip, say
  grid.columns_ = static_cast<std::ptrdiff_t>(columns);
  grid.rows_ = static_cast<std::ptrdiff_t>(rows);
  grid.per_x_ = columns / extent_x;
  grid.per_y_ = rows / extent_y;

  const auto bucket_of = [&](const Box& box) {
    return static_cast<std::size_t>(grid.Row(box.y0) * grid.columns_ + grid.Column(box.x0));
  };
  grid.starts_.assign(static_cast<std::size_t>(grid.columns_ * grid.rows_) + 1, 0);
  for (const Box& box : boxes) ++grid.starts_[bucket_of(box) + 1];
  double crowd = 0.0;
  for (std::size_t i = 1; i < grid.starts_.size(); ++i) {
    crowd += static_cast<double>(grid.starts_[i]) * static_cast<double>(grid.starts_[i]) / count;
    grid.starts_[i] += grid.starts_[i - 1];
  }
  if (crowd > kCrowded) return std::nullopt;

  grid.order_.resize(boxes.size());
  grid.boxes_.resize(boxes.size());
  // Filling moves each start to the next one; afterwards they are shifted back.
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const std::uint32_t place = grid.starts_[bucket_of(boxes[i])]++;
    grid.order_[place] = static_cast<std::uint32_t>(i);
    grid.boxes_[place] = boxes[i];
  }
  for (std::size_t i = grid.starts_.size() - 1; i > 0; --i) grid.starts_[i] = grid.starts_[i - 1];
  grid.starts_[0] = 0;
  return grid;
}

}  // namespace openmi
