#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "adaptors/kernels/NearestPlaces.hpp"
#include "adaptors/kernels/PointIndex.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kAhead = 16;  // how many items ahead memory is prefetched

/// A source and its squared distance.
struct Neighbour {
  double square;
  std::uint32_t source;
};

/// One of several sources that are equally near.
struct Tie {
  std::uint32_t target;
  std::uint32_t source;
  auto operator<=>(const Tie&) const = default;
};

void CheckFinite(std::span<const Point> points, const char* side) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!std::isfinite(points[i].x) || !std::isfinite(points[i].y)) {
      throw RangeError(
          {},
          fmt::format("{} point {}: expected finite coordinates, found ({}, {})", side, i, points[i].x, points[i].y),
          "correct the element set");
    }
  }
}

/// The tolerance for equal distances: the rounding of the coordinates.
double TieTolerance(std::span<const Point> sources, std::span<const Point> targets) {
  double largest = 0.0;
  for (const auto points : {sources, targets}) {
    for (Point p : points) largest = std::max({largest, std::abs(p.x), std::abs(p.y)});
  }
  return 4.0 * std::numeric_limits<double>::epsilon() * largest;
}

double Square(Point a, Point b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/// The square of an enlarged radius: (sqrt(square) + by)^2, and a little more for its rounding.
double Widened(double square, double by) {
  const double radius = std::sqrt(square) + by;
  return radius * radius * (1.0 + 1e-14);
}

/// Targets in an order in which neighbours follow each other.
struct SortedTargets {
  std::vector<std::uint32_t> numbers;
  std::vector<Point> points;

  SortedTargets(const PointIndex& index, std::span<const Point> targets) : points(targets.size()) {
    if (index.HasBuckets()) {
      SortByBucket(index, targets);
    } else {
      numbers = CurveOrder(targets);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i + kAhead < points.size()) __builtin_prefetch(&targets[numbers[i + kAhead]]);
      points[i] = targets[numbers[i]];
    }
  }

 private:
  void SortByBucket(const PointIndex& index, std::span<const Point> targets) {
    std::vector<std::uint32_t> bucket_of(targets.size());
    std::vector<std::uint32_t> places(index.BucketCount() + 1, 0);
    for (std::size_t t = 0; t < targets.size(); ++t) {
      bucket_of[t] = index.BucketOf(targets[t]);
      ++places[bucket_of[t] + 1];
    }
    std::partial_sum(places.begin(), places.end(), places.begin());
    numbers.resize(targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t) numbers[places[bucket_of[t]]++] = static_cast<std::uint32_t>(t);
  }
};

}  // namespace

SparseRows NearestWeights(std::span<const Point> sources, std::span<const Point> targets) {
  CheckFinite(sources, "source");
  CheckFinite(targets, "target");
  if (sources.empty()) return SparseRows(0, std::vector<std::uint32_t>(targets.size() + 1, 0), {}, {});
  const PointIndex index(sources);
  const double tolerance = TieTolerance(sources, targets);
  const SortedTargets sorted(index, targets);
  std::vector<std::uint32_t> nearest(targets.size());
  std::vector<Tie> ties;  // all sources of targets with several
  std::vector<Neighbour> found;
  PointIndex::Block block;
  double best = kInfinity;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Point target = sorted.points[i];
    const std::uint32_t t = sorted.numbers[i];
    // The distance of the last target's nearest source from this target is at most this.
    double limit = i > 0 ? Widened(best, std::sqrt(Square(target, sorted.points[i - 1]))) : kInfinity;
    if (index.Around(target, block) && block.count > 0) {
      best = *std::min_element(block.squares, block.squares + block.count);
      limit = best;
      const double tied = Widened(best, tolerance);
      if (tied < block.square) {
        std::size_t count = 0;
        std::size_t last = 0;
        for (std::size_t k = 0; k < block.count; ++k) {
          count += block.squares[k] <= tied ? 1 : 0;
          last = block.squares[k] <= tied ? k : last;
        }
        nearest[t] = index.ItemAt(block.PlaceOf(last));
        for (std::size_t k = 0; count > 1 && k < block.count; ++k) {
          if (block.squares[k] <= tied) ties.push_back({t, index.ItemAt(block.PlaceOf(k))});
        }
        continue;
      }
    }
    limit = Widened(limit, tolerance);
    best = kInfinity;
    found.clear();
    index.Within(target, limit, [&](std::uint32_t place, double square) {
      if (square < best) {
        best = square;
        limit = Widened(best, tolerance);
        // Drops the source found before if it is now out of reach; several are checked later.
        if (found.size() == 1 && found[0].square > limit) found.clear();
      }
      found.push_back({square, index.ItemAt(place)});
    });
    if (found.size() > 1) std::erase_if(found, [&](const Neighbour& neighbour) { return neighbour.square > limit; });
    nearest[t] = found.front().source;
    if (found.size() == 1) continue;
    for (const Neighbour& n : found) ties.push_back({t, n.source});
  }
  if (ties.empty()) {
    std::vector<std::uint32_t> starts(targets.size() + 1);
    std::iota(starts.begin(), starts.end(), 0U);
    return SparseRows(sources.size(), std::move(starts), std::move(nearest), std::vector<double>(targets.size(), 1.0));
  }
  std::ranges::sort(ties);
  SparseRows rows(sources.size());
  rows.Reserve(targets.size(), targets.size() + ties.size());
  auto tie = ties.begin();
  for (std::uint32_t t = 0; t < targets.size(); ++t) {
    const auto end = std::find_if(tie, ties.end(), [&](const Tie& other) { return other.target != t; });
    if (tie == end) {
      rows.Add(nearest[t], 1.0);
    } else {
      const double part = 1.0 / static_cast<double>(end - tie);
      for (; tie != end; ++tie) rows.Add(tie->source, part);
    }
    rows.EndRow();
  }
  return rows;
}

}  // namespace openmi
