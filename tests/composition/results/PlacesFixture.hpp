#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "ResultsFixture.hpp"
#include "timespace/elements/ElementCopies.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/files/ElementFile.hpp"

namespace openmi {

/// A series at the elements of `set`, with the mean of vertices as coordinates, as a run describes it.
inline ResultSeries At(const std::string& id, ElementSet set) {
  ResultSeries series;
  series.id = id;
  series.quantity = "discharge";
  series.unit = "m3 s-1";
  series.elements_caption = set.Caption();
  series.is_longitude_latitude = IsGeographic(set.SpatialReferenceSystemWkt());
  for (int i = 0; i < set.ElementCount(); ++i) {
    series.elements.push_back(set.IdOf(i));
    double x = 0.0, y = 0.0;
    for (int v = 0; v < set.GetVertexCount(i); ++v) {
      x += set.GetVertexXCoordinate(i, v) / set.GetVertexCount(i);
      y += set.GetVertexYCoordinate(i, v) / set.GetVertexCount(i);
    }
    series.x.push_back(x);
    series.y.push_back(y);
  }
  series.places = std::make_shared<const ElementSet>(std::move(set));
  return series;
}

/// Longitudes and latitudes: a polygon with a hole, one with two parts of which the second has two holes, and one with
/// neither, in the same number of corners as none of the others.
inline ElementSet Catchments() {
  ElementSetBuilder builder("Sub-catchments", ElementType::Polygon, kWgs84Wkt);
  builder.AddPolygon("c 1", {{.outer = {{-80.0, 35.0}, {-79.0, 35.0}, {-79.0, 36.0}, {-80.0, 36.0}},
                              .holes = {{{-79.75, 35.25}, {-79.75, 35.5}, {-79.5, 35.5}}}}});
  builder.AddPolygon(
      "c-2",
      {{.outer = {{-78.0, 35.0}, {-77.0, 35.0}, {-77.0, 36.0}, {-78.0, 36.0}}},
       {.outer = {{-76.0, 35.1}, {-75.5, 35.1}, {-75.5, 35.9}, {-76.0, 35.9}},
        .holes = {{{-75.9, 35.2}, {-75.9, 35.3}, {-75.8, 35.3}}, {{-75.7, 35.2}, {-75.7, 35.3}, {-75.6, 35.3}}}}});
  builder.AddPolygon("\xC3\xA9-3", std::vector<ElementVertex>{{-74.0, 35.0}, {-73.0, 35.0}, {-73.1, 36.0}});
  return builder.Build();
}

/// Easting, northing and height, in metres.
inline ElementSet Reaches() {
  ElementSetBuilder builder("reaches", ElementType::PolyLine, ReferenceSystemNamed("EPSG:32617"));
  builder.WithZ();
  builder.AddPolyLine("r-1", std::vector<ElementVertex>{{500'000.5, 3'900'000, 210}, {500'100, 3'900'050, 208.25}});
  builder.AddPolyLine("r-2", std::vector<ElementVertex>{
                                 {500'100, 3'900'050, 208.25}, {500'150, 3'900'040, 207}, {500'200, 3'900'000, 206}});
  return builder.Build();
}

/// Two quadrilaterals and a triangle over them, in a plane.
inline ElementSet Faces() {
  ElementSetBuilder builder("faces of the grid", ElementType::Polygon, kLocalMetresWkt);
  builder.AddPolygon("a", std::vector<ElementVertex>{{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  builder.AddPolygon("b", std::vector<ElementVertex>{{1, 0}, {2, 0}, {2, 1}, {1, 1}});
  builder.AddPolygon("c", std::vector<ElementVertex>{{0, 1}, {1, 1}, {1, 2}});
  return builder.Build();
}

/// The nodes of these faces, in an order of their own, and one that no face uses.
inline ElementSet Nodes() {
  const std::vector<double> x = {1, 0, 2, 1, 0, 9, 2, 1};
  const std::vector<double> y = {2, 0, 0, 0, 1, 9, 1, 1};
  return ElementSet::Points("nodes of the grid", kLocalMetresWkt, {"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"}, x,
                            y);
}

/// The same elements to the last bit, with their ids.
inline void ExpectSame(const ElementSet& a, const ElementSet& b) {
  ASSERT_EQ(a.ElementCount(), b.ElementCount());
  EXPECT_EQ(a.SpatialReferenceSystemWkt(), b.SpatialReferenceSystemWkt());
  EXPECT_TRUE(HaveSameGeometry(a, b));
  for (int i = 0; i < a.ElementCount(); ++i) EXPECT_EQ(a.IdOf(i), b.IdOf(i));
}

}  // namespace openmi
