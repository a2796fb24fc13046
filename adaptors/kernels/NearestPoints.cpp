#include "adaptors/kernels/NearestPoints.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

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
  bool operator<(const Neighbour& other) const {
    return square != other.square ? square < other.square : source < other.source;
  }
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

void SortBySource(std::span<Neighbour> neighbours) {
  if (neighbours.size() > 24) {
    std::ranges::sort(neighbours, {}, &Neighbour::source);
    return;
  }
  for (std::size_t i = 1; i < neighbours.size(); ++i) {
    const Neighbour neighbour = neighbours[i];
    std::size_t at = i;
    for (; at > 0 && neighbours[at - 1].source > neighbour.source; --at) neighbours[at] = neighbours[at - 1];
    neighbours[at] = neighbour;
  }
}

/// Turns squared distances, `least` the lowest of them, into weights.
void WeighInverse(std::span<Neighbour> neighbours, double least, double power) {
  double sum = 0.0;
  for (Neighbour& n : neighbours) {
    // Relative to the nearest one, so that no power of a small distance overflows.
    const double ratio = n.square == least ? 1.0 : least / n.square;
    n.square = power == 2.0 ? ratio : power == 1.0 ? std::sqrt(ratio) : std::pow(ratio, 0.5 * power);
    sum += n.square;
  }
  const double part = 1.0 / sum;
  for (Neighbour& n : neighbours) n.square *= part;
}

/// Memory for numbers that are written in any order, in large pages where the system has them. With small pages each
/// write would wait for a page lookup.
template <typename T>
std::vector<T> Room(std::size_t count) {
  std::vector<T> room;
  room.reserve(count);
#if defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21;
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(room.data()) + kPage - 1) & ~(kPage - 1);
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(room.data() + count) & ~(kPage - 1);
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // only a hint
#endif
  room.resize(count);
  return room;
}

double FurthestOf(std::span<const Neighbour> neighbours) {
  double furthest = 0.0;
  for (const Neighbour& n : neighbours) furthest = std::max(furthest, n.square);
  return furthest;
}

constexpr std::size_t kFew = 8;

/// The nine least of some numbers that are not negative, each with an index below 64 in the last six bits of its
/// mantissa. There are no branches: each number passes nine places and takes the first with a greater number, which
/// moves on. Two lanes run at once and are merged at the end.
void NineLeast(const double* numbers, std::size_t count, std::uint64_t* least) {
#if defined(__SSE2__)
  constexpr std::size_t kPlaces = kFew + 1;
  const __m128d most = _mm_set1_pd(std::numeric_limits<double>::max());
  const __m128i mask = _mm_set1_epi64x(~std::int64_t{63});
  __m128d places[kPlaces];
  for (__m128d& place : places) place = most;
  __m128i tag = _mm_set_epi64x(1, 0);
  const __m128i two = _mm_set1_epi64x(2);
  for (std::size_t i = 0; i < count; i += 2) {
    const __m128i bits = _mm_castpd_si128(_mm_min_pd(_mm_loadu_pd(numbers + i), most));
    __m128d next = _mm_castsi128_pd(_mm_or_si128(_mm_and_si128(bits, mask), tag));
    tag = _mm_add_epi64(tag, two);
    for (__m128d& place : places) {
      const __m128d low = _mm_min_pd(next, place);
      next = _mm_max_pd(next, place);
      place = low;
    }
  }
  // Both lanes rise: the nine least of all are the smaller ones of a[i] and b[8 - i].
  for (std::size_t i = 0; i < kPlaces; ++i) {
    const __m128d low = _mm_min_sd(places[i], _mm_unpackhi_pd(places[kPlaces - 1 - i], places[kPlaces - 1 - i]));
    least[i] = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_castpd_si128(low)));
  }
#else
  std::fill(least, least + kFew + 1, std::bit_cast<std::uint64_t>(std::numeric_limits<double>::max()));
  for (std::size_t i = 0; i < count; ++i) {
    const double number = std::min(numbers[i], std::numeric_limits<double>::max());
    std::uint64_t next = (std::bit_cast<std::uint64_t>(number) & ~std::uint64_t{63}) | i;
    for (std::size_t k = 0; k <= kFew; ++k) {
      const std::uint64_t low = std::min(next, least[k]);
      next = std::max(next, least[k]);
      least[k] = low;
    }
  }
#endif
}

/// Sorts eight numbers without branches. Source: [Knuth1998], sec. 5.3.4.
void SortEight(std::uint64_t* numbers) {
  static constexpr std::uint8_t kPairs[19][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6},
                                                 {3, 7}, {0, 1}, {2, 3}, {4, 5}, {6, 7}, {2, 4}, {3, 5},
                                                 {1, 4}, {3, 6}, {1, 2}, {3, 4}, {5, 6}};
#pragma GCC unroll 19
  for (const auto& [a, b] : kPairs) {
    const std::uint64_t low = std::min(numbers[a], numbers[b]);
    numbers[b] = std::max(numbers[a], numbers[b]);
    numbers[a] = low;
  }
}

/// The nearest sources of a block, by index. False if there are more than a few of them or too few, or if the next one
/// is as far as the furthest of them (to 44 bits), so that their indices would decide.
bool TakeLeast(const PointIndex& index, PointIndex::Block& block, std::size_t nearest, std::vector<Neighbour>& found) {
  if (nearest > kFew || block.count < nearest) return false;
  block.squares[block.count] = std::numeric_limits<double>::max();
  std::uint64_t least[kFew + 1];
  NineLeast(block.squares, block.count, least);
  // Sorts the places from nearest - 1 on: the furthest of the nearest sources, and the next one.
  for (std::size_t end = kFew; end + 1 >= nearest && end > 0; --end) {
    for (std::size_t k = 0; k < end; ++k) {
      const std::uint64_t low = std::min(least[k], least[k + 1]);
      least[k + 1] = std::max(least[k], least[k + 1]);
      least[k] = low;
    }
  }
  const std::uint64_t most = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::max()) >> 6;
  if ((least[nearest - 1] >> 6) >= most || (least[nearest] >> 6) <= (least[nearest - 1] >> 6) + 4) return false;
  std::uint64_t by_source[kFew];
  for (std::size_t k = 0; k < kFew; ++k) {
    const std::uint64_t slot = least[k] & 63;
    by_source[k] = k < nearest ? std::uint64_t{index.ItemAt(block.PlaceOf(slot))} << 8 | slot : ~std::uint64_t{0};
  }
  SortEight(by_source);
  found.resize(nearest);
  for (std::size_t k = 0; k < nearest; ++k) {
    found[k] = {block.squares[by_source[k] & 63], static_cast<std::uint32_t>(by_source[k] >> 8)};
  }
  return true;
}

/// All sources have weights in all targets.
SparseRows DenseInverse(std::span<const Point> sources, std::span<const Point> targets, double power) {
  SparseRows rows(sources.size());
  std::vector<Neighbour> found(sources.size());
  for (const Point target : targets) {
    double least = kInfinity;
    for (std::size_t s = 0; s < sources.size(); ++s) {
      found[s] = {Square(target, sources[s]), static_cast<std::uint32_t>(s)};
      least = std::min(least, found[s].square);
    }
    WeighInverse(found, least, power);
    for (const Neighbour& n : found) rows.Add(n.source, n.square);
    rows.EndRow();
  }
  return rows;
}

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

SparseRows InverseDistanceWeights(std::span<const Point> sources, std::span<const Point> targets, std::size_t nearest,
                                  double power) {
  CheckFinite(sources, "source");
  CheckFinite(targets, "target");
  if (!(power > 0.0 && std::isfinite(power))) {
    throw ArgumentError({}, fmt::format("expected a power of the distance above 0, found {}", power), "use 1 or 2");
  }
  if (nearest == 0 || nearest >= sources.size()) return DenseInverse(sources, targets, power);
  if (targets.size() * nearest > std::numeric_limits<std::uint32_t>::max()) {
    throw RangeError({},
                     fmt::format("expected at most 2^32 - 1 weights, found {} targets with {} sources each",
                                 targets.size(), nearest),
                     "take fewer sources, or split the element set");
  }
  const PointIndex index(sources, std::max(2.0, 0.375 * static_cast<double>(nearest)));
  const SortedTargets sorted(index, targets);
  auto columns = Room<std::uint32_t>(targets.size() * nearest);
  auto weights = Room<double>(targets.size() * nearest);
  std::vector<Neighbour> found;
  PointIndex::Block block;
  double furthest = kInfinity;
  bool all_weigh = true;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Point target = sorted.points[i];
    const std::size_t t = sorted.numbers[i];
    // The results are written to places all over the memory.
    const std::size_t ahead = nearest * sorted.numbers[std::min(i + kAhead, targets.size() - 1)];
    __builtin_prefetch(&columns[ahead], 1);
    __builtin_prefetch(&weights[ahead], 1);
    __builtin_prefetch(&weights[ahead + nearest - 1], 1);
    // The circle that held enough sources for the last target holds them for this one, if enlarged by the distance
    // between both targets.
    double limit = i > 0 ? Widened(furthest, std::sqrt(Square(target, sorted.points[i - 1]))) : kInfinity;
    const bool near = index.Around(target, block) && TakeLeast(index, block, nearest, found);
    if (near) limit = std::min(limit, FurthestOf(found));
    if (!near || !(limit < block.square)) {
      found.clear();
      index.Within(target, limit, [&](std::uint32_t place, double square) {
        const Neighbour neighbour{square, index.ItemAt(place)};
        if (found.size() < nearest) {
          found.push_back(neighbour);
        } else if (!(neighbour < found.back())) {
          return;
        }
        std::size_t at = found.size() - 1;
        for (; at > 0 && neighbour < found[at - 1]; --at) found[at] = found[at - 1];
        found[at] = neighbour;
        if (found.size() == nearest) limit = found.back().square;
      });
      SortBySource(found);
    }
    double least = found.front().square;
    furthest = least;
    for (const Neighbour& n : found) {
      least = std::min(least, n.square);
      furthest = std::max(furthest, n.square);
    }
    WeighInverse(found, least, power);
    for (std::size_t k = 0; k < nearest; ++k) {
      columns[t * nearest + k] = found[k].source;
      weights[t * nearest + k] = found[k].square;
      all_weigh = all_weigh && found[k].square != 0.0;
    }
  }
  std::vector<std::uint32_t> starts(targets.size() + 1);
  for (std::size_t t = 0; t <= targets.size(); ++t) starts[t] = static_cast<std::uint32_t>(t * nearest);
  if (all_weigh) return SparseRows(sources.size(), std::move(starts), std::move(columns), std::move(weights));
  SparseRows rows(sources.size());  // without the weights that are 0
  for (std::size_t t = 0; t < targets.size(); ++t) {
    for (std::uint32_t i = starts[t]; i < starts[t + 1]; ++i) rows.Add(columns[i], weights[i]);
    rows.EndRow();
  }
  return rows;
}

}  // namespace openmi
