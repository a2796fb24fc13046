// Points and lines in polygons, lines along lines, second-order means: sums and symmetries that hold in any geometry.

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "adaptors/kernels/AlongMeasure.hpp"
#include "adaptors/kernels/Lines.hpp"
#include "adaptors/kernels/PointsInPolygons.hpp"
#include "adaptors/kernels/PolygonClip.hpp"
#include "adaptors/kernels/PolygonWeights.hpp"
#include "adaptors/kernels/SecondOrder.hpp"
#include "adaptors/kernels/Slopes.hpp"
#include "adaptors/kernels/SphereMean.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/adaptors/Grids.hpp"
#include "tests/adaptors/Random.hpp"

namespace openmi {
namespace {

using openmi::testing::Grid;
using openmi::testing::Random;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A frame of coordinates: how large a unit is, and how far from the origin.
struct Frame {
  double scale;
  double offset;
  Point operator()(double u, double v) const {
    return {offset + scale * (u + 0.2 * v), offset + scale * (v - 0.1 * u)};
  }
  /// What coordinates resolve of a cell, and some roundings more.
  double Slack() const { return 1e-12 + 64 * 2.3e-16 * (std::abs(offset) / scale + 2) * 11; }
};
const std::vector<Frame> kFrames{{1, 0}, {1e-6, 0}, {1e7, 0}, {1, 1e5}, {100, -1e7}};

struct Lines {
  std::vector<Point> points;
  std::vector<std::uint32_t> starts{0};
  void Add(const std::vector<Point>& line) {
    points.insert(points.end(), line.begin(), line.end());
    starts.push_back(static_cast<std::uint32_t>(points.size()));
  }
  LinesView View() const { return {points, starts}; }
};

TEST(LinesInPolygons, EveryStretchIsInSomeCellOfATiling) {
  Random random;
  for (const Frame& frame : kFrames) {
    for (const std::size_t bends : {0U, 3U}) {
      const Polygons cells = Grid(11, 11, frame, bends, 0.15);
      Lines lines;
      for (int i = 0; i < 40; ++i) {
        std::vector<Point> line;
        for (int k = 0; k < 6; ++k) line.push_back(frame(random.Uniform(0.01, 0.99), random.Uniform(0.01, 0.99)));
        lines.Add(line);
      }
      lines.Add({frame(0, 3.0 / 11), frame(1, 3.0 / 11)});                // along edges, where the cells are squares
      lines.Add({frame(2.0 / 11, 2.0 / 11), frame(9.0 / 11, 9.0 / 11)});  // through corners
      const std::vector<double> lengths = LineLengths(lines.View());
      const std::vector<double> found = LengthsInPolygons(lines.View(), cells.View()).ColumnSums();
      for (std::size_t i = 0; i < lengths.size(); ++i) EXPECT_NEAR(found[i] / lengths[i], 1.0, frame.Slack()) << i;
    }
  }
}

TEST(LinesInPolygons, AStretchOnAnOuterRimCountsHalf) {
  Polygons square;
  square.Add(std::vector<Point>{{0, 0}, {4, 0}, {4, 4}, {0, 4}});
  Lines lines;
  lines.Add({{-1, 0}, {3, 0}, {3, 2}});
  const SparseRows found = LengthsInPolygons(lines.View(), square.View());
  EXPECT_NEAR(found.WeightsOf(0)[0], 0.5 * 3 + 2, 1e-14);
}

TEST(LinesInPolygons, KnowHolesAndParts) {
  Polygons ring;
  for (const auto& [x, y] : {std::pair{0, 0}, {4, 0}, {4, 4}, {0, 4}}) ring.AddVertex(x, y);
  ring.EndRing();
  for (const auto& [x, y] : {std::pair{1, 1}, {1, 3}, {3, 3}, {3, 1}}) ring.AddVertex(x, y);
  ring.EndRing(true);
  for (const auto& [x, y] : {std::pair{6, 0}, {8, 0}, {8, 4}, {6, 4}}) ring.AddVertex(x, y);
  ring.EndRing();
  ring.EndPolygon();
  Lines lines;
  lines.Add({{-1, 2}, {10, 2}});
  EXPECT_NEAR(LengthsInPolygons(lines.View(), ring.View()).WeightsOf(0)[0], 1 + 1 + 2, 1e-14);
}

TEST(LinesAlongLines, TurnTheirSignWithTheDirectionAtAnyScale) {
  for (const Frame& frame : kFrames) {
    Lines river, reaches, turned;
    std::vector<Point> all;
    for (int i = 0; i <= 20; ++i) all.push_back(frame(0.05 * i, 0.2 * std::sin(0.3 * i)));
    river.Add(all);
    for (std::size_t i = 0; i < 20; i += 4) {
      const std::vector<Point> part(all.begin() + static_cast<std::ptrdiff_t>(i),
                                    all.begin() + static_cast<std::ptrdiff_t>(i) + 5);
      reaches.Add(part);
      turned.Add({part.rbegin(), part.rend()});
    }
    const SparseRows with = LengthsAlongLines(river.View(), reaches.View());
    const SparseRows against = LengthsAlongLines(river.View(), turned.View());
    const std::vector<double> lengths = LineLengths(reaches.View());
    for (std::size_t t = 0; t < lengths.size(); ++t) {
      ASSERT_EQ(with.WeightsOf(t).size(), 1U);
      EXPECT_NEAR(with.WeightsOf(t)[0] / lengths[t], 1.0, frame.Slack());
      EXPECT_NEAR(against.WeightsOf(t)[0] / lengths[t], -1.0, frame.Slack());
    }
  }
  Lines one, beside;
  one.Add({{0, 0}, {4, 0}});
  beside.Add({{0, 1e-3}, {4, 1e-3}});
  beside.Add({{2, 0}, {2, 4}});
  beside.Add({{4, 0}, {8, 0}});
  EXPECT_EQ(LengthsAlongLines(one.View(), beside.View()).WeightCount(), 0U);
}

TEST(PointsInPolygons, CountOnceInATilingAlsoOnEdgesAndCorners) {
  Random random;
  const auto plain = [](double u, double v) { return Point{8 * u, 8 * v}; };  // the lines lie on whole numbers
  const Polygons cells = Grid(8, 8, plain);
  std::vector<Point> points;
  for (int i = 0; i < 10000; ++i)
    points.push_back({std::floor(random.Uniform(0, 17)) / 2, std::floor(random.Uniform(0, 17)) / 2});
  EXPECT_THAT(PointsInPolygons(points, cells.View(), InPolygon::Sum).ColumnSums(), Each(1.0));
  EXPECT_THAT(PolygonsAtPoints(cells.View(), points).RowSums(), Each(DoubleNear(1.0, 1e-15)));
  for (const double sum : PointsInPolygons(points, cells.View(), InPolygon::Mean).RowSums())
    EXPECT_NEAR(sum, 1.0, 1e-13);
}

TEST(BodiesAtPoints, ATetrahedronHoldsTheFourthPartsOfItsSides) {
  const Point3 a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0}, d{0, 0, 1};
  const std::vector<Body> body{{{{a, c, b}, {a, b, d}, {b, c, d}, {a, d, c}}}};
  Random random;
  for (int i = 0; i < 10000; ++i) {
    const Point3 p{random.Uniform(-0.5, 1), random.Uniform(-0.5, 1), random.Uniform(-0.5, 1)};
    const bool inside = p.x > 0 && p.y > 0 && p.z > 0 && p.x + p.y + p.z < 1;
    ASSERT_EQ(BodiesAtPoints(body, std::span(&p, 1)).WeightCount(), inside ? 1U : 0U);
  }
}

TEST(OverlapFinder, CentroidsOfPartsAddUpToThatOfTheWhole) {
  for (const std::size_t bends : {0U, 4U}) {
    for (const Frame& frame : kFrames) {
      const Polygons small = Grid(7, 7, frame, bends, 0.1);
      Polygons large;
      large.Add(std::vector<Point>{frame(0.13, 0.2), frame(0.9, 0.11), frame(0.55, 0.5), frame(0.7, 0.93)});  // concave
      const Point whole = PolygonCentroids(large.View())[0];
      PreparedPolygon cell, target;
      target.Prepare(large.View(), 0);
      OverlapFinder finder;
      double area = 0, x = 0, y = 0;
      for (std::size_t i = 0; i < small.Count(); ++i) {
        cell.Prepare(small.View(), i);
        const OverlapFinder::Overlap overlap = finder.AreaAndCentroid(cell, target);
        EXPECT_NEAR(overlap.area, finder.Area(cell, target), 1e-14 * cell.area + 1e-12 * cell.area);
        area += overlap.area;
        x += overlap.area * (overlap.centroid.x - whole.x);
        y += overlap.area * (overlap.centroid.y - whole.y);
      }
      EXPECT_NEAR(area / target.area, 1.0, frame.Slack());
      EXPECT_NEAR(x / target.area / frame.scale, 0.0, frame.Slack());
      EXPECT_NEAR(y / target.area / frame.scale, 0.0, frame.Slack());
    }
  }
}

TEST(SecondOrder, IsExactForLinearFunctionsAndKeepsTotalsAtAnyScale) {
  for (const Frame& frame : kFrames) {
    const Polygons source = Grid(9, 9, frame, 2, 0.1), target = Grid(6, 6, frame, 1, 0.1);
    const SecondOrderResult result = SecondOrderWeights(source.View(), target.View());
    const auto linear = [&](Point p) {
      return 1 + 2 * (p.x - frame.offset) / frame.scale - 3 * (p.y - frame.offset) / frame.scale;
    };
    std::vector<double> in, got(target.Count());
    for (const Point& c : PolygonCentroids(source.View())) in.push_back(linear(c));
    result.weights.Apply(in, got);
    const std::vector<Point> centroids = PolygonCentroids(target.View());
    for (std::size_t t = 0; t < got.size(); ++t) EXPECT_NEAR(got[t], linear(centroids[t]), 20 * frame.Slack());
    EXPECT_THAT(result.weights.RowSums(), Each(DoubleNear(1.0, 1e-14)));
    // Totals of anything: the areas that targets take from each source are its own.
    const std::vector<double> source_areas = PolygonAreas(source.View()), target_areas = PolygonAreas(target.View());
    std::vector<double> taken(source.Count(), 0.0);
    for (std::size_t t = 0; t < got.size(); ++t) {
      for (std::size_t k = 0; k < result.weights.ColumnsOf(t).size(); ++k) {
        taken[result.weights.ColumnsOf(t)[k]] += target_areas[t] * result.weights.WeightsOf(t)[k];
      }
    }
    for (std::size_t s = 0; s < taken.size(); ++s) EXPECT_NEAR(taken[s] / source_areas[s], 1.0, 20 * frame.Slack());
  }
}

TEST(Slopes, OfAGridAreCentralDifferencesAndOneSidedOnesExactForSquares) {
  const Polygons grid = Grid(5, 5, [](double u, double v) { return Point{5 * u, 5 * v}; });
  std::vector<Point3> places;
  for (const Point& c : PolygonCentroids(grid.View())) places.push_back({c.x, c.y, 0});
  Crew alone, two(2);
  const Slopes slopes(grid.View(), places, Space::Plane, alone), again(grid.View(), places, Space::Plane, two);
  const Slopes::Slope inner = slopes.Of(12);
  EXPECT_THAT(inner.cells, ElementsAre(7, 11, 13, 17, 12));
  EXPECT_THAT(inner.first, ElementsAre(DoubleNear(0, 1e-15), DoubleNear(-0.5, 1e-15), DoubleNear(0.5, 1e-15),
                                       DoubleNear(0, 1e-15), DoubleNear(0, 1e-15)));
  for (std::size_t s = 0; s < places.size(); ++s) {
    double x = 0, y = 0;
    const Slopes::Slope slope = slopes.Of(s);
    for (std::size_t i = 0; i < slope.cells.size(); ++i) {
      const Point3 p = places[slope.cells[i]];
      x += slope.first[i] * (p.x * p.x - 2 * p.x * p.y);
      y += slope.second[i] * (p.x * p.x - 2 * p.x * p.y);
    }
    EXPECT_NEAR(x, 2 * places[s].x - 2 * places[s].y, 1e-12) << s;
    EXPECT_NEAR(y, -2 * places[s].x, 1e-12) << s;
    EXPECT_THAT(again.Of(s).first, ElementsAreArray(slope.first));
  }
}

/// The mean place of a polygon, and its area in the plane.
std::pair<Point3, double> MeanPlace(const PolygonsView& polygons, std::size_t index, const EqualAreaSphere& sphere) {
  PreparedPolygon polygon;
  polygon.Prepare(polygons, index);
  SphereMean sum(sphere, {polygon.box.x0, polygon.box.y0});
  const auto count = static_cast<std::uint32_t>(polygon.points.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    sum.Add(-polygon.rings[0].sign, polygon.points[i], polygon.points[(i + 1) % count]);
  }
  return {sum.Of(polygon.area), polygon.area};
}

TEST(SphereMean, IsThatOfTheFigureAtAnySize) {
  const EqualAreaSphere sphere{2, 3};
  const auto mean = [&](const std::vector<Point>& ring) {
    Polygons polygons;
    polygons.Add(ring);
    return MeanPlace(polygons.View(), 0, sphere);
  };
  const auto near = [](Point3 a, Point3 b, double by) {
    EXPECT_LT(Norm(a - b), by) << a.x << ' ' << a.y << ' ' << a.z;
  };
  constexpr double pi = std::numbers::pi;
  near(mean({{0, 0}, {4 * pi, 0}, {4 * pi, 3}, {0, 3}}).first, {0, 0, 0.5}, 1e-13);  // half the sphere
  near(mean({{0, 0}, {pi, 0}, {pi, 3}, {0, 3}}).first, {0.5, 0.5, 0.5}, 1e-13);      // an eighth
  // Cut aslant, the parts add up to the whole.
  const auto [low, low_area] = mean({{0, 0}, {pi, 0}, {pi, 1}, {0, 2}});
  const auto [high, high_area] = mean({{0, 2}, {pi, 1}, {pi, 3}, {0, 3}});
  near((1 / (low_area + high_area)) * (low_area * low + high_area * high), {0.5, 0.5, 0.5}, 1e-10);
  // Of a cell of some 60 m on the earth: its middle, to a millionth of its size.
  const double h = 1e-5, x = 1.2, y = 0.4;
  const Point3 cell =
      mean({{2 * x, 3 * y}, {2 * (x + h), 3 * y}, {2 * (x + h), 3 * (y + h)}, {2 * x, 3 * (y + h)}}).first;
  const double lat = std::asin(y + h / 2), lon = x + h / 2;
  near(cell, {std::cos(lat) * std::cos(lon), std::cos(lat) * std::sin(lon), y + h / 2}, 1e-10);
}

TEST(SecondOrder, IsOfSecondOrderUpToThePolesOfASphere) {
  const EqualAreaSphere sphere{1, 1};
  Crew alone, two(2);
  const auto field = [](Point3 p) { return 1 + p.x - 2 * p.y + 0.5 * p.z; };  // its mean is that at the mean place
  // The greatest error near the poles of means between cells of longitude and latitude.
  const auto error = [&](std::size_t n) {
    const auto place = [](double u, double v) {
      return Point{2 * std::numbers::pi * u, std::sin(std::numbers::pi * (v - 0.5))};
    };
    const Polygons source = Grid(2 * n, n, place), target = Grid(3 * n, 3 * n / 2, place);
    const auto places = [&](const Polygons& polygons) {
      std::vector<Point3> result;
      for (std::size_t i = 0; i < polygons.Count(); ++i) result.push_back(MeanPlace(polygons.View(), i, sphere).first);
      return result;
    };
    const SecondOrderResult result = SecondOrderWeights(source.View(), target.View(), &sphere, alone);
    const SecondOrderResult same = SecondOrderWeights(source.View(), target.View(), &sphere, two);
    EXPECT_THAT(same.weights.AllWeights(), ElementsAreArray(result.weights.AllWeights()));
    EXPECT_EQ(same.source_cover, result.source_cover);
    for (const double weight : result.weights.AllWeights()) EXPECT_LT(std::abs(weight), 2);
    std::vector<double> in, got(target.Count());
    for (const Point3 p : places(source)) in.push_back(field(p));
    result.weights.Apply(in, got);
    double most = 0;
    const std::vector<Point3> wanted = places(target);
    for (std::size_t t = 0; t < got.size(); ++t) {
      if (std::abs(wanted[t].z) > 0.9) most = std::max(most, std::abs(got[t] - field(wanted[t])));
    }
    return most;
  };
  const double coarse = error(20), fine = error(40);
  EXPECT_LT(fine, 2e-3);
  EXPECT_GT(coarse / fine, 3.3);
}

TEST(AlongMeasure, KeepsMeansWithinExtremesAndRefusesTwoAtOneMiddle) {
  Random random;
  for (int round = 0; round < 1000; ++round) {
    std::vector<Stretch> sources, targets;
    double at = random.Uniform(-5, 5);
    for (int i = 0; i < 10; ++i) {
      const double next = at + random.Uniform(0.1, 3);
      sources.push_back(random.Chance(0.5) ? Stretch{at, next} : Stretch{next, at});
      at = next + (random.Chance(0.2) ? 1 : 0);
    }
    for (int i = 0; i < 20; ++i) targets.push_back({random.Uniform(-8, 30), random.Uniform(-8, 30)});
    for (const SparseRows& rows : {MeanAlong(sources, targets), InterpolateAlong(sources, targets)}) {
      for (std::size_t t = 0; t < targets.size(); ++t) {
        double sum = 0;
        for (const double w : rows.WeightsOf(t)) {
          ASSERT_GE(w, 0.0);
          sum += w;
        }
        if (rows.WeightsOf(t).empty()) continue;
        ASSERT_NEAR(sum, 1.0, 1e-14);
      }
    }
  }
  const std::vector<Stretch> twice{{0, 2}, {1, 1}};
  EXPECT_THAT([&] { InterpolateAlong(twice, twice); }, ThrowsMessage<RangeError>(HasSubstr("both about 1")));
}

}  // namespace
}  // namespace openmi
