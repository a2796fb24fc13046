#include "adaptors/kernels/BoxGrid.hpp"

#include <cmath>
#include <utility>

namespace openmi {
namespace {

constexpr std::size_t kFewest = 64;                 // with fewer items the choice does not matter
constexpr double kUnequal = 4.0;                    // largest item over the average one
constexpr double kItemsPerBucket = 2.0;             // points; rectangles get buckets of their size
constexpr double kCrowded = 4.0 * kItemsPerBucket;  // average number of items in the bucket of an item

/// The contribution of a part of the items to the measures of a grid.
struct Measures {
  Box extent;
  double largest_x = 0.0, largest_y = 0.0;
  double width = 0.0, height = 0.0;  // sums
};

}  // namespace

std::optional<BoxGrid> BoxGrid::TryMake(std::span<const Box> boxes, Crew& crew) {
  if (boxes.size() < kFewest) return std::nullopt;
  const auto count = static_cast<double>(boxes.size());
  BoxGrid grid;
  std::vector<Measures> measures(crew.Size());
  crew.Run([&](std::size_t part) {
    const auto [first, last] = crew.ShareOf(part, boxes.size());
    Measures own;
    for (std::size_t i = first; i < last; ++i) {
      own.extent.Add(Point{boxes[i].x0, boxes[i].y0});
      own.largest_x = std::max(own.largest_x, boxes[i].Width());
      own.largest_y = std::max(own.largest_y, boxes[i].Height());
      own.width += boxes[i].Width() / count;
      own.height += boxes[i].Height() / count;
    }
    measures[part] = own;
  });
  double width = 0.0;
  double height = 0.0;
  for (const Measures& part : measures) {
    grid.raster_.extent.Add(part.extent);
    grid.largest_x_ = std::max(grid.largest_x_, part.largest_x);
    grid.largest_y_ = std::max(grid.largest_y_, part.largest_y);
    width += part.width;
    height += part.height;
  }
  if (grid.largest_x_ > kUnequal * width || grid.largest_y_ > kUnequal * height) return std::nullopt;
  const double extent_x = grid.raster_.extent.Width();
  const double extent_y = grid.raster_.extent.Height();
  if (!(extent_x > 0.0 && extent_y > 0.0)) return std::nullopt;

  const double side = std::sqrt(extent_x * extent_y * kItemsPerBucket / count);
  const double columns = std::floor(extent_x / std::max(side, width)) + 1.0;
  const double rows = std::floor(extent_y / std::max(side, height)) + 1.0;
  if (!(columns * rows <= 2.0 * count)) return std::nullopt;  // for instance a thin strip
  grid.raster_.columns = static_cast<std::ptrdiff_t>(columns);
  grid.raster_.rows = static_cast<std::ptrdiff_t>(rows);
  grid.raster_.per_x = columns / extent_x;
  grid.raster_.per_y = rows / extent_y;

  const auto bucket_of = [&](const Box& box) {
    return static_cast<std::size_t>(grid.raster_.Row(box.y0) * grid.raster_.columns + grid.raster_.Column(box.x0));
  };
  // Each part counts its items, and later fills the places after those of the parts before it.
  const auto buckets = static_cast<std::size_t>(grid.raster_.columns * grid.raster_.rows);
  std::vector<std::vector<std::uint32_t>> places(crew.Size());
  crew.Run([&](std::size_t part) {
    const auto [first, last] = crew.ShareOf(part, boxes.size());
    places[part].assign(buckets, 0);
    for (std::size_t i = first; i < last; ++i) ++places[part][bucket_of(boxes[i])];
  });
  grid.starts_.resize(buckets + 1);
  double crowd = 0.0;
  std::uint32_t next = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    grid.starts_[bucket] = next;
    for (std::vector<std::uint32_t>& part : places) next += std::exchange(part[bucket], next);
    const auto here = static_cast<double>(next - grid.starts_[bucket]);
    crowd += here * here / count;
  }
  grid.starts_[buckets] = next;
  if (crowd > kCrowded) return std::nullopt;

  grid.order_ = RawArray<std::uint32_t>(boxes.size());
  grid.boxes_ = RawArray<Box>(boxes.size());
  crew.Run([&](std::size_t part) {
    const auto [first, last] = crew.ShareOf(part, boxes.size());
    for (std::size_t i = first; i < last; ++i) {
      const std::uint32_t place = places[part][bucket_of(boxes[i])]++;
      grid.order_[place] = static_cast<std::uint32_t>(i);
      grid.boxes_[place] = boxes[i];
    }
  });
  return grid;
}

}  // namespace openmi
