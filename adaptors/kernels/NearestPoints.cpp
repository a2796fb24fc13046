#include "adaptors/kernels/NearestPoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "adaptors/kernels/PointIndex.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A source and its distance squared.
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

/// Distances are compared with this slack: the rounding that the coordinates brought along.
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

/// The square of a radius that grew: (sqrt(square) + by)^2, and a little more for the rounding of it.
double Widened(double square, double by) {
  const double radius = std::sqrt(square) + by;
  return radius * radius * (1.0 + 1e-14);
}

/// A square of a distance within which the last target's bound makes sure that `count` points lie: grown by the way
/// between the two, or asked of the index where that way was long.
double FirstLimit(const PointIndex& index, Point target, double grown, std::size_t count) {
  const double cells = 2.0 * index.Cell();
  return grown > cells * cells ? std::min(grown, index.Bound(target, count)) : grown;
}

/// Calls `visit(target, way)` for all targets along a curve, where neighbours follow each other; `way` is the distance
/// to the one before.
template <typename Visit>
void WalkAlongCurve(const PointIndex& index, std::span<const Point> targets, Visit&& visit) {
  // Where they are spread evenly, a coarse curve will do.
  const std::vector<std::uint32_t> order = CurveOrder(targets, index.Cell() > 0.0 ? 16 : 32);
  constexpr std::size_t kAhead = 16;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i + kAhead < order.size()) __builtin_prefetch(&targets[order[i + kAhead]]);
    const Point last = targets[order[i == 0 ? 0 : i - 1]];
    visit(order[i], std::sqrt(Square(targets[order[i]], last)));
  }
}

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

/// Turns squares of distances, `least` the lowest of them, into weights.
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

/// All sources count for all targets.
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
  std::vector<std::uint32_t> nearest(targets.size());
  std::vector<Tie> ties;  // all sources of the targets that have several
  std::vector<Neighbour> found;
  double best = kInfinity;
  WalkAlongCurve(index, targets, [&](std::uint32_t t, double way) {
    // The last target's nearest source is no further than that from this one.
    double limit = Widened(FirstLimit(index, targets[t], Widened(best, way), 1), tolerance);
    best = kInfinity;
    found.clear();
    index.Within(targets[t], limit, [&](std::uint32_t source, double square) {
      if (square < best) {
        best = square;
        limit = Widened(best, tolerance);
        // What is out of reach now is left behind at once, as long as it is only one.
        if (found.size() == 1 && found[0].square > limit) found.clear();
      }
      found.push_back({square, source});
    });
    if (found.size() > 1) std::erase_if(found, [&](const Neighbour& neighbour) { return neighbour.square > limit; });
    nearest[t] = found.front().source;
    if (found.size() == 1) return;
    for (const Neighbour& n : found) ties.push_back({t, n.source});
  });
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
  const PointIndex index(sources);
  std::vector<std::uint32_t> columns(targets.size() * nearest);
  std::vector<double> weights(targets.size() * nearest);
  std::vector<Neighbour> found;  // sorted, the furthest last
  double furthest = kInfinity;
  bool all_weigh = true;
  WalkAlongCurve(index, targets, [&](std::uint32_t t, double way) {
    // The circle that held enough sources for the last target holds them for this one if it grows by the way between.
    double limit = FirstLimit(index, targets[t], Widened(furthest, way), nearest);
    found.clear();
    index.Within(targets[t], limit, [&](std::uint32_t source, double square) {
      const Neighbour neighbour{square, source};
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
    furthest = found.back().square;
    const double least = found.front().square;
    SortBySource(found);
    WeighInverse(found, least, power);
    for (std::size_t i = 0; i < nearest; ++i) {
      columns[t * nearest + i] = found[i].source;
      weights[t * nearest + i] = found[i].square;
      all_weigh = all_weigh && found[i].square != 0.0;
    }
  });
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
