#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "adaptors/kernels/PolygonClip.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/adaptors/Random.hpp"
#include "tests/support/Epsilon.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Ring = std::vector<Point>;

PreparedPolygon Prepared(const Polygons& polygons) {
  PreparedPolygon prepared;
  prepared.Prepare(polygons.View(), 0);
  return prepared;
}

PreparedPolygon Prepared(const Ring& ring) {
  Polygons polygons;
  polygons.Add(ring);
  return Prepared(polygons);
}

double Overlap(const PreparedPolygon& a, const PreparedPolygon& b) {
  OverlapFinder finder;
  const double area = finder.Area(a, b);
  EXPECT_NEAR(area, finder.Area(b, a), 1e-14 * std::min(a.area, b.area));
  return area;
}

/// The same polygon, sent the way of the concave ones.
PreparedPolygon AsGeneral(PreparedPolygon polygon) {
  polygon.convex = false;
  return polygon;
}

Ring Square(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

Ring Reversed(Ring ring) {
  return {ring.rbegin(), ring.rend()};
}

TEST(PreparedPolygon, TakesAnyWayOfWritingARing) {
  const Ring square = Square(0, 0, 2, 3);
  Ring closed = square;
  closed.push_back(closed.front());
  const Ring repeated{{0, 0}, {0, 0}, {2, 0}, {2, 3}, {2, 3}, {2, 3}, {0, 3}, {0, 0}, {0, 0}};
  for (const Ring& ring : {square, closed, repeated, Reversed(square), Reversed(closed), Reversed(repeated)}) {
    const PreparedPolygon polygon = Prepared(ring);
    EXPECT_EQ(polygon.area, 6.0);
    EXPECT_EQ(polygon.points.size(), 4U);
    EXPECT_TRUE(polygon.convex);
    EXPECT_EQ(Overlap(polygon, Prepared(Square(1, 1, 5, 5))), 2.0);
    EXPECT_EQ(Overlap(AsGeneral(polygon), Prepared(Square(1, 1, 5, 5))), 2.0);
  }
}

TEST(PreparedPolygon, KnowsConvexFromConcave) {
  EXPECT_TRUE(Prepared({{0, 0}, {1, 0}, {2, 0}, {2, 2}, {0, 2}}).convex) << "a vertex on a straight edge";
  EXPECT_FALSE(Prepared({{0, 0}, {2, 0}, {2, 2}, {1, 0.5}}).convex);
  EXPECT_FALSE(Prepared({{0, 0}, {2, 0}, {3, 0}, {2, 0}, {2, 2}, {0, 2}}).convex) << "a spike";
  Ring pentagram;
  for (int i = 0; i < 5; ++i) {
    const double angle = 4.0 * std::numbers::pi * i / 5.0;
    pentagram.push_back({std::cos(angle), std::sin(angle)});
  }
  EXPECT_FALSE(Prepared(pentagram).convex) << "left turns all the way, but twice round";
}

TEST(PreparedPolygon, RefusesWhatHasNoAreaAndNamesIt) {
  Polygons polygons;
  polygons.Add(Square(0, 0, 1, 1));
  polygons.Add(Ring{{0, 0}, {1, 1}, {2, 2}});
  polygons.Add(Ring{{0, 0}, {1, 1}});
  polygons.Add(Ring{{0, 0}, {1, 1}, {std::numeric_limits<double>::quiet_NaN(), 2}});
  PreparedPolygon polygon;
  EXPECT_NO_THROW(polygon.Prepare(polygons.View(), 0));
  EXPECT_THAT([&] { polygon.Prepare(polygons.View(), 1); },
              ThrowsMessage<RangeError>(AllOf(HasSubstr("polygon 1"), HasSubstr("found 0"))));
  EXPECT_THAT([&] { polygon.Prepare(polygons.View(), 2); }, ThrowsMessage<RangeError>(HasSubstr("polygon 2")));
  EXPECT_THAT([&] { polygon.Prepare(polygons.View(), 3); },
              ThrowsMessage<RangeError>(AllOf(HasSubstr("polygon 3"), HasSubstr("nan"))));
}

TEST(PolygonAreas, SubtractsHolesAndAddsParts) {
  Polygons polygons;
  for (const Point p : Square(0, 0, 10, 10)) polygons.AddVertex(p.x, p.y);
  polygons.EndRing();
  for (const Point p : Square(2, 2, 4, 4)) polygons.AddVertex(p.x, p.y);
  polygons.EndRing(true);
  for (const Point p : Reversed(Square(20, 0, 21, 1))) polygons.AddVertex(p.x, p.y);
  polygons.EndRing();
  polygons.EndPolygon();
  EXPECT_THAT(PolygonAreas(polygons.View()), ::testing::ElementsAre(97.0));
}

TEST(OverlapFinder, ReferenceVectors) {
  const PreparedPolygon triangle = Prepared({{5, 9}, {5, 1}, {15, 5}});
  EXPECT_EQ(triangle.area, 40.0);
  EXPECT_NEAR(Overlap(triangle, Prepared(Square(0, 0, 10, 10))), 30.0, 30 * 8 * kEpsilon);
  EXPECT_NEAR(Overlap(triangle, Prepared(Square(10, 0, 20, 10))), 10.0, 10 * 8 * kEpsilon);
  const PreparedPolygon half = Prepared({{0, 2}, {0, 0}, {2, 0}});
  EXPECT_NEAR(Overlap(half, Prepared({{1, 2}, {1, 0}, {3, 0}})) / half.area, 0.25, 8 * kEpsilon);
  EXPECT_NEAR(Overlap(half, Prepared({{1, 2}, {1, 0}, {3, 2}})) / half.area, 0.125, 8 * kEpsilon);
}

TEST(OverlapFinder, TouchingIsNoOverlap) {
  const PreparedPolygon square = Prepared(Square(0, 0, 1, 1));
  for (const Ring& ring :
       {Square(1, 0, 2, 1), Square(1, 1, 2, 2), Square(-1, 0.25, 0, 0.5), Ring{{0.5, 1}, {1, 2}, {0, 2}},
        Ring{{1, 0.5}, {2, 0}, {2, 1}}, Ring{{1, 1}, {2, 0}, {2, 2}}}) {
    EXPECT_EQ(Overlap(square, Prepared(ring)), 0.0);
    EXPECT_EQ(Overlap(AsGeneral(square), Prepared(ring)), 0.0);
  }
}

TEST(OverlapFinder, NeighboursOfARotatedGridDoNotOverlap) {
  for (double offset : {0.0, 1e7}) {
    const double c = std::cos(0.3), s = std::sin(0.3);
    const auto place = [&](double u, double v) { return Point{offset + c * u - s * v, offset + s * u + c * v}; };
    const PreparedPolygon left = Prepared({place(0, 0), place(1, 0), place(1, 1), place(0, 1)});
    const PreparedPolygon right = Prepared({place(1, 0), place(2, 0), place(2, 1), place(1, 1)});
    EXPECT_EQ(Overlap(left, right), 0.0);
    EXPECT_EQ(Overlap(AsGeneral(left), right), 0.0);
  }
}

TEST(OverlapFinder, ConcaveWithConcave) {
  const Ring l_shape{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
  EXPECT_EQ(Overlap(Prepared(l_shape), Prepared(Square(0.5, 0.5, 2, 2))), 0.5 * 1.5 + 0.5 * 1.0);
  EXPECT_EQ(Overlap(Prepared(l_shape), Prepared(Reversed(l_shape))), 5.0);
  // Two combs with teeth across each other: squares where the teeth cross, plus the backs.
  Ring comb{{0, 0}, {0, 10}, {10, 10}};
  for (int tooth = 4; tooth >= 0; --tooth) {
    comb.push_back({2.0 * tooth + 1.5, 9.0});
    comb.push_back({2.0 * tooth + 1.5, 0.0});
    if (tooth > 0) {
      comb.push_back({2.0 * tooth - 0.0, 0.0});
      comb.push_back({2.0 * tooth - 0.0, 9.0});
    }
  }
  comb[2] = {9.5, 10};
  comb.erase(comb.begin() + 3);
  const Ring upright = comb;
  Ring lying;
  for (const Point p : upright) lying.push_back({p.y, p.x});
  // upright: teeth x in [2k, 2k + 1.5] for k = 0..4 up to y = 10, back y in [9, 10] for x in [0, 9.5]; lying: mirrored.
  const auto inside = [](double x, double y) { return std::fmod(x, 2.0) < 1.5 || y > 9.0; };
  double expected = 0.0;  // every edge lies on a multiple of 0.5
  for (double x = 0.25; x < 9.5; x += 0.5) {
    for (double y = 0.25; y < 9.5; y += 0.5) expected += inside(x, y) && inside(y, x) ? 0.25 : 0.0;
  }
  EXPECT_NEAR(Overlap(Prepared(upright), Prepared(lying)), expected, 1e-13 * expected);
}

TEST(OverlapFinder, HolesAndPartsCount) {
  Polygons ring;
  for (const Point p : Reversed(Square(0, 0, 10, 10))) ring.AddVertex(p.x, p.y);
  ring.EndRing();
  for (const Point p : Square(4, 4, 6, 6)) ring.AddVertex(p.x, p.y);
  ring.EndRing(true);
  for (const Point p : Square(20, 4, 22, 6)) ring.AddVertex(p.x, p.y);
  ring.EndRing();
  ring.EndPolygon();
  const PreparedPolygon polygon = Prepared(ring);
  EXPECT_EQ(polygon.area, 100.0);
  EXPECT_EQ(Overlap(polygon, Prepared(Square(4.5, 4.5, 5.5, 5.5))), 0.0) << "inside the hole";
  EXPECT_NEAR(Overlap(polygon, Prepared(Square(5, 5, 21, 7))), 5 * 2 - 1 + 1, 1e-14);
  EXPECT_NEAR(Overlap(polygon, polygon), 100.0, 1e-12);
}

/// A star about `centre`: radii and angles at random, so concave as a rule; with `centre` it falls into triangles.
Ring Star(openmi::testing::Random& random, Point centre, double size, std::size_t corners) {
  Ring ring;
  for (std::size_t i = 0; i < corners; ++i) {
    const double angle =
        2.0 * std::numbers::pi * (static_cast<double>(i) + random.Uniform(0, 0.8)) / static_cast<double>(corners);
    const double radius = size * random.Uniform(0.2, 1.0);
    ring.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
  }
  return ring;
}

// The sum over edge pairs against another road: stars cut into triangles about their centre, triangles clipped in
// pairs.
TEST(OverlapFinder, AgreesWithClippedTriangles) {
  openmi::testing::Random random;
  OverlapFinder finder;
  for (int round = 0; round < 3000; ++round) {
    const double size = std::pow(10.0, random.Uniform(-6, 7));
    const Point at{random.Uniform(-1, 1) * size, random.Uniform(-1, 1) * size};
    const Point bt{at.x + random.Uniform(-1, 1) * size, at.y + random.Uniform(-1, 1) * size};
    const Ring a = Star(random, at, size, 4 + random.Index(20));
    const Ring b = Star(random, bt, size * random.Uniform(0.1, 1), 4 + random.Index(20));
    const PreparedPolygon pa = AsGeneral(Prepared(a)), pb = AsGeneral(Prepared(b));
    double expected = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const PreparedPolygon s = Prepared({at, a[i], a[(i + 1) % a.size()]});
      for (std::size_t j = 0; j < b.size(); ++j) {
        expected += finder.Area(s, Prepared({bt, b[j], b[(j + 1) % b.size()]}));
      }
    }
    // Both roads round some hundred terms, each at most the smaller polygon's box, 4 size^2.
    EXPECT_NEAR(Overlap(pa, pb), expected, 1e-13 * 4 * size * size);
  }
}

TEST(OverlapFinder, BothRoadsAgreeOnConvexPairs) {
  openmi::testing::Random random;
  OverlapFinder finder;
  const auto convex = [&](Point centre, double size) {
    Ring ring;
    const std::size_t corners = 3 + random.Index(10);
    const double stretch = random.Uniform(0.05, 1);
    for (std::size_t i = 0; i < corners; ++i) {
      const double angle =
          2.0 * std::numbers::pi * (static_cast<double>(i) + random.Uniform(0, 0.7)) / static_cast<double>(corners);
      ring.push_back({centre.x + size * std::cos(angle), centre.y + stretch * size * std::sin(angle)});
    }
    return ring;
  };
  for (int round = 0; round < 10000; ++round) {
    const double size = std::pow(10.0, random.Uniform(-6, 7));
    const double offset = random.Chance(0.5) ? 0.0 : random.Uniform(-10, 10) * size;
    const PreparedPolygon a = Prepared(convex({offset, offset}, size));
    const PreparedPolygon b =
        Prepared(convex({offset + random.Uniform(-1, 1) * size, offset}, size * random.Uniform(0.1, 2)));
    ASSERT_TRUE(a.convex && b.convex);
    const double clipped = finder.Area(a, b);
    EXPECT_NEAR(finder.Area(AsGeneral(a), b), clipped, 1e-13 * size * size);
    EXPECT_LE(clipped, std::min(a.area, b.area) * (1 + 1e-13) + 1e-14 * size * size);
  }
}

// Outlines with very many vertices, smooth or with long edges to and fro, cut into a raster: every cell once, none
// twice.
TEST(OverlapFinder, AnOutlineOfManyVerticesIsUsedUpByARaster) {
  openmi::testing::Random random;
  const auto used_up = [](const PreparedPolygon& outline, std::size_t cells) {
    OverlapFinder finder;
    PreparedPolygon cell;
    double sum = 0.0;
    const auto at = [&](std::size_t i) { return -1.0 + 2.0 * static_cast<double>(i) / static_cast<double>(cells); };
    for (std::size_t j = 0; j < cells; ++j) {
      for (std::size_t i = 0; i < cells; ++i) {
        Polygons one;
        one.Add(Square(at(i), at(j), at(i + 1), at(j + 1)));
        cell.Prepare(one.View(), 0);
        sum += finder.Area(outline, cell);
      }
    }
    return sum;
  };
  const PreparedPolygon coast = Prepared(Star(random, {0, 0}, 1.0, 20000));
  EXPECT_NEAR(used_up(coast, 40), coast.area, 1e-12);
  Ring comb{{-0.9, -0.9}};
  for (int tooth = 0; tooth < 1000; ++tooth) {
    const double y = -0.9 + 0.0018 * tooth;
    comb.push_back({0.9, y + 0.0002});
    comb.push_back({0.9, y + 0.0012});
    comb.push_back({-0.8, y + 0.0015});
  }
  comb.push_back({-0.9, 0.9});
  const PreparedPolygon teeth = Prepared(comb);
  EXPECT_NEAR(used_up(teeth, 10), teeth.area, 1e-12);
}

// A cut through a polygon divides its overlaps: what lies left and right of a line adds up.
TEST(OverlapFinder, PartsAddUpToTheWhole) {
  openmi::testing::Random random;
  OverlapFinder finder;
  for (int round = 0; round < 3000; ++round) {
    const PreparedPolygon star = Prepared(Star(random, {0, 0}, 1.0, 5 + random.Index(40)));
    const double x = random.Uniform(-1, 1), y = random.Uniform(-1, 1);
    double sum = 0.0;
    for (const Ring& quarter : {Square(-2, -2, x, y), Square(x, -2, 2, y), Square(x, y, 2, 2), Square(-2, y, x, 2)}) {
      sum += finder.Area(star, Prepared(quarter));
    }
    EXPECT_NEAR(sum, star.area, 1e-14 * 10);
  }
}

}  // namespace
}  // namespace openmi
