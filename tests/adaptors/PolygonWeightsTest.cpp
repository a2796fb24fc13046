#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "adaptors/kernels/PolygonClip.hpp"
#include "adaptors/kernels/PolygonWeights.hpp"
#if defined(OPENMI_HAS_GEOS)
#include "bench/spatial/GeosOverlaps.hpp"
#endif
#include "openmi/sdk/Error.hpp"
#include "tests/adaptors/Grids.hpp"
#include "tests/adaptors/Random.hpp"
#include "tests/support/Epsilon.hpp"

namespace openmi {
namespace {

using ::openmi::testing::Grid;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

double Weight(const SparseRows& rows, std::size_t target, std::size_t source) {
  for (std::size_t k = 0; k < rows.ColumnsOf(target).size(); ++k) {
    if (rows.ColumnsOf(target)[k] == source) return rows.WeightsOf(target)[k];
  }
  return 0.0;
}

SparseRows Weights(const Polygons& source, const Polygons& target, PolygonWeightKind kind) {
  return MakePolygonWeights(FindOverlaps(source.View(), target.View()), kind);
}

Polygons TwoSquares() {
  Polygons squares;
  squares.Add(std::vector<Point>{{0, 0}, {10, 0}, {10, 10}, {0, 10}});
  squares.Add(std::vector<Point>{{10, 0}, {20, 0}, {20, 10}, {10, 10}});
  return squares;
}

Polygons Triangle() {
  Polygons triangle;
  triangle.Add(std::vector<Point>{{5, 9}, {5, 1}, {15, 5}});
  return triangle;
}

TEST(PolygonWeights, ReferenceVectors) {
  const double tolerance = 8 * kEpsilon;
  const SparseRows mean = Weights(Triangle(), TwoSquares(), PolygonWeightKind::Mean);
  EXPECT_NEAR(Weight(mean, 0, 0), 1.0, tolerance);
  EXPECT_NEAR(Weight(mean, 1, 0), 1.0, tolerance);
  const SparseRows sum = Weights(Triangle(), TwoSquares(), PolygonWeightKind::Sum);
  EXPECT_NEAR(Weight(sum, 0, 0), 0.3, tolerance);
  EXPECT_NEAR(Weight(sum, 1, 0), 0.1, tolerance);
  for (PolygonWeightKind kind : {PolygonWeightKind::Mean, PolygonWeightKind::Sum}) {
    const SparseRows back = Weights(TwoSquares(), Triangle(), kind);
    EXPECT_NEAR(Weight(back, 0, 0), 0.75, tolerance);
    EXPECT_NEAR(Weight(back, 0, 1), 0.25, tolerance);
  }
  const SparseRows distribute = Weights(TwoSquares(), Triangle(), PolygonWeightKind::Distribute);
  EXPECT_NEAR(Weight(distribute, 0, 0), 0.3, tolerance);
  EXPECT_NEAR(Weight(distribute, 0, 1), 0.1, tolerance);
}

TEST(PolygonWeights, TargetsWithoutOverlapHaveNoWeightsAndAreListed) {
  Polygons targets = Triangle();
  targets.Add(std::vector<Point>{{100, 0}, {101, 0}, {100, 1}});
  const SparseRows mean = Weights(TwoSquares(), targets, PolygonWeightKind::Mean);
  EXPECT_THAT(mean.UntouchedRows(), ElementsAre(1));
  EXPECT_THAT(FindOverlaps(TwoSquares().View(), targets.View()).TargetCover(),
              ElementsAre(::testing::DoubleEq(1.0), 0.0));
  EXPECT_THAT(Weights(TwoSquares(), Polygons(), PolygonWeightKind::Mean).ColumnSums(), ElementsAre(0.0, 0.0));
  EXPECT_THAT(Weights(Polygons(), TwoSquares(), PolygonWeightKind::Sum).UntouchedRows(), ElementsAre(0, 1));
}

TEST(PolygonWeights, NamesTheSideAndTheIndexOfAPolygonWithoutArea) {
  Polygons flat = TwoSquares();
  flat.Add(std::vector<Point>{{0, 0}, {1, 1}, {2, 2}});
  EXPECT_THAT([&] { FindOverlaps(flat.View(), Triangle().View()); },
              ThrowsMessage<RangeError>(HasSubstr("source polygon 2")));
  EXPECT_THAT([&] { FindOverlaps(Triangle().View(), flat.View(), 3); },
              ThrowsMessage<RangeError>(AllOf(HasSubstr("target polygon 2"), HasSubstr("area above 0"))));
}

// 8 x 8 onto 5 x 5 over the same square, where the reference mapper fails: the common area of two cells is the product
// of the common lengths along both axes.
TEST(PolygonWeights, EightOntoFive) {
  for (double scale : {1e-6, 1e-4, 1e-3, 1.0, 1e7}) {
    const auto place = [&](double u, double v) { return Point{scale * u, scale * v}; };
    const Polygons eight = Grid(8, 8, place);
    const Polygons five = Grid(5, 5, place);
    const PolygonOverlaps overlaps = FindOverlaps(eight.View(), five.View());
    const auto common = [](std::size_t s, std::size_t t) {
      const double from = std::max(static_cast<double>(s) / 8, static_cast<double>(t) / 5);
      const double to = std::min(static_cast<double>(s + 1) / 8, static_cast<double>(t + 1) / 5);
      return std::max(to - from, 0.0);
    };
    for (std::size_t t = 0; t < 25; ++t) {
      EXPECT_EQ(overlaps.areas.ColumnsOf(t).size(), (t % 5 % 2 == 1 ? 3U : 2U) * (t / 5 % 2 == 1 ? 3U : 2U));
      for (std::size_t s = 0; s < 64; ++s) {
        const double expected = common(s % 8, t % 5) * common(s / 8, t / 5) * scale * scale;
        EXPECT_NEAR(Weight(overlaps.areas, t, s), expected, 1e-14 * scale * scale) << "cells " << s << " and " << t;
      }
    }
    for (double sum : MakePolygonWeights(overlaps, PolygonWeightKind::Mean).RowSums()) EXPECT_NEAR(sum, 1.0, 1e-14);
    for (double sum : MakePolygonWeights(overlaps, PolygonWeightKind::Sum).RowSums()) EXPECT_NEAR(sum, 1.0, 1e-13);
    for (double sum : MakePolygonWeights(overlaps, PolygonWeightKind::Distribute).ColumnSums())
      EXPECT_NEAR(sum, 1.0, 1e-13);
  }
}

TEST(PolygonWeights, TotalOverlapOfAGridAndItsRotation) {
  const double angle = std::numbers::pi / 6;
  const auto straight = [](double u, double v) { return Point{u, v}; };
  const auto rotated = [&](double u, double v) {
    const double x = u - 0.5, y = v - 0.5;
    return Point{0.5 + x * std::cos(angle) - y * std::sin(angle), 0.5 + x * std::sin(angle) + y * std::cos(angle)};
  };
  for (std::size_t n : {10U, 100U}) {
    const PolygonOverlaps overlaps = FindOverlaps(Grid(n, n, straight).View(), Grid(n, n, rotated).View());
    double total = 0.0;
    for (double area : overlaps.areas.AllWeights()) total += area;
    EXPECT_NEAR(total, 2.0 / (1.0 + std::sin(angle) + std::cos(angle)), 1e-12);
  }
}

struct Frame {
  double scale;
  double offset;
  std::size_t bends;
};

class PolygonTilings : public ::testing::TestWithParam<Frame> {};

// Two tilings of one square, one of them finer and both bent: whatever scale and offset, every source is used up and
// every target filled, to 1e-12 plus what the coordinates themselves cannot resolve.
TEST_P(PolygonTilings, FillEveryTargetAndUseUpEverySource) {
  const Frame frame = GetParam();
  const auto place = [&](double u, double v) {
    // Sheared, so that no edge runs along an axis; affine, so that both rims stay the same straight lines.
    return Point{frame.offset + frame.scale * (u + 0.3 * v), frame.offset + frame.scale * (v - 0.2 * u)};
  };
  const std::size_t n = 11, m = 7;
  const double depth = 0.6 / static_cast<double>(frame.bends + 1);  // deeper, and edges would cross near the corners
  const PolygonOverlaps overlaps =
      FindOverlaps(Grid(n, n, place, frame.bends, depth).View(), Grid(m, m, place, frame.bends, depth).View());
  const double cell = frame.scale / static_cast<double>(n);
  const double tolerance = 1e-12 + 4 * kEpsilon * (std::abs(frame.offset) + 2 * frame.scale) / cell;
  for (double cover : overlaps.TargetCover()) EXPECT_NEAR(cover, 1.0, tolerance);
  for (double cover : overlaps.SourceCover()) EXPECT_NEAR(cover, 1.0, tolerance);
  for (double sum : MakePolygonWeights(overlaps, PolygonWeightKind::Mean).RowSums()) EXPECT_NEAR(sum, 1.0, 1e-14);
}

std::vector<Frame> Frames() {
  std::vector<Frame> frames;
  for (std::size_t bends : {0U, 1U, 5U}) {
    for (double scale : {1e-6, 1e-3, 1.0, 1e3, 1e7}) {
      for (double offset : {0.0, 1.0, -1e5, 1e7}) frames.push_back({scale, offset, bends});
    }
  }
  return frames;
}

INSTANTIATE_TEST_SUITE_P(ScalesAndOffsets, PolygonTilings, ::testing::ValuesIn(Frames()),
                         [](const auto& test) { return "frame" + std::to_string(test.index); });

// Polygons of all sizes in one set, among them one with many corners: the index finds what all against all finds.
TEST(PolygonWeights, FindsWhatAllAgainstAllFindsOnAnyNumberOfThreads) {
  openmi::testing::Random random;
  const auto make = [&](std::size_t count) {
    Polygons polygons;
    for (std::size_t i = 0; i < count; ++i) {
      const Point centre{random.Uniform(0, 1), random.Uniform(0, 1)};
      const double size = i == 0 ? 0.7 : std::pow(10.0, random.Uniform(-3, -0.5));
      const std::size_t corners = i == 0 ? 300 : 3 + random.Index(12);
      for (std::size_t k = 0; k < corners; ++k) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(corners);
        const double radius = size * random.Uniform(0.3, 1);
        polygons.AddVertex(centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle));
      }
      polygons.EndRing();
      polygons.EndPolygon();
    }
    return polygons;
  };
  const Polygons source = make(150), target = make(120);
  const PolygonOverlaps overlaps = FindOverlaps(source.View(), target.View());
  OverlapFinder finder;
  PreparedPolygon s, t;
  for (std::size_t j = 0; j < target.Count(); ++j) {
    t.Prepare(target.View(), j);
    std::vector<double> expected(source.Count());
    std::vector<double> found(source.Count(), 0.0);
    for (std::size_t i = 0; i < source.Count(); ++i) {
      s.Prepare(source.View(), i);
      expected[i] = finder.Area(s, t);
    }
    for (std::size_t k = 0; k < overlaps.areas.ColumnsOf(j).size(); ++k) {
      found[overlaps.areas.ColumnsOf(j)[k]] = overlaps.areas.WeightsOf(j)[k];
    }
    ASSERT_EQ(found, expected);
  }
  for (unsigned threads : {2U, 3U, 500U}) {
    const PolygonOverlaps again = FindOverlaps(source.View(), target.View(), threads);
    EXPECT_THAT(again.areas.AllWeights(), ::testing::ElementsAreArray(overlaps.areas.AllWeights()));
    EXPECT_THAT(again.areas.AllColumns(), ::testing::ElementsAreArray(overlaps.areas.AllColumns()));
    EXPECT_THAT(again.areas.Starts(), ::testing::ElementsAreArray(overlaps.areas.Starts()));
    EXPECT_EQ(again.target_areas, overlaps.target_areas);
    EXPECT_EQ(again.source_areas, overlaps.source_areas);
  }
}

#if defined(OPENMI_HAS_GEOS)
// Stars with holes and concave tilings: each common area is that of GEOS, to 1e-12 of the smaller polygon.
TEST(PolygonWeights, AreThoseOfGeos) {
  openmi::testing::Random random;
  const auto star = [&](Polygons& polygons, Point centre, double size, bool hole) {
    const std::size_t corners = 3 + random.Index(20);
    for (std::size_t k = 0; k < corners; ++k) {
      const double angle = 2 * std::numbers::pi * (static_cast<double>(k) + 0.1) / static_cast<double>(corners);
      const double radius = size * (hole ? 0.15 : random.Uniform(0.4, 1));  // a hole lies inside
      polygons.AddVertex(centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle));
    }
    polygons.EndRing(hole);
  };
  const auto stars = [&] {
    Polygons polygons;
    for (int i = 0; i < 60; ++i) {
      const Point centre{random.Uniform(0, 1), random.Uniform(0, 1)};
      const double size = random.Uniform(0.02, 0.3);
      star(polygons, centre, size, false);
      if (i % 2 == 0) star(polygons, centre, size, true);
      polygons.EndPolygon();
    }
    return polygons;
  };
  const auto tiling = [&](std::size_t n) {
    return Grid(
        n, n,
        [](double u, double v) {
          return Point{u + 0.3 * v, v - 0.2 * u};
        },
        2, 0.2);
  };
  std::size_t pairs = 0;
  for (const auto& [source, target] : {std::pair(stars(), stars()), {tiling(9), tiling(7)}, {stars(), tiling(11)}}) {
    const PolygonOverlaps overlaps = FindOverlaps(source.View(), target.View());
    std::vector<std::vector<double>> theirs(target.Count(), std::vector<double>(source.Count(), 0.0));
    bench::GeosOverlaps().Each(source.View(), target.View(),
                               [&](std::size_t s, std::size_t t, double area) { theirs[t][s] = area; });
    for (std::size_t t = 0; t < target.Count(); ++t) {
      std::vector<double> ours(source.Count(), 0.0);
      for (std::size_t k = 0; k < overlaps.areas.ColumnsOf(t).size(); ++k) {
        ours[overlaps.areas.ColumnsOf(t)[k]] = overlaps.areas.WeightsOf(t)[k];
      }
      for (std::size_t s = 0; s < ours.size(); ++s) {
        const double smaller = std::min(overlaps.source_areas[s], overlaps.target_areas[t]);
        ASSERT_NEAR(ours[s], theirs[t][s], 1e-12 * smaller) << s << ' ' << t;
        pairs += ours[s] > 0.0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(pairs, 1000U);
}
#endif

}  // namespace
}  // namespace openmi
