#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "adaptors/kernels/NearestPlaces.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/adaptors/Random.hpp"
#include "tests/support/Epsilon.hpp"

namespace openmi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

const std::vector<Point> kCorners{{0, 100}, {0, 0}, {100, 0}, {100, 100}};
const std::vector<Point> kTargets{{0, 75}, {200, 50}};

std::vector<Point3> Places(const std::vector<Point>& points) {
  std::vector<Point3> places;
  for (Point p : points) places.push_back({p.x, p.y, 0});
  return places;
}

TEST(NearestWeights, ReferenceVectors) {
  const SparseRows rows = NearestWeights(kCorners, kTargets);
  EXPECT_THAT(rows.ColumnsOf(0), ElementsAre(0));
  EXPECT_THAT(rows.WeightsOf(0), ElementsAre(1.0));
  EXPECT_THAT(rows.ColumnsOf(1), ElementsAre(2, 3));
  EXPECT_THAT(rows.WeightsOf(1), ElementsAre(0.5, 0.5));
}

TEST(NearestWeights, AnEvenGridTiesAtAnyOffset) {
  for (double offset : {0.0, 0.1, 4512345.678, 1e7}) {
    std::vector<Point> sources, targets;
    for (int j = 0; j < 6; ++j) {
      for (int i = 0; i < 6; ++i) {
        sources.push_back({offset + 0.1 * i, offset + 0.1 * j});
        if (i < 5 && j < 5) targets.push_back({offset + 0.1 * i + 0.05, offset + 0.1 * j + 0.05});
      }
    }
    const SparseRows rows = NearestWeights(sources, targets);
    for (std::size_t t = 0; t < targets.size(); ++t)
      EXPECT_THAT(rows.WeightsOf(t), ElementsAre(0.25, 0.25, 0.25, 0.25));
  }
}

TEST(NearestWeights, SourcesAtOnePlaceShare) {
  const std::vector<Point> sources(40, Point{3, 4});
  const SparseRows rows = NearestWeights(sources, std::vector<Point>{{3, 4}, {0, 0}});
  EXPECT_EQ(rows.WeightsOf(0).size(), 40U);
  EXPECT_EQ(rows.WeightsOf(1).size(), 40U);
  EXPECT_EQ(rows.WeightsOf(1)[7], 1.0 / 40);
}

TEST(NearestWeights, NoSourcesTouchNothing) {
  EXPECT_THAT(NearestWeights({}, kTargets).UntouchedRows(), ElementsAre(0, 1));
  EXPECT_EQ(NearestWeights(kCorners, {}).Rows(), 0U);
}

TEST(NearestWeights, RefusesPlacesThatAreNone) {
  const std::vector<Point> bad{{0, 0}, {0, std::numeric_limits<double>::infinity()}};
  EXPECT_THAT([&] { NearestWeights(bad, kTargets); }, ThrowsMessage<RangeError>(HasSubstr("source point 1")));
  EXPECT_THAT([&] { InverseDistancePlaceWeights(Places(kCorners), Places(bad), {}); },
              ThrowsMessage<RangeError>(HasSubstr("target point 1")));
  EXPECT_THAT([&] { NearestWeights(kCorners, bad); }, ThrowsMessage<RangeError>(HasSubstr("target point 1")));
}

/// Scattered, clustered, on a line, on a lattice full of ties.
std::vector<Point> Scatter(openmi::testing::Random& random, std::size_t count, int kind) {
  std::vector<Point> points(count);
  for (Point& p : points) {
    const double u = random.Uniform(0, 1), v = random.Uniform(0, 1);
    switch (kind) {
      case 0:
        p = {u, v};
        break;
      case 1:
        p = {std::floor(u * 5) + 1e-6 * v, std::floor(v * 5) + 1e-6 * u};
        break;
      case 2:
        p = {u, 2 * u};
        break;
      default:
        p = {std::floor(u * 12), std::floor(v * 12)};
        break;
    }
  }
  return points;
}

TEST(NearestWeights, IsTheLeastOfAllDistances) {
  openmi::testing::Random random;
  for (int round = 0; round < 60; ++round) {
    const std::vector<Point> sources = Scatter(random, 1 + random.Index(400), round % 4);
    const std::vector<Point> targets = Scatter(random, 200, round % 4);
    const SparseRows rows = NearestWeights(sources, targets);
    double largest = 0.0;
    for (const auto* points : {&sources, &targets}) {
      for (Point p : *points) largest = std::max({largest, std::abs(p.x), std::abs(p.y)});
    }
    for (std::size_t t = 0; t < targets.size(); ++t) {
      std::vector<double> distances;
      for (Point s : sources) distances.push_back(std::hypot(s.x - targets[t].x, s.y - targets[t].y));
      const double least = *std::min_element(distances.begin(), distances.end());
      const double slack = 4 * kEpsilon * largest;  // as the header says; distances themselves are rounded
      std::vector<std::uint32_t> expected, possible;
      for (std::uint32_t s = 0; s < sources.size(); ++s) {
        if (distances[s] <= least + slack) expected.push_back(s);
        if (distances[s] <= least + 2 * slack + 1e-14 * least) possible.push_back(s);
      }
      const auto found = rows.ColumnsOf(t);
      ASSERT_THAT(std::vector<std::uint32_t>(found.begin(), found.end()),
                  ::testing::AllOf(::testing::IsSupersetOf(expected), ::testing::IsSubsetOf(possible)));
      for (double weight : rows.WeightsOf(t)) ASSERT_EQ(weight, 1.0 / static_cast<double>(found.size()));
    }
  }
}

TEST(InverseDistancePlaceWeights, ReferenceVectors) {
  const SparseRows rows =
      InverseDistancePlaceWeights(Places(kCorners), Places(kTargets), {.neighbours = 0, .power = 1.0});
  EXPECT_NEAR(rows.WeightsOf(0)[0], 0.56310461156889, 5e-15);
  for (double sum : rows.RowSums()) EXPECT_NEAR(sum, 1.0, 4 * kEpsilon);
  EXPECT_EQ(rows.WeightsOf(1)[2], rows.WeightsOf(1)[3]);
}

TEST(InverseDistancePlaceWeights, SourcesAtTheTargetTakeItAll) {
  const std::vector<Point> sources{{0, 0}, {1, 0}, {0, 0}, {5, 5}};
  const std::vector<Point> targets{{0, 0}};
  for (std::size_t nearest : {0U, 3U}) {
    const SparseRows rows =
        InverseDistancePlaceWeights(Places(sources), Places(targets), {.neighbours = nearest, .power = 1.0});
    EXPECT_THAT(rows.ColumnsOf(0), ElementsAre(0, 2));
    EXPECT_THAT(rows.WeightsOf(0), ElementsAre(0.5, 0.5));
  }
}

TEST(InverseDistancePlaceWeights, PowerTwoWeighsWithTheSquare) {
  const std::vector<Point> sources{{1, 0}, {-2, 0}};
  const SparseRows rows =
      InverseDistancePlaceWeights(Places(sources), std::vector<Point3>(1), {.neighbours = 0, .power = 2.0});
  EXPECT_NEAR(rows.WeightsOf(0)[0], 0.8, kEpsilon);
  EXPECT_THAT([&] { InverseDistancePlaceWeights(Places(sources), Places(sources), {.neighbours = 0, .power = 0.0}); },
              ThrowsMessage<ArgumentError>(HasSubstr("found 0")));
}

TEST(InverseDistancePlaceWeights, TinyDistancesDoNotOverflow) {
  const std::vector<Point> sources{{1e-200, 0}, {-1e-200, 0}, {1, 0}};
  const SparseRows rows =
      InverseDistancePlaceWeights(Places(sources), std::vector<Point3>(1), {.neighbours = 0, .power = 4.0});
  for (double sum : rows.RowSums()) EXPECT_NEAR(sum, 1.0, 4 * kEpsilon);
}

TEST(InverseDistancePlaceWeights, TakesTheNearestOnes) {
  openmi::testing::Random random;
  for (int round = 0; round < 60; ++round) {
    const std::vector<Point> sources = Scatter(random, 20 + random.Index(400), round % 4);
    const std::vector<Point> targets = Scatter(random, 100, round % 4);
    const std::size_t nearest = 1 + random.Index(12);
    const SparseRows rows =
        InverseDistancePlaceWeights(Places(sources), Places(targets), {.neighbours = nearest, .power = 1.0});
    for (std::size_t t = 0; t < targets.size(); ++t) {
      std::vector<std::pair<double, std::uint32_t>> all;
      for (std::uint32_t s = 0; s < sources.size(); ++s) {
        const double dx = targets[t].x - sources[s].x, dy = targets[t].y - sources[s].y;
        all.push_back({dx * dx + dy * dy, s});
      }
      std::sort(all.begin(), all.end());
      all.resize(nearest);
      if (all[0].first == 0.0) std::erase_if(all, [](const auto& n) { return n.first > 0.0; });
      std::vector<std::uint32_t> expected;
      for (const auto& n : all) expected.push_back(n.second);
      std::sort(expected.begin(), expected.end());
      ASSERT_THAT(rows.ColumnsOf(t), ::testing::ElementsAreArray(expected));
      ASSERT_NEAR(rows.RowSums()[t], 1.0, 16 * kEpsilon);
    }
  }
}

}  // namespace
}  // namespace openmi
