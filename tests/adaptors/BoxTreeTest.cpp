#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "adaptors/kernels/BoxTree.hpp"
#include "tests/adaptors/Random.hpp"

namespace openmi {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::size_t> Overlapping(const BoxTree& tree, const Box& box) {
  std::vector<std::size_t> found;
  tree.Overlapping(box, [&](std::size_t item) { found.push_back(item); });
  std::sort(found.begin(), found.end());
  return found;
}

/// Places of the kinds that break plain grids: scattered, in tight clusters, on a line, all at one place.
Point Scatter(openmi::testing::Random& random, int kind) {
  const double u = random.Uniform(0, 1), v = random.Uniform(0, 1);
  switch (kind) {
    case 0:
      return {u, v};
    case 1:
      return {std::floor(u * 10) + 1e-9 * v, std::floor(v * 10) + 1e-9 * u};
    case 2:
      return {1e7 + u, 1e7 - 2 * u};
    default:
      return {3.0, 4.0};
  }
}

TEST(BoxTree, EmptyFindsNothing) {
  const BoxTree tree{std::span<const Box>{}};
  EXPECT_THAT(Overlapping(tree, {0, 0, 1, 1}), IsEmpty());
  tree.Near(
      {0, 0}, [] { return 1e300; }, [](std::size_t, double) { FAIL(); });
}

TEST(BoxTree, TouchingCounts) {
  const std::vector<Box> boxes{{0, 0, 1, 1}, {1, 0, 2, 1}, {1.5, 1, 2, 2}};
  const BoxTree tree(boxes);
  EXPECT_THAT(Overlapping(tree, {1, 1, 1, 1}), ElementsAre(0, 1));
  EXPECT_THAT(Overlapping(tree, {1.25, 0.5, 1.75, 3}), ElementsAre(1, 2));
  EXPECT_THAT(Overlapping(tree, {2.5, 0, 3, 1}), IsEmpty());
}

TEST(BoxTree, FindsWhatAllAgainstAllFinds) {
  openmi::testing::Random random;
  for (int round = 0; round < 80; ++round) {
    std::vector<Box> boxes(1 + random.Index(900));
    for (Box& box : boxes) {
      box.Add(Scatter(random, round % 4));
      if (random.Chance(0.5))
        box.Add(Point{box.x0 + std::pow(random.Uniform(0, 1), 8), box.y0 + random.Uniform(0, 0.1)});
    }
    const BoxTree tree(boxes);
    for (int question = 0; question < 50; ++question) {
      Box asked;
      asked.Add(Scatter(random, round % 4));
      asked.Add(Point{asked.x0 + random.Uniform(0, 0.3), asked.y0 + random.Uniform(0, 0.3)});
      std::vector<std::size_t> expected;
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Box common = boxes[i].Common(asked);
        if (common.Width() >= 0 && common.Height() >= 0) expected.push_back(i);
      }
      ASSERT_EQ(Overlapping(tree, asked), expected);
    }
  }
}

TEST(BoxTree, NearVisitsEverythingWithinTheLimit) {
  openmi::testing::Random random;
  for (int round = 0; round < 80; ++round) {
    std::vector<Box> boxes(1 + random.Index(900));
    for (Box& box : boxes) box.Add(Scatter(random, round % 4));
    const BoxTree tree(boxes);
    for (int question = 0; question < 50; ++question) {
      const Point p = Scatter(random, round % 4);
      double best = std::numeric_limits<double>::infinity();
      tree.Near(
          p, [&] { return best; }, [&](std::size_t, double square) { best = std::min(best, square); });
      double expected = std::numeric_limits<double>::infinity();
      for (const Box& box : boxes) {
        expected = std::min(expected, (box.x0 - p.x) * (box.x0 - p.x) + (box.y0 - p.y) * (box.y0 - p.y));
      }
      ASSERT_EQ(best, expected);
    }
  }
}

TEST(CurveOrder, KeepsNeighboursTogether) {
  std::vector<Point> points;
  for (int i = 0; i < 64 * 64; ++i)
    points.push_back({static_cast<double>((i * 37) % 64), static_cast<double>(((i * 37) / 64) % 64)});
  const std::vector<std::uint32_t> order = CurveOrder(points);
  std::vector<std::uint32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], i);
  double way = 0.0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    way += std::hypot(points[order[i]].x - points[order[i - 1]].x, points[order[i]].y - points[order[i - 1]].y);
  }
  // The Z curve of a square of 2^n cells: steps of 1 and sqrt(2) by turns, then longer ones ever more seldom; 1.7 on
  // average.
  EXPECT_LT(way / static_cast<double>(points.size()), 1.8);
}

}  // namespace
}  // namespace openmi
