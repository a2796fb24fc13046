#include "adaptors/kernels/NearestPoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "adaptors/kernels/BoxTree.hpp"
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

BoxTree MakeTree(std::span<const Point> points) {
  std::vector<Box> boxes(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) boxes[i].Add(points[i]);
  return BoxTree(boxes);
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

void SortBySource(std::span<Neighbour> neighbours) {
  std::sort(neighbours.begin(), neighbours.end(),
            [](const Neighbour& a, const Neighbour& b) { return a.source < b.source; });
}

void AddInverse(std::span<Neighbour> neighbours, double power, SparseRows& rows) {
  SortBySource(neighbours);
  const auto here =
      std::count_if(neighbours.begin(), neighbours.end(), [](const Neighbour& n) { return n.square == 0.0; });
  double least = kInfinity;
  for (const Neighbour& n : neighbours) least = std::min(least, n.square);
  // Relative to the nearest one, so that no power of a small distance overflows.
  const auto share = [&](const Neighbour& n) {
    if (here > 0) return n.square == 0.0 ? 1.0 : 0.0;
    return power == 1.0 ? std::sqrt(least / n.square) : std::pow(least / n.square, 0.5 * power);
  };
  double sum = 0.0;
  for (const Neighbour& n : neighbours) sum += share(n);
  for (const Neighbour& n : neighbours) rows.Add(n.source, share(n) / sum);
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
  const BoxTree tree = MakeTree(sources);
  const double tolerance = TieTolerance(sources, targets);
  Neighbours neighbours(targets.size());
  neighbours.Reserve(targets.size());
  std::vector<Neighbour> found;
  std::uint32_t last = 0;
  // Along the curve, where the nearest source of one target is a good first guess for the next one.
  for (const std::uint32_t t : CurveOrder(targets)) {
    found.clear();
    double best = kInfinity;
    double limit = 0.0;
    const auto lower = [&](double square) {
      best = square;
      const double reach = std::sqrt(best) + tolerance;
      limit = reach * reach;
    };
    lower(Square(targets[t], sources[last]));
    tree.Near(
        targets[t], [&] { return limit; },
        [&](std::size_t source, double square) {
          if (square < best) lower(square);
          found.push_back({square, static_cast<std::uint32_t>(source)});
        });
    std::erase_if(found, [&](const Neighbour& neighbour) { return neighbour.square > limit; });
    last = found.front().source;
    neighbours.Set(t, found);
  }
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
  const BoxTree tree = MakeTree(sources);
  Neighbours neighbours(targets.size());
  neighbours.Reserve(targets.size() * nearest);
  double last_square = kInfinity;
  Point last{};
  for (const std::uint32_t t : CurveOrder(targets)) {
    // The sphere that held enough sources for the last target holds them for this one if it grows by the way between.
    const double reach = std::sqrt(last_square) + std::sqrt(Square(targets[t], last));
    const double first_limit = reach * reach * (1.0 + 1e-12);
    found.clear();
    const auto limit = [&] { return found.size() < nearest ? first_limit : found.back().square; };
    tree.Near(targets[t], limit, [&](std::size_t source, double square) {
      const Neighbour neighbour{square, static_cast<std::uint32_t>(source)};
      if (found.size() == nearest) {
        if (!(neighbour < found.back())) return;
        found.pop_back();
      }
      found.insert(std::upper_bound(found.begin(), found.end(), neighbour), neighbour);
    });
    last = targets[t];
    last_square = found.back().square;
    neighbours.Set(t, found);
  }
  rows.Reserve(targets.size(), targets.size() * nearest);
  for (std::size_t t = 0; t < targets.size(); ++t) AddInverse(neighbours.Of(t), power, rows);
  return rows;
}

}  // namespace openmi
