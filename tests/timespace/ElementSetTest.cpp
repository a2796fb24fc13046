#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using Vertices = std::vector<ElementVertex>;

/// Twice the planar area about the origin, positive when counter-clockwise.
double DoubleArea(std::span<const double> x, std::span<const double> y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t j = (i + 1) % x.size();
    sum += x[i] * y[j] - x[j] * y[i];
  }
  return sum;
}

ElementSet TwoTriangles() {
  return ElementSetBuilder("triangles", ElementType::Polygon, kLocalMetresWkt)
      .AddPolygon("left", Vertices{{0, 0}, {1, 0}, {0, 1}})
      .AddPolygon("right", Vertices{{1, 0}, {1, 1}, {0, 1}})
      .Build();
}

TEST(IdBased, HasIdsAndNothingElse) {
  const ElementSet gauges = ElementSet::IdBased("gauges", {"a", "b", "c"});
  EXPECT_EQ(gauges.Caption(), "gauges");
  EXPECT_EQ(gauges.ElementType(), ElementType::IdBased);
  EXPECT_EQ(gauges.ElementCount(), 3);
  EXPECT_EQ(gauges.SpatialReferenceSystemWkt(), "");
  EXPECT_EQ(gauges.Version(), 0);
  EXPECT_FALSE(gauges.HasZ());
  EXPECT_FALSE(gauges.HasM());
  EXPECT_EQ(gauges.GetElementId(1)->Id(), "b");
  EXPECT_EQ(gauges.IdOf(2), "c");
  EXPECT_EQ(gauges.GetElementIndex(Identifier("c")), 2);
}

TEST(IdBased, ThrowsForGeometryBeforeItLooksAtTheIndex) {
  const ElementSet gauges = ElementSet::IdBased("gauges", {"a"});
  for (const int element : {0, 7}) {
    EXPECT_THROW(gauges.GetVertexCount(element), StateError);
    EXPECT_THROW(gauges.GetFaceCount(element), StateError);
    EXPECT_THROW(gauges.GetFaceVertexIndices(element, 0), StateError);
    EXPECT_THROW(gauges.GetVertexXCoordinate(element, 0), StateError);
    EXPECT_THROW(gauges.GetVertexYCoordinate(element, 0), StateError);
    EXPECT_THROW(gauges.GetVertexZCoordinate(element, 0), StateError);
    EXPECT_THROW(gauges.GetVertexMCoordinate(element, 0), StateError);
    EXPECT_THROW(gauges.Rings(element), StateError);
  }
  EXPECT_THAT([&] { gauges.GetVertexCount(0); },
              ThrowsMessage<StateError>(AllOf(HasSubstr("gauges"), HasSubstr("id-based"))));
  EXPECT_THROW(ElementSet::IdBased("g", {"a"}).ReplaceGeometry(gauges), StateError);
}

TEST(IdBased, RefusesEmptyAndRepeatedIds) {
  EXPECT_THAT(
      [] {
        ElementSet::IdBased("gauges", {"a", ""});
      },
      ThrowsMessage<FormatError>(HasSubstr("gauges: element 1: expected an id")));
  EXPECT_THAT(
      [] {
        ElementSet::IdBased("gauges", {"a", "b", "a"});
      },
      ThrowsMessage<FormatError>(AllOf(HasSubstr("element 'a'"), HasSubstr("index 0 and at index 2"))));
}

TEST(ElementSet, GivesMinusOneForUnknownIds) {
  const ElementSet triangles = TwoTriangles();
  EXPECT_EQ(triangles.GetElementIndex(Identifier("nowhere")), -1);
  EXPECT_EQ(triangles.GetElementIndex(Identifier("")), -1);
  EXPECT_EQ(triangles.GetElementIndex(Identifier("Left")), -1);
  EXPECT_EQ(triangles.GetElementIndex(Identifier("right")), 1);
  EXPECT_EQ(ElementSet().IndexOf("x"), -1);
}

TEST(ElementSet, FindsIdsWithoutSearching) {
  std::vector<std::string> ids;
  for (int i = 0; i < 50000; ++i) ids.push_back("catchment-" + std::to_string(i));
  const ElementSet set = ElementSet::IdBased("many", ids);
  for (int i = 0; i < 50000; ++i) ASSERT_EQ(set.IndexOf(ids[static_cast<std::size_t>(i)]), i);
}

TEST(ElementSet, ChecksEveryIndex) {
  const ElementSet triangles = TwoTriangles();
  for (const int element : {-1, 2, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    EXPECT_THROW(triangles.GetElementId(element), RangeError);
    EXPECT_THROW(triangles.IdOf(element), RangeError);
    EXPECT_THROW(triangles.GetVertexCount(element), RangeError);
    EXPECT_THROW(triangles.GetFaceCount(element), RangeError);
    EXPECT_THROW(triangles.GetVertexXCoordinate(element, 0), RangeError);
    EXPECT_THROW(triangles.Rings(element), RangeError);
  }
  for (const int vertex : {-1, 3}) {
    EXPECT_THROW(triangles.GetVertexXCoordinate(0, vertex), RangeError);
    EXPECT_THROW(triangles.GetVertexYCoordinate(0, vertex), RangeError);
    EXPECT_THROW(triangles.GetVertexZCoordinate(0, vertex), RangeError);
    EXPECT_THROW(triangles.GetVertexMCoordinate(0, vertex), RangeError);
  }
  EXPECT_THROW(triangles.GetFaceVertexIndices(0, 0), RangeError);
  EXPECT_THAT(
      [&] { triangles.GetVertexXCoordinate(1, 3); },
      ThrowsMessage<RangeError>(AllOf(HasSubstr("vertex below 3"), HasSubstr("'right'"), HasSubstr("found 3"))));
}

TEST(Points, HaveOneVertexEach) {
  const std::array<double, 2> lon{-80.8, -80.7}, lat{35.2, 35.3}, height{200.0, 210.0};
  const ElementSet gauges = ElementSet::Points("gauges", kWgs84Wkt, {"north", "south"}, lon, lat, height);
  EXPECT_EQ(gauges.ElementType(), ElementType::Point);
  EXPECT_EQ(gauges.GetVertexCount(1), 1);
  EXPECT_EQ(gauges.GetVertexXCoordinate(1, 0), -80.7);
  EXPECT_EQ(gauges.GetVertexYCoordinate(1, 0), 35.3);
  EXPECT_EQ(gauges.GetVertexZCoordinate(1, 0), 210.0);
  EXPECT_EQ(gauges.GetFaceCount(0), 0);
  EXPECT_TRUE(gauges.HasZ());
  EXPECT_EQ(gauges.SpatialReferenceSystemWkt(), kWgs84Wkt);
}

TEST(Points, MayHaveNoIds) {
  const std::array<double, 2> x{1.0, 2.0}, y{3.0, 4.0};
  const ElementSet points = ElementSet::Points("points", kLocalMetresWkt, {}, x, y);
  EXPECT_EQ(points.GetElementId(0), nullptr);
  EXPECT_EQ(points.IdOf(1), "");
  EXPECT_FALSE(points.HasZ());
  EXPECT_EQ(points.GetVertexZCoordinate(0, 0), 0.0);
}

TEST(Points, AreRefusedWhenListsOrValuesAreWrong) {
  const std::array<double, 2> x{1.0, 2.0}, wrong{3.0, std::numeric_limits<double>::quiet_NaN()};
  const std::array<double, 1> one{1.0};
  EXPECT_THROW(ElementSet::Points("p", kLocalMetresWkt, {}, x, one), RangeError);
  EXPECT_THROW(ElementSet::Points("p", kLocalMetresWkt, {"a"}, x, x), RangeError);
  EXPECT_THROW(ElementSet::Points("p", kLocalMetresWkt, {}, x, x, one), RangeError);
  EXPECT_THAT(
      [&] {
        ElementSet::Points("p", kLocalMetresWkt, {"a", "b"}, x, wrong);
      },
      ThrowsMessage<FormatError>(AllOf(HasSubstr("element 'b'"), HasSubstr("finite"), HasSubstr("nan"))));
  EXPECT_THAT([&] { ElementSet::Points("p", "", {}, x, x); }, ThrowsMessage<FormatError>(HasSubstr("kWgs84Wkt")));
}

TEST(PolyLines, KeepTheirDirectionZAndM) {
  const ElementSet reach = ElementSetBuilder("reach", ElementType::PolyLine, kLocalMetresWkt)
                               .WithZ()
                               .WithM()
                               .AddPolyLine("r1", Vertices{{3, 4, 10, 0}, {0, 0, 9, 5}, {0, 0, 9, 5}, {-1, 0, 8, 6}})
                               .Build();
  ASSERT_EQ(reach.GetVertexCount(0), 3);  // the repeated one is dropped
  EXPECT_THAT(reach.X(), ElementsAre(3, 0, -1));
  EXPECT_THAT(reach.Y(), ElementsAre(4, 0, 0));
  EXPECT_THAT(reach.Z(), ElementsAre(10, 9, 8));
  EXPECT_THAT(reach.M(), ElementsAre(0, 5, 6));
  EXPECT_EQ(reach.GetVertexMCoordinate(0, 2), 6.0);
  EXPECT_EQ(reach.FlippedCount(), 0);
}

TEST(PolyLines, AreRefusedWhenClosedOrTooShort) {
  ElementSetBuilder builder("reaches", ElementType::PolyLine, kLocalMetresWkt);
  EXPECT_THAT(
      [&] {
        builder.AddPolyLine("r", Vertices{{0, 0}, {0, 0}});
      },
      ThrowsMessage<FormatError>(
          AllOf(HasSubstr("reaches: element 'r'"), HasSubstr("at least 2 vertices"), HasSubstr("found 1"))));
  EXPECT_THAT(
      [&] {
        builder.AddPolyLine("r", Vertices{{0, 0}, {1, 0}, {1, 1}, {0, 0}});
      },
      ThrowsMessage<FormatError>(HasSubstr("open polyline")));
  EXPECT_THROW(builder.AddPolyLine("r", Vertices{}), FormatError);
  builder.AddPolyLine("r", Vertices{{0, 0}, {1, 0}});  // nothing of the refused ones is left
  EXPECT_THAT(
      [&] {
        builder.AddPolyLine("r", Vertices{{0, 0}, {2, 0}});
      },
      ThrowsMessage<FormatError>(HasSubstr("index 0 and at index 1")));
  const ElementSet reaches = builder.Build();
  EXPECT_EQ(reaches.ElementCount(), 1);
  EXPECT_EQ(reaches.X().size(), 2U);
  ElementSetBuilder measured("measured", ElementType::PolyLine, kLocalMetresWkt);
  EXPECT_THAT(
      [&] {
        measured.WithM().AddPolyLine("r", Vertices{{0, 0, 0, 1}, {0, 0, 0, 2}, {1, 0, 0, 3}});
      },
      ThrowsMessage<FormatError>(HasSubstr("M jump from 1 to 2")));
}

TEST(Polygons, AreOpenAndCounterClockwiseWhateverCame) {
  const Vertices square{{0, 0}, {2, 0}, {2, 2}, {0, 2}};
  const Vertices closed{{0, 0}, {2, 0}, {2, 2}, {0, 2}, {0, 0}};
  const Vertices clockwise{{0, 0}, {0, 2}, {2, 2}, {2, 0}};
  const Vertices both{{0, 0}, {0, 2}, {2, 2}, {2, 0}, {0, 0}};
  ElementSetBuilder builder("squares", ElementType::Polygon, kLocalMetresWkt);
  const ElementSet set =
      builder.AddPolygon("1", square).AddPolygon("2", closed).AddPolygon("3", clockwise).AddPolygon("4", both).Build();
  EXPECT_EQ(set.FlippedCount(), 2);
  for (int i = 0; i < 4; ++i) {
    ASSERT_EQ(set.GetVertexCount(i), 4) << i;
    const auto begin = set.VertexOffsets()[static_cast<std::size_t>(i)];
    EXPECT_THAT(set.X().subspan(begin, 4), ElementsAre(0, 2, 2, 0)) << i;
    EXPECT_THAT(set.Y().subspan(begin, 4), ElementsAre(0, 0, 2, 2)) << i;
    EXPECT_EQ(set.GetFaceCount(i), 0);
  }
  EXPECT_FALSE(set.HasExtraRings());
}

TEST(Polygons, AreTurnedRightFarFromTheOriginToo) {
  // UTM-sized offsets: the plain shoelace loses a square metre's sign to rounding well before this.
  const double x = 500000.0, y = 3.9e9;
  const ElementSet set = ElementSetBuilder("far", ElementType::Polygon, kLocalMetresWkt)
                             .AddPolygon("c", Vertices{{x, y}, {x, y + 0.001}, {x + 0.001, y + 0.001}, {x + 0.001, y}})
                             .Build();
  EXPECT_EQ(set.FlippedCount(), 1);
  EXPECT_EQ(set.GetVertexXCoordinate(0, 1), x + 0.001);
}

TEST(Polygons, AreRefusedWithoutAnArea) {
  ElementSetBuilder builder("catchments", ElementType::Polygon, kLocalMetresWkt);
  EXPECT_THAT(
      [&] {
        builder.AddPolygon("cat-7", Vertices{{0, 0}, {1, 0}, {0, 0}});
      },
      ThrowsMessage<FormatError>(
          AllOf(HasSubstr("catchments: element 'cat-7'"), HasSubstr("at least 3 vertices"), HasSubstr("found 2"))));
  EXPECT_THAT(
      [&] {
        builder.AddPolygon("cat-8", Vertices{{0, 0}, {1, 1}, {3, 3}});
      },
      ThrowsMessage<FormatError>(AllOf(HasSubstr("element 'cat-8'"), HasSubstr("on one line"))));
  EXPECT_THROW(builder.AddPolygon("cat-9", Vertices{}), FormatError);
  EXPECT_THROW(builder.AddPolygon("cat-9", std::vector<ElementSetBuilder::Part>{}), FormatError);
  EXPECT_THROW(builder.AddPolygon("cat-9", Vertices{{0, 0}, {1, 0}, {std::numeric_limits<double>::infinity(), 1}}),
               FormatError);
  EXPECT_EQ(builder.Count(), 0);
}

TEST(Polygons, KeepHolesAndPartsBesideTheInterface) {
  const Vertices small{{10, 10}, {11, 10}, {11, 11}, {10, 11}};
  const Vertices large{{0, 0}, {0, 4}, {4, 4}, {4, 0}, {0, 0}};     // clockwise and closed
  const Vertices hole{{1, 1}, {2, 1}, {2, 2}, {1, 2}};              // counter-clockwise: becomes clockwise
  const Vertices tiny{{3, 3}, {3, 3.001}, {3.001, 3.001}, {3, 3}};  // clockwise already
  const Vertices nothing{{3.5, 3.5}, {3.6, 3.6}, {3.5, 3.5}};       // takes nothing away
  const ElementSet set = ElementSetBuilder("catchments", ElementType::Polygon, kLocalMetresWkt)
                             .AddPolygon("before", Vertices{{20, 20}, {21, 20}, {20, 21}})
                             .AddPolygon("split", {{small, {}}, {large, {hole, tiny, nothing}}})
                             .AddPolygon("after", Vertices{{30, 30}, {31, 30}, {30, 31}})
                             .Build();
  EXPECT_TRUE(set.HasExtraRings());
  EXPECT_EQ(set.FlippedCount(), 1);
  EXPECT_EQ(set.GetVertexCount(1), 4);
  EXPECT_EQ(set.GetVertexXCoordinate(1, 1), 4.0);  // the largest part, turned
  EXPECT_EQ(set.Rings(0).size(), 1U);
  EXPECT_EQ(set.Rings(2).size(), 1U);
  const std::vector<ElementRing> rings = set.Rings(1);
  ASSERT_EQ(rings.size(), 4U);
  EXPECT_THAT(rings[0].x, ElementsAre(0, 4, 4, 0));
  EXPECT_EQ(DoubleArea(rings[0].x, rings[0].y), 32.0);
  EXPECT_EQ(DoubleArea(rings[1].x, rings[1].y), -2.0);
  EXPECT_LT(DoubleArea(rings[2].x, rings[2].y), 0.0);
  EXPECT_EQ(rings[2].x.size(), 3U);
  EXPECT_EQ(DoubleArea(rings[3].x, rings[3].y), 2.0);
  EXPECT_FALSE(rings[0].is_hole);
  EXPECT_TRUE(rings[1].is_hole);
  EXPECT_TRUE(rings[2].is_hole);
  EXPECT_FALSE(rings[3].is_hole);
  EXPECT_EQ(rings[1].part, 0);
  EXPECT_EQ(rings[3].part, 1);
  EXPECT_TRUE(rings[0].z.empty());
}

TEST(Polygons, ThatStandUprightAreLeftAsTheyAre) {
  const Vertices wall{{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}};
  const Vertices slope{{0, 0, 0}, {0, 1, 0}, {1, 1, 1}, {1, 0, 1}};  // clockwise from above
  const ElementSet set = ElementSetBuilder("faces", ElementType::Polygon, kLocalMetresWkt)
                             .WithZ()
                             .AddPolygon("wall", wall)
                             .AddPolygon("slope", slope)
                             .Build();
  EXPECT_EQ(set.FlippedCount(), 1);
  EXPECT_EQ(set.GetVertexZCoordinate(0, 1), 1.0);
  EXPECT_EQ(set.GetVertexXCoordinate(1, 1), 1.0);
  EXPECT_THAT(set.Rings(0)[0].z, ElementsAre(0, 1, 1, 0));
}

const Vertices kTetrahedron{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const std::vector<std::vector<int>> kOutward{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

TEST(Polyhedra, HaveFaces) {
  const ElementSet set = ElementSetBuilder("cells", ElementType::Polyhedron, kLocalMetresWkt)
                             .AddPolyhedron("t", kTetrahedron, kOutward)
                             .Build();
  EXPECT_TRUE(set.HasZ());
  EXPECT_EQ(set.GetVertexCount(0), 4);
  EXPECT_EQ(set.GetFaceCount(0), 4);
  EXPECT_THAT(set.GetFaceVertexIndices(0, 2), ElementsAre(1, 2, 3));
  EXPECT_EQ(set.FlippedCount(), 0);
  EXPECT_THROW(set.GetFaceVertexIndices(0, 4), RangeError);
  EXPECT_THROW(set.GetFaceVertexIndices(0, -1), RangeError);
  EXPECT_THROW(set.GetFaceVertexIndices(1, 0), RangeError);
  EXPECT_THROW(set.Rings(0), StateError);
}

TEST(Polyhedra, AreTurnedInsideOutWhenTheyLookInwards) {
  std::vector<std::vector<int>> inward = kOutward;
  for (auto& face : inward) std::swap(face[1], face[2]);
  const ElementSet set = ElementSetBuilder("cells", ElementType::Polyhedron, kLocalMetresWkt)
                             .AddPolyhedron("t", kTetrahedron, inward)
                             .Build();
  EXPECT_EQ(set.FlippedCount(), 1);
  EXPECT_THAT(set.GetFaceVertexIndices(0, 2), ElementsAre(1, 2, 3));
}

TEST(Polyhedra, AreRefusedWhenOpenMixedOrFlat) {
  ElementSetBuilder builder("cells", ElementType::Polyhedron, kLocalMetresWkt);
  const auto refusal = [&](const std::vector<std::vector<int>>& faces, const Vertices& vertices = kTetrahedron) {
    try {
      builder.AddPolyhedron("t", vertices, faces);
    } catch (const FormatError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  std::vector<std::vector<int>> mixed = kOutward;
  std::swap(mixed[1][1], mixed[1][2]);
  EXPECT_THAT(refusal(mixed), AllOf(HasSubstr("element 't'"), HasSubstr("each edge once in each direction")));
  EXPECT_THAT(refusal({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}}), HasSubstr("at least 4 vertices and 4 faces"));
  const Vertices pyramid{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_THAT(refusal({{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}, pyramid),
              HasSubstr("closed polyhedron"));  // no base
  EXPECT_THAT(refusal({{0, 2, 1}, {0, 1, 3}, {1, 2, 4}, {0, 3, 2}}), HasSubstr("vertices below 4 in face 2, found 4"));
  EXPECT_THAT(refusal({{0, 2, 1}, {0, 1, 3}, {1, 2}, {0, 3, 2}}), HasSubstr("at least 3 vertices of face 2"));
  EXPECT_THAT(refusal(kOutward, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), HasSubstr("a flat one"));
  EXPECT_EQ(builder.Count(), 0);
}

TEST(ElementSetBuilder, RefusesOtherTypesAndLateAxes) {
  ElementSetBuilder builder("mixed", ElementType::Point, kLocalMetresWkt);
  EXPECT_THAT(
      [&] {
        builder.AddPolygon("a", Vertices{{0, 0}, {1, 0}, {0, 1}});
      },
      ThrowsMessage<StateError>(HasSubstr("expected points in this set, found polygons (element 'a')")));
  EXPECT_THROW(builder.AddId("a"), StateError);
  builder.AddPoint("a", {1, 2});
  EXPECT_THROW(builder.WithZ(), StateError);
  EXPECT_THROW(builder.WithM(), StateError);
}

TEST(ElementSetBuilder, StartsAnewAfterBuild) {
  ElementSetBuilder builder("points", ElementType::Point, kLocalMetresWkt);
  builder.WithZ().AddPoint("a", {1, 2, 3});
  const ElementSet first = builder.Build();
  EXPECT_EQ(builder.Count(), 0);
  const ElementSet second = builder.AddPoint("a", {4, 5, 6}).Build();
  EXPECT_EQ(first.GetVertexXCoordinate(0, 0), 1.0);
  EXPECT_EQ(second.GetVertexZCoordinate(0, 0), 6.0);
  EXPECT_EQ(second.Caption(), "points");
}

TEST(ReplaceGeometry, RaisesTheVersionAndKeepsTheRest) {
  ElementSet set = TwoTriangles();
  set.SetAttribute("area", "m2", {0.5, 0.5});
  const IIdentifiable* id = set.GetElementId(0);
  const ElementSet moved = ElementSetBuilder("moved", ElementType::Polygon, kLocalMetresWkt)
                               .AddPolygon("left", Vertices{{0, 0}, {2, 0}, {2, 1}, {0, 2}})
                               .AddPolygon("right", {{{{5, 0}, {9, 0}, {9, 9}}, {{{7, 1}, {8, 1}, {8, 2}}}}})
                               .Build();
  set.ReplaceGeometry(moved);
  EXPECT_EQ(set.Version(), 1);
  EXPECT_EQ(set.Caption(), "triangles");
  EXPECT_EQ(set.GetVertexCount(0), 4);
  EXPECT_EQ(set.GetVertexXCoordinate(1, 0), 5.0);
  EXPECT_EQ(set.Rings(1).size(), 2U);
  EXPECT_EQ(set.GetElementId(0), id);
  EXPECT_EQ(set.Attribute("area")->values[0], 0.5);
  set.ReplaceGeometry(set);
  EXPECT_EQ(set.Version(), 2);
  EXPECT_EQ(set.GetVertexCount(0), 4);
}

TEST(ReplaceGeometry, RefusesOtherElements) {
  ElementSet set = TwoTriangles();
  const std::array<double, 2> x{1.0, 2.0};
  EXPECT_THROW(set.ReplaceGeometry(ElementSet::Points("p", kLocalMetresWkt, {"left", "right"}, x, x)), RangeError);
  ElementSetBuilder builder("other", ElementType::Polygon, kLocalMetresWkt);
  const Vertices triangle{{0, 0}, {1, 0}, {0, 1}};
  EXPECT_THROW(set.ReplaceGeometry(builder.AddPolygon("left", triangle).Build()), RangeError);
  EXPECT_THAT([&] { set.ReplaceGeometry(builder.AddPolygon("right", triangle).AddPolygon("left", triangle).Build()); },
              ThrowsMessage<RangeError>(HasSubstr("expected element 'left' at index 0, found 'right'")));
  EXPECT_EQ(set.Version(), 0);
}

TEST(Attributes, HoldANumberForEachElement) {
  ElementSet set = TwoTriangles();
  EXPECT_EQ(set.Attribute("area"), nullptr);
  set.SetAttribute("area", "km2", {1.5, 2.5});
  set.SetAttribute("slope", "1", {0.01, 0.02});
  ASSERT_NE(set.Attribute("area"), nullptr);
  EXPECT_EQ(set.Attribute("area")->unit, "km2");
  EXPECT_THAT(set.Attribute("area")->values, ElementsAre(1.5, 2.5));
  set.SetAttribute("area", "ha", {150, 250});
  EXPECT_EQ(set.Attributes().size(), 2U);
  EXPECT_EQ(set.Attribute("area")->unit, "ha");
  EXPECT_EQ(set.Version(), 0);
  EXPECT_THAT(
      [&] { set.SetAttribute("area", "km2", {1.0}); },
      ThrowsMessage<RangeError>(AllOf(HasSubstr("expected 2 values of attribute 'area'"), HasSubstr("found 1"))));
  EXPECT_THROW(set.SetAttribute("area", "square miles or so", {1.0, 2.0}), UnitError);
  EXPECT_EQ(set.Attribute("area")->unit, "ha");
}

TEST(ElementSet, IsIndependentOfItsCopies) {
  ElementSet copy;
  {
    const ElementSet original = ElementSet::IdBased("gauges", {"a", "b"});
    copy = original;
  }
  EXPECT_EQ(copy.IndexOf("b"), 1);
  EXPECT_EQ(copy.GetElementId(1)->Id(), "b");
  const ElementSet moved = std::move(copy);
  EXPECT_EQ(moved.IndexOf("a"), 0);
}

}  // namespace
}  // namespace openmi
