#include "adaptors/kernels/NearestPoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "adaptors/kernels/BoxIndex.hpp"
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

BoxIndex MakeIndex(std::span<const Point> points) {
  std::vector<Box> boxes(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) boxes[i].Add(points[i]);
  return BoxIndex(boxes);
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

/// Neighbours of all targets, kept flat: those of target t are list[starts[t]] to list[starts[t + 1] - 1].
class Neighbours {
 public:
  explicit Neighbours(std::size_t targets) : begin_(targets), count_(targets) {}
  void Set(std::size_t target, std::span<const Neighbour> found) {
    begin_[target] = static_cast<std::uint32_t>(list_.size());
    count_[target] = static_cast<std::uint32_t>(found.size());
    for (const Neighbour& neighbour : found) list_.push_back(neighbour);
  }
  std::span<Neighbour> Of(std::size_t target) { return std::span(list_).subspan(begin_[target], count_[target]); }
  void Reserve(std::size_t count) { list_.reserve(count); }

 private:
  std::vector<Neighbour> list_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> count_;
};

/// The square of a radius that grew: (sqrt(square) + by)^2, and a little more for the rounding of it.
double Widened(double square, double by) {
  const double radius = std::sqrt(square) + by;
  return radius * radius * (1.0 + 1e-14);
}

/// Calls `visit(target, way)` for all targets along the curve, where neighbours follow each other; `way` is the
/// distance to the one before.
template <typename Visit>
void WalkAlongCurve(std::span<const Point> targets, Visit&& visit) {
  const std::vector<std::uint32_t> order = CurveOrder(targets);
  constexpr std::size_t kAhead = 16;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i + kAhead < order.size()) __builtin_prefetch(&targets[order[i + kAhead]]);
    const Point last = targets[order[i == 0 ? 0 : i - 1]];
    visit(order[i], std::sqrt(Square(targets[order[i]], last)));
  }
}

void SortBySource(std::span<Neighbour> neighbours) {
  std::sort(neighbours.begin(), neighbours.end(),
            [](const Neighbour& a, const Neighbour& b) { return a.source < b.source; });
}

void AddInverse(std::span<Neighbour> neighbours, double power, SparseRows& rows) {
  SortBySource(neighbours);
  double least = kInfinity;
  for (const Neighbour& n : neighbours) least = std::min(least, n.square);
  double sum = 0.0;
  for (Neighbour& n : neighbours) {
    // Relative to the nearest one, so that no power of a small distance overflows.
    const double ratio = n.square == least ? 1.0 : least / n.square;
    n.square = power == 1.0 ? std::sqrt(ratio) : std::pow(ratio, 0.5 * power);
    sum += n.square;
  }
  for (const Neighbour& n : neighbours) rows.Add(n.source, n.square / sum);
  rows.EndRow();
}

}  // namespace

SparseRows NearestWeights(std::span<const Point> sources, std::span<const Point> targets) {
  CheckFinite(sources, "source");
  CheckFinite(targets, "target");
  SparseRows rows(sources.size());
  if (sources.empty()) {
    for (std::size_t t = 0; t < targets.size(); ++t) rows.EndRow();
    return rows;
  }
  const BoxIndex index = MakeIndex(sources);
  const double tolerance = TieTolerance(sources, targets);
  Neighbours neighbours(targets.size());
  neighbours.Reserve(targets.size());
  std::vector<Neighbour> found;
  double best = kInfinity;
  WalkAlongCurve(targets, [&](std::uint32_t t, double way) {
    // The last target's nearest source is no further than that from this one.
    double limit = Widened(best, way + tolerance);
    best = kInfinity;
    found.clear();
    index.Near(
        targets[t], [&] { return limit; },
        [&](std::size_t source, double square) {
          if (square < best) {
            best = square;
            limit = Widened(best, tolerance);
          }
          found.push_back({square, static_cast<std::uint32_t>(source)});
        });
    if (found.size() > 1) std::erase_if(found, [&](const Neighbour& neighbour) { return neighbour.square > limit; });
    neighbours.Set(t, found);
  });
  rows.Reserve(targets.size(), targets.size());
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const std::span<Neighbour> nearest = neighbours.Of(t);
    if (nearest.size() > 1) SortBySource(nearest);
    for (const Neighbour& n : nearest) rows.Add(n.source, 1.0 / static_cast<double>(nearest.size()));
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
  SparseRows rows(sources.size());
  std::vector<Neighbour> found;
  if (nearest == 0 || nearest >= sources.size()) {
    for (const Point target : targets) {
      found.clear();
      for (std::size_t s = 0; s < sources.size(); ++s) {
        found.push_back({Square(target, sources[s]), static_cast<std::uint32_t>(s)});
      }
      AddInverse(found, power, rows);
    }
    return rows;
  }
  const BoxIndex index = MakeIndex(sources);
  Neighbours neighbours(targets.size());
  neighbours.Reserve(targets.size() * nearest);
  double furthest = kInfinity;
  WalkAlongCurve(targets, [&](std::uint32_t t, double way) {
    // The circle that held enough sources for the last target holds them for this one if it grows by the way between.
    const double first_limit = Widened(furthest, way);
    double limit = first_limit;
    found.clear();
    index.Near(
        targets[t], [&] { return limit; },
        [&](std::size_t source, double square) {
          const Neighbour neighbour{square, static_cast<std::uint32_t>(source)};
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
    neighbours.Set(t, found);
  });
  rows.Reserve(targets.size(), targets.size() * nearest);
  for (std::size_t t = 0; t < targets.size(); ++t) AddInverse(neighbours.Of(t), power, rows);
  return rows;
}

}  // namespace openmi
