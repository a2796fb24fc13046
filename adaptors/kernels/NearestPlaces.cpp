#include "adaptors/kernels/NearestPlaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "adaptors/kernels/PointTree.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

/// The tolerance for equal distances: the rounding of the coordinates.
double TieSlack(std::span<const Point3> sources, std::span<const Point3> targets) {
  double largest = 0.0;
  for (const auto points : {sources, targets}) {
    for (const Point3& p : points) largest = std::max({largest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  }
  return 4.0 * std::numeric_limits<double>::epsilon() * largest;
}

/// Calls `visit(i, nearest)` for each of `from` with the indices of its nearest ones in `among`, rising.
template <typename Visit>
void EachNearest(std::span<const Point3> from, std::span<const Point3> among, double radius, Visit&& visit) {
  const PointTree tree(among);
  const double slack = TieSlack(from, among);
  std::vector<PointNeighbour> found;
  std::vector<std::uint32_t> nearest;
  for (std::size_t i = 0; i < from.size(); ++i) {
    tree.Nearest(from[i], 2, found, radius);
    nearest.clear();
    if (!found.empty()) {
      const double limit = std::sqrt(found.front().square) + slack;
      if (found.size() == 2 && std::sqrt(found.back().square) <= limit) {
        tree.Within(from[i], limit, [&](std::uint32_t index, double) { nearest.push_back(index); });
        std::sort(nearest.begin(), nearest.end());
      } else {
        nearest.push_back(found.front().index);
      }
    }
    visit(i, std::span<const std::uint32_t>(nearest));
  }
}

}  // namespace

SparseRows NearestPlaceWeights(std::span<const Point3> sources, std::span<const Point3> targets, double radius) {
  RequireFinite(targets, "target");
  SparseRows rows(sources.size());
  rows.Reserve(targets.size(), targets.size());
  EachNearest(targets, sources, radius, [&](std::size_t, std::span<const std::uint32_t> nearest) {
    for (const std::uint32_t source : nearest) rows.Add(source, 1.0 / static_cast<double>(nearest.size()));
    rows.EndRow();
  });
  return rows;
}

SparseRows NearestTargetWeights(std::span<const Point3> sources, std::span<const Point3> targets, Gather gather,
                                double radius) {
  RequireFinite(sources, "source");
  RequireFinite(targets, "target");
  std::vector<std::vector<SparseRows::Entry>> entries(targets.size());
  EachNearest(sources, targets, radius, [&](std::size_t source, std::span<const std::uint32_t> nearest) {
    const double part = 1.0 / static_cast<double>(nearest.size());
    for (const std::uint32_t target : nearest) entries[target].push_back({static_cast<std::uint32_t>(source), part});
  });
  SparseRows rows(sources.size());
  rows.Reserve(targets.size(), sources.size());
  for (std::vector<SparseRows::Entry>& row : entries) {
    double sum = 0.0;
    for (const SparseRows::Entry& entry : row) sum += entry.weight;
    if (gather == Gather::Mean) {
      for (SparseRows::Entry& entry : row) entry.weight /= sum;
    }
    rows.AddRow(row);
  }
  return rows;
}

SparseRows InverseDistancePlaceWeights(std::span<const Point3> sources, std::span<const Point3> targets,
                                       const InverseDistanceOptions& options) {
  if (!(options.power > 0.0 && std::isfinite(options.power))) {
    throw ArgumentError({}, fmt::format("expected a power of the distance above 0, found {}", options.power),
                        "use 1 or 2");
  }
  RequireFinite(targets, "target");
  const PointTree tree(sources);
  const std::size_t count = options.neighbours == 0 ? sources.size() : options.neighbours;
  SparseRows rows(sources.size());
  rows.Reserve(targets.size(), targets.size() * std::min(count, sources.size()));
  std::vector<PointNeighbour> found;
  std::vector<double> parts;
  for (const Point3& target : targets) {
    tree.Nearest(target, count, found, options.radius);
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
    double least = std::numeric_limits<double>::infinity();
    for (PointNeighbour& n : found) {
      n.square = std::sqrt(n.square);
      if (options.sphere > 0.0) n.square = ArcOfChord(n.square, options.sphere);
      least = std::min(least, n.square);
    }
    parts.clear();
    double sum = 0.0;
    for (const PointNeighbour& n : found) {
      // Relative to the nearest one, so that no power of a small distance overflows.
      parts.push_back(n.square == least ? 1.0 : std::pow(least / n.square, options.power));
      sum += parts.back();
    }
    for (std::size_t i = 0; i < found.size(); ++i) rows.Add(found[i].index, parts[i] / sum);
    rows.EndRow();
  }
  return rows;
}

}  // namespace openmi
