// The nearest 1 and 8 of 10^6 points for each of 10^6 others, tree or grid included, against nanoflann called plainly:
// points in the order in which they come. Both are what the adaptors of a run use: the nearest 1 is searched in a
// plane, the nearest 8 as places in space, for which no bound is set. Distances are compared too. Processor time of one
// thread; the two alternate, and the median of the paired ratios counts.

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <nanoflann.hpp>
#include <random>
#include <string>
#include <vector>

#include "adaptors/kernels/NearestPlaces.hpp"
#include "bench/support/Report.hpp"

namespace {

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

void Measure(bench::Report& report, const char* kind, std::size_t k, bench::Bound bound) {
  if (!report.Wants(kind)) return;
  constexpr int kRounds = 7;
  const std::vector<Point> sources = Draw(kind, 1), targets = Draw(kind, 2);
  std::vector<openmi::Point3> from, to;
  for (const Point& p : sources) from.push_back({p.x, p.y, 0.0});
  for (const Point& p : targets) to.push_back({p.x, p.y, 0.0});
  openmi::SparseRows rows;
  std::vector<double> least(k);
  std::vector<std::uint32_t> found(k);
  std::vector<double> squares;
  squares.reserve(k * kPoints);
  const auto ours = [&] {
    return bench::CpuSeconds([&] {
      rows = k == 1 ? openmi::NearestWeights(sources, targets)
                    : openmi::InverseDistancePlaceWeights(from, to, {.neighbours = k, .power = 2.0});
    });
  };
  const auto peer = [&] {
    squares.clear();
    return bench::CpuSeconds([&] {
      const Cloud cloud{sources};
      const Tree tree(2, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
      for (const Point& p : targets) {
        const double place[2] = {p.x, p.y};
        tree.knnSearch(place, k, found.data(), least.data());
        squares.insert(squares.end(), least.begin(), least.end());
      }
    });
  };
  const bench::Pairs seconds = bench::InTurn(kRounds, ours, peer);
  const std::string name = fmt::format("{}-{}", kind, k);
  report.Line(name, seconds.Rates(1e-6 * kPoints), "million targets a second", "nanoflann", bound,
              fmt::format("{:.3f} s and {:.3f} s", seconds.Ours(), seconds.Limit()));
  double ours_sum = 0.0, peer_sum = 0.0;
  for (const double square : squares) peer_sum += std::sqrt(square);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    for (const std::uint32_t source : rows.ColumnsOf(t)) {
      ours_sum += std::hypot(sources[source].x - targets[t].x, sources[source].y - targets[t].y);
    }
  }
  report.Fact(name + "-distances", std::abs(ours_sum - peer_sum) <= 1e-9 * peer_sum,
              fmt::format("distances add up to {} and {}", ours_sum, peer_sum));
}

}  // namespace

/// Arguments: none, all cases; else kinds.
int main(int count, char** words) {
  return bench::Main("nearest", count, words, [](bench::Report& report) {
    Measure(report, "uniform", 1, bench::Bound::AtLeast(5.0));
    Measure(report, "clusters", 1, bench::Bound::AtLeast(2.0));
    Measure(report, "line", 1, bench::Bound::AtLeast(2.0));
    for (const char* kind : {"uniform", "clusters", "line"}) Measure(report, kind, 8, {});
  });
}
