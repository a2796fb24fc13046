// What holds between any two meshes over one region: 10^4 generated pairs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "adaptors/kernels/PolygonWeights.hpp"
#include "adaptors/kernels/SecondOrder.hpp"
#include "tests/adaptors/Grids.hpp"
#include "tests/adaptors/Random.hpp"

namespace openmi {
namespace {

constexpr int kCases = 10000;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Two meshes over the same parallelogram, of any scale, place and direction; every third one of concave cells.
struct Pair {
  Polygons source;
  Polygons target;
  double slack;  // relative, of an area
};
Pair Generated(testing::Random& random) {
  const double scale = std::pow(10.0, random.Uniform(-6, 7));
  const double offset = random.Chance(0.5) ? random.Uniform(-1e7, 1e7) : 0.0;
  const double turn = random.Uniform(0, 2 * std::numbers::pi), shear = random.Uniform(-0.5, 0.5);
  const std::size_t most = 4;
  const double kept = std::abs(offset) * 4 * std::numeric_limits<double>::epsilon() * most / scale;
  const double away = kept < 1e-4 ? offset : 0.0;  // cells that are a few roundings wide are none
  const auto place = [=](double u, double v) {
    const double x = scale * (u + shear * v), y = scale * v;
    return Point{away + std::cos(turn) * x - std::sin(turn) * y, away + std::sin(turn) * x + std::cos(turn) * y};
  };
  const auto mesh = [&] {
    const bool concave = random.Chance(1.0 / 3);
    return testing::Grid(1 + random.Index(most), 1 + random.Index(most), place, concave ? 1 + random.Index(2) : 0, 0.3);
  };
  Pair pair{mesh(), mesh(), 0.0};
  // Coordinates are off by half an epsilon, and an edge of a cell 0.25 long by that over its length.
  pair.slack = 1e-12 + 32 * std::numeric_limits<double>::epsilon() * most * (std::abs(away) / scale + 2);
  return pair;
}

std::vector<double> Values(testing::Random& random, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = random.Uniform(-5, 5);
  return values;
}

double Total(const std::vector<double>& areas, const std::vector<double>& values) {
  return std::inner_product(areas.begin(), areas.end(), values.begin(), 0.0);
}

TEST(MeshProperties, TotalsAreKeptMeansBoundedAndMissingValuesStayWhereTheyBelong) {
  testing::Random random;
  for (int i = 0; i < kCases; ++i) {
    const Pair pair = Generated(random);
    const PolygonOverlaps overlaps = FindOverlaps(pair.source.View(), pair.target.View());
    const SparseRows mean = MakePolygonWeights(overlaps, PolygonWeightKind::Mean);
    const SparseRows dealt = MakePolygonWeights(overlaps, PolygonWeightKind::Distribute);
    std::vector<double> values = Values(random, pair.source.Count());
    std::vector<double> out(pair.target.Count()), amounts(pair.target.Count());
    mean.Apply(values, out);
    dealt.Apply(values, amounts);
    const double whole = std::accumulate(overlaps.source_areas.begin(), overlaps.source_areas.end(), 0.0);
    const auto count = static_cast<double>(values.size() * out.size());
    const double slack = 5 * count * pair.slack;
    ASSERT_NEAR(Total(overlaps.target_areas, out) / whole, Total(overlaps.source_areas, values) / whole, slack) << i;
    ASSERT_NEAR(std::accumulate(amounts.begin(), amounts.end(), 0.0),
                std::accumulate(values.begin(), values.end(), 0.0), count * slack)
        << i;
    const auto [low, high] = std::ranges::minmax(values);
    for (const double value : out) {
      ASSERT_GE(value, low - 1e-13) << i;
      ASSERT_LE(value, high + 1e-13) << i;
    }
    const std::size_t hole = random.Index(values.size());
    values[hole] = kNaN;
    std::vector<double> with_hole(out.size());
    mean.Apply(values, with_hole);
    for (std::size_t t = 0; t < out.size(); ++t) {
      const auto columns = mean.ColumnsOf(t);
      const bool meets = std::ranges::find(columns, hole) != columns.end();
      ASSERT_EQ(std::isnan(with_hole[t]), meets) << i;
      if (meets) continue;
      ASSERT_EQ(with_hole[t], out[t]) << i;
    }
  }
}

TEST(MeshProperties, SlopesKeepTotalsAndConstants) {
  testing::Random random;
  for (int i = 0; i < kCases; ++i) {
    const Pair pair = Generated(random);
    const SecondOrderResult result = SecondOrderWeights(pair.source.View(), pair.target.View());
    std::vector<double> values = Values(random, pair.source.Count()), out(pair.target.Count());
    result.weights.Apply(values, out);
    const double whole = std::accumulate(result.source_cover.begin(), result.source_cover.end(), 0.0);
    // 1e-12 of the amounts themselves, signs left aside, and what the coordinates are off by.
    ASSERT_NEAR(Total(result.target_cover, out) / whole, Total(result.source_cover, values) / whole, 5 * pair.slack)
        << i;
    for (const double sum : result.weights.RowSums()) ASSERT_NEAR(sum, 1.0, pair.slack) << i;
  }
}

}  // namespace
}  // namespace openmi
