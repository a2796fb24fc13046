#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "adaptors/kernels/BoxIndex.hpp"
#include "tests/adaptors/Random.hpp"

namespace openmi {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

template <typename Index>
std::vector<std::size_t> Overlapping(const Index& index, const Box& box) {
  std::vector<std::size_t> found;
  index.Overlapping(box, [&](std::size_t item) { found.push_back(item); });
  std::sort(found.begin(), found.end());
  return found;
}

/// Places of the kinds that break plain grids: scattered, in tight clusters, on a line, on a lattice, all at one place.
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

/// Rectangles about such places: points, all of one size, of any size.
std::vector<Box> Scattered(openmi::testing::Random& random, int kind) {
  std::vector<Box> boxes(1 + random.Index(900));
  const std::size_t form = random.Index(3);
  const double width = random.Uniform(0.0, 0.1), height = random.Uniform(0.0, 0.1);
  for (Box& box : boxes) {
    box.Add(Scatter(random, kind));
    if (form == 1) box.Add(Point{box.x0 + width * random.Uniform(0.5, 1), box.y0 + height});
    if (form == 2) box.Add(Point{box.x0 + std::pow(random.Uniform(0, 1), 8), box.y0 + random.Uniform(0, 0.1)});
  }
  return boxes;
}

/// What the tree, and the choice of tree and grid, must do alike.
template <typename Index>
class BoxIndices : public ::testing::Test {};
using Indices = ::testing::Types<BoxTree, BoxIndex>;
TYPED_TEST_SUITE(BoxIndices, Indices);

TYPED_TEST(BoxIndices, EmptyFindsNothing) {
  const TypeParam tree{std::span<const Box>{}};
  EXPECT_THAT(Overlapping(tree, {0, 0, 1, 1}), IsEmpty());
  tree.Near(
      {0, 0}, [] { return 1e300; }, [](std::size_t, double) { FAIL(); });
}

TYPED_TEST(BoxIndices, TouchingCounts) {
  const std::vector<Box> boxes{{0, 0, 1, 1}, {1, 0, 2, 1}, {1.5, 1, 2, 2}};
  const TypeParam tree(boxes);
  EXPECT_THAT(Overlapping(tree, {1, 1, 1, 1}), ElementsAre(0, 1));
  EXPECT_THAT(Overlapping(tree, {1.25, 0.5, 1.75, 3}), ElementsAre(1, 2));
  EXPECT_THAT(Overlapping(tree, {2.5, 0, 3, 1}), IsEmpty());
}

TYPED_TEST(BoxIndices, FindsWhatAllAgainstAllFinds) {
  openmi::testing::Random random;
  for (int round = 0; round < 200; ++round) {
    const std::vector<Box> boxes = Scattered(random, round % 5);
    const TypeParam tree(boxes);
    for (int question = 0; question < 50; ++question) {
      Box asked;
      asked.Add(Scatter(random, round % 5));
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

TYPED_TEST(BoxIndices, NearVisitsEverythingWithinTheLimit) {
  openmi::testing::Random random;
  for (int round = 0; round < 200; ++round) {
    const std::vector<Box> boxes = Scattered(random, round % 5);
    const TypeParam tree(boxes);
    for (int question = 0; question < 50; ++question) {
      const Point p = Scatter(random, round % 5);
      double best = std::numeric_limits<double>::infinity();
      tree.Near(
          p, [&] { return best; }, [&](std::size_t, double square) { best = std::min(best, square); });
      double expected = std::numeric_limits<double>::infinity();
      for (const Box& box : boxes) {
        const double dx = std::max({box.x0 - p.x, p.x - box.x1, 0.0}), dy = std::max({box.y0 - p.y, p.y - box.y1, 0.0});
        expected = std::min(expected, dx * dx + dy * dy);
      }
      ASSERT_EQ(best, expected);
    }
  }
}

TEST(BoxGrid, ServesWhatIsSpreadEvenlyAndNothingElse) {
  openmi::testing::Random random;
  Crew crew(2);
  const auto made = [&](int kind) {
    std::vector<Box> boxes(900);
    for (Box& box : boxes) box.Add(Scatter(random, kind));
    return BoxGrid::TryMake(boxes, crew).has_value();
  };
  EXPECT_TRUE(made(0)) << "scattered";
  EXPECT_FALSE(made(1)) << "clusters";
  EXPECT_FALSE(made(4)) << "one place";
  std::vector<Box> lattice(900);
  for (std::size_t i = 0; i < 900; ++i)
    lattice[i].Add(Point{1e5 + static_cast<double>(i % 30), static_cast<double>(i / 30)});
  EXPECT_TRUE(BoxGrid::TryMake(lattice, crew).has_value());
  std::vector<Box> cells;
  for (int i = 0; i < 400; ++i) cells.push_back({i % 20 + 0.0, i / 20 + 0.0, i % 20 + 1.0, i / 20 + 1.0});
  EXPECT_TRUE(BoxGrid::TryMake(cells, crew).has_value());
  cells.push_back({0, 0, 20, 20});
  EXPECT_FALSE(BoxGrid::TryMake(cells, crew).has_value()) << "one much larger";
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
