#include "adaptors/kernels/PointIndex.hpp"

#include <limits>
#include <numeric>

namespace openmi {
namespace {

constexpr double kPerBucket = 2.0;  // mean number of points in a bucket
constexpr double kCrowded = 8.0;    // a bucket gets a grid if it has so many times the points of the average bucket
constexpr double kFinest = 4.0;     // buckets per point, at most
constexpr int kDeepest = 12;        // grids within grids, before a tree is better
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

PointIndex::PointIndex(std::span<const Point> points) {
  const std::size_t count = points.size();
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0U);
  x_.assign(count + 1, kInfinity);
  y_.assign(count + 1, kInfinity);
  for (std::size_t i = 0; i < count; ++i) {
    x_[i] = points[i].x;
    y_[i] = points[i].y;
  }
  bucket_of_.resize(count);
  room_x_.resize(count);
  room_y_.resize(count);
  room_order_.resize(count);
  if (!Divide(0, static_cast<std::uint32_t>(count), 0)) MakeTree();
  for (auto* room : {&room_order_, &bucket_of_}) *room = {};
  for (auto* room : {&room_x_, &room_y_}) *room = {};
}

// Sorts the points of a range into a grid over them; false if grids do not separate them.
bool PointIndex::Divide(std::uint32_t first, std::uint32_t last, int depth) {
  Grid grid;
  const auto count = static_cast<double>(last - first);
  for (std::uint32_t i = first; i < last; ++i) grid.extent.Add(Point{x_[i], y_[i]});
  const double width = last > first ? grid.extent.Width() : 0.0;
  const double height = last > first ? grid.extent.Height() : 0.0;
  if (last > first && !(std::isfinite(width) && std::isfinite(height))) return false;
  std::vector<std::uint32_t> places;
  for (double wanted = std::max(1.0, count / kPerBucket);;) {
    // As square as possible, but one row if the extent has no height.
    const double most = std::min(wanted, 1e9);
    double columns = 1.0;
    double rows = 1.0;
    if (width > 0.0 && height > 0.0) {
      columns = std::clamp(std::floor(std::sqrt(most * (width / height))), 1.0, most);
      rows = std::clamp(std::floor(most / columns), 1.0, most);
    } else if (width > 0.0) {
      columns = std::floor(most);
    } else if (height > 0.0) {
      rows = std::floor(most);
    }
    grid.per_x = width > 0.0 ? columns / width : 0.0;
    grid.per_y = height > 0.0 ? rows / height : 0.0;
    if (!std::isfinite(grid.per_x) || !std::isfinite(grid.per_y)) return false;
    grid.columns = static_cast<std::ptrdiff_t>(columns);
    grid.rows = static_cast<std::ptrdiff_t>(rows);
    places.assign(static_cast<std::size_t>(grid.columns * grid.rows) + 1, 0);
    for (std::uint32_t i = first; i < last; ++i) {
      bucket_of_[i] = static_cast<std::uint32_t>(grid.Row(y_[i]) * grid.columns + grid.Column(x_[i]));
      ++places[bucket_of_[i]];
    }
    double crowd = 0.0;  // how many points share the bucket of a point, on average
    for (const std::uint32_t n : places) crowd += static_cast<double>(n) * static_cast<double>(n);
    const double times = std::min(crowd / (count * (kPerBucket + 1.0)), kFinest * count / wanted);
    if (depth == 0 || !(times > 1.3) || crowd > kCrowded * kCrowded * kPerBucket * count) break;
    wanted *= times;
  }
  std::uint32_t at = first;
  for (std::uint32_t& place : places) {
    const std::uint32_t size = place;
    place = at;
    at += size;
  }
  grid.first = starts_.size();
  const auto self = static_cast<std::uint32_t>(grids_.size());
  starts_.insert(starts_.end(), places.begin(), places.end());
  grids_.push_back(grid);
  if (!grid_of_.empty()) grid_of_.resize(starts_.size(), 0);
  for (std::uint32_t i = first; i < last; ++i) {
    const std::uint32_t place = places[bucket_of_[i]]++;
    room_order_[place] = order_[i];
    room_x_[place] = x_[i];
    room_y_[place] = y_[i];
  }
  if (depth == 0) {
    order_.swap(room_order_);
    room_x_.push_back(kInfinity);
    room_y_.push_back(kInfinity);
    x_.swap(room_x_);
    y_.swap(room_y_);
  } else {
    std::copy(room_order_.begin() + first, room_order_.begin() + last, order_.begin() + first);
    std::copy(room_x_.begin() + first, room_x_.begin() + last, x_.begin() + first);
    std::copy(room_y_.begin() + first, room_y_.begin() + last, y_.begin() + first);
  }
  const auto crowded = static_cast<std::uint32_t>(std::max(16.0, kCrowded * kPerBucket));
  for (std::size_t bucket = grid.first; bucket + 1 < grid.first + places.size(); ++bucket) {
    const std::uint32_t begin = starts_[bucket];
    const std::uint32_t end = starts_[bucket + 1];
    if (end - begin <= crowded) continue;
    // Points at one place, or at places that no grid separates, stay together.
    const auto same = [&](std::uint32_t i) { return x_[i] == x_[begin] && y_[i] == y_[begin]; };
    std::uint32_t other = begin + 1;
    while (other < end && same(other)) ++other;
    if (other == end) continue;
    if (depth == kDeepest) return false;
    if (grid_of_.empty()) grid_of_.resize(starts_.size(), 0);
    grids_[self].has_grids = true;
    grid_of_[bucket] = static_cast<std::uint32_t>(grids_.size());
    if (!Divide(begin, end, depth + 1)) return false;
  }
  return true;
}

void PointIndex::MakeTree() {
  // The points in their present order, which the grids have changed.
  std::vector<Point> points(order_.size());
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = {x_[i], y_[i]};
  const std::vector<std::uint32_t> curve = CurveOrder(points);
  std::vector<std::uint32_t> numbers(points.size());
  std::vector<Box> boxes((points.size() + kLeaf - 1) / kLeaf);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point p = points[curve[i]];
    numbers[i] = order_[curve[i]];
    x_[i] = p.x;
    y_[i] = p.y;
    boxes[i / kLeaf].Add(p);
  }
  order_ = std::move(numbers);
  grids_.assign(1, {});
  starts_.assign(2, 0);
  grid_of_.clear();
  leaves_.emplace(boxes);
}

}  // namespace openmi
