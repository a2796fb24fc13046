// The nearest 1 and 8 of 10^6 points for each of 10^6 others, tree or grid included, against nanoflann called plainly:
// points in the order in which they come. Distances are compared too. Processor time of one thread.

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <nanoflann.hpp>
#include <random>
#include <string>
#include <vector>

#include "adaptors/kernels/NearestPoints.hpp"
#include "bench/spatial/Measure.hpp"

namespace {

using bench::CpuSeconds;
using bench::Median;
using openmi::Point;

constexpr std::size_t kPoints = 1'000'000;

/// What nanoflann asks of a set of points.
struct Cloud {
  const std::vector<Point>& points;
  std::size_t kdtree_get_point_count() const { return points.size(); }
  double kdtree_get_pt(std::size_t i, std::size_t axis) const { return axis == 0 ? points[i].x : points[i].y; }
  template <typename Bounds>
  bool kdtree_get_bbox(Bounds&) const {
    return false;
  }
};
using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud, 2>;

/// Sources and targets are drawn alike.
std::vector<Point> Draw(const char* kind, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::normal_distribution<double> normal(0.0, 1e-4);
  std::vector<Point> points(kPoints);
  std::mt19937_64 same(7);  // the middles of the clusters are those of both sets
  std::vector<Point> middles(100);
  for (Point& p : middles) p = {uniform(same), uniform(same)};
  for (Point& p : points) {
    if (kind[0] == 'u') {
      p = {uniform(engine), uniform(engine)};
    } else if (kind[0] == 'c') {
      const Point middle = middles[static_cast<std::size_t>(100.0 * uniform(engine))];
      p = {middle.x + normal(engine), middle.y + normal(engine)};
    } else {
      const double along = uniform(engine);
      p = {along, 0.3 * along + 0.1};
    }
  }
  return points;
}

bool Measure(const char* kind, std::size_t k, double bound) {
  const std::vector<Point> sources = Draw(kind, 1), targets = Draw(kind, 2);
  std::vector<double> ours_seconds, peer_seconds;
  double ours_sum = 0.0, peer_sum = 0.0;
  for (int run = 0; run < 2; ++run) {
    openmi::SparseRows rows;
    ours_seconds.push_back(CpuSeconds([&] {
      rows =
          k == 1 ? openmi::NearestWeights(sources, targets) : openmi::InverseDistanceWeights(sources, targets, k, 2.0);
    }));
    std::vector<double> least(k);
    std::vector<std::uint32_t> found(k);
    std::vector<double> distances;
    distances.reserve(k * kPoints);
    peer_seconds.push_back(CpuSeconds([&] {
      const Cloud cloud{sources};
      const Tree tree(2, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
      for (const Point& p : targets) {
        const double place[2] = {p.x, p.y};
        tree.knnSearch(place, k, found.data(), least.data());
        distances.insert(distances.end(), least.begin(), least.end());
      }
    }));
    ours_sum = peer_sum = 0.0;
    for (double square : distances) peer_sum += std::sqrt(square);
    for (std::size_t t = 0; t < targets.size(); ++t) {
      for (std::uint32_t s : rows.ColumnsOf(t)) {
        ours_sum += std::hypot(sources[s].x - targets[t].x, sources[s].y - targets[t].y);
      }
    }
  }
  const double ours = Median(ours_seconds), peer = Median(peer_seconds);
  const bool same = std::abs(ours_sum - peer_sum) <= 1e-9 * peer_sum;
  const bool holds = peer / ours >= bound && same;
  fmt::print("nearest/{}-{}: ours {:.3f} s, nanoflann {:.3f} s, ratio {:.2f}, bound at least {:.0f}{}{}\n", kind, k,
             ours, peer, peer / ours, bound,
             same ? "" : fmt::format(" (sums of distances {} and {})", ours_sum, peer_sum), holds ? "" : "  EXCEEDED");
  std::fflush(stdout);
  return holds;
}

}  // namespace

/// Arguments: none, all cases; else kinds.
int main(int count, char** arguments) {
  std::vector<std::string> kinds(arguments + 1, arguments + count);
  if (kinds.empty()) kinds = {"uniform", "clusters", "line"};
  bool good = true;
  for (const std::size_t k : {std::size_t{1}, std::size_t{8}}) {
    for (const std::string& kind : kinds) good = Measure(kind.c_str(), k, kind == "uniform" ? 5.0 : 2.0) && good;
  }
  return good ? 0 : 1;
}
