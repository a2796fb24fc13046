#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "openmi/sdk/Error.hpp"
#include "tests/support/RealData.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/files/ElementFile.hpp"
#include "timespace/files/WktGeometry.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class ElementFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "openmi-elements-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  static std::string Data(const std::string& name) { return (RealData() / name).string(); }
  std::filesystem::path folder_;
};

TEST_F(ElementFileTest, PointsOfACsv) {
  const ElementSet gauges = ReadElementFile(
      Write("g.csv", "\xEF\xBB\xBFID,lon,lat,z\r\n# the upper one\na,-80.5,35.25,210\r\n\"b, old\",-80,35,1e2\n"),
      "gauges");
  EXPECT_EQ(gauges.ElementType(), ElementType::Point);
  EXPECT_EQ(gauges.SpatialReferenceSystemWkt(), kWgs84Wkt);
  EXPECT_EQ(gauges.IdOf(1), "b, old");
  EXPECT_EQ(gauges.X()[0], -80.5);
  EXPECT_EQ(gauges.Z()[1], 100.0);
  const ElementSet plane =
      ReadElementFile(Write("p.csv", "name;x;y\nq;1;2\n"), "p", {.ids = "name", .reference_system = "EPSG:32617"});
  EXPECT_EQ(plane.IdOf(0), "q");
  EXPECT_THAT(plane.SpatialReferenceSystemWkt(), HasSubstr("UTM zone 17N"));
}

TEST_F(ElementFileTest, RefusesWhatIsNoPointWithFileAndLine) {
  const auto read = [&](const std::string& text, ElementFileOptions options = {}) {
    return [this, text, options] { ReadElementFile(Write("p.csv", text), "p", options); };
  };
  EXPECT_THAT(read("a,b\n1,2\n"), ThrowsMessage<FormatError>(AllOf(HasSubstr("p.csv:1"), HasSubstr("lon and lat"))));
  EXPECT_THAT(read("x,y\n1,2\n"), ThrowsMessage<FormatError>(HasSubstr("reference system")));
  EXPECT_THAT(read("lon,lat\n1,2\n3\n"),
              ThrowsMessage<FormatError>(AllOf(HasSubstr("p.csv:3"), HasSubstr("2 cells, found 1"))));
  EXPECT_THAT(read("lon,lat\n1,2x\n"), ThrowsMessage<FormatError>(HasSubstr("'2x'")));
  EXPECT_THAT(read("lon,lat\n1,nan\n"), ThrowsMessage<FormatError>(HasSubstr("finite")));
  EXPECT_THAT(read("id,lon,lat\na,1,2\na,3,4\n"), ThrowsMessage<FormatError>(HasSubstr("'a'")));
  EXPECT_THAT(read("lon,lat\n1,2\n", {.ids = "name"}), ThrowsMessage<FormatError>(HasSubstr("column 'name'")));
  EXPECT_THAT(read("x,y\n1,2\n", {.reference_system = "EPSG:nonsense"}),
              ThrowsMessage<ArgumentError>(HasSubstr("EPSG:nonsense")));
  EXPECT_THAT(read(""), ThrowsMessage<FormatError>(HasSubstr("0 lines")));
  EXPECT_THAT([&] { ReadElementFile(Write("p.shp", ""), "p"); }, ThrowsMessage<ArgumentError>(HasSubstr("'.shp'")));
  EXPECT_THAT(
      [&] { ReadElementFile(Write("basin.v2.gpkg", ""), "p"); },
      ThrowsMessage<ArgumentError>(HasSubstr("ogr2ogr -f GeoJSON -t_srs EPSG:4326 basin.v2.geojson basin.v2.gpkg")));
  EXPECT_THAT([&] { ReadElementFile(Write("p.txt", ""), "p"); },
              ThrowsMessage<ArgumentError>(HasSubstr("give the file the ending of what it is")));
  for (const char* ending : {".csv", ".wkt", ".geojson", ".nc"}) {
    EXPECT_THAT([&] { ReadElementFile((folder_ / ("none" + std::string(ending))).string(), "p"); },
                ThrowsMessage<FileError>(AllOf(HasSubstr("found no file 'none"), HasSubstr(folder_.string()))));
    std::filesystem::create_directory(folder_ / ("folder" + std::string(ending)));
    EXPECT_THAT([&] { ReadElementFile((folder_ / ("folder" + std::string(ending))).string(), "p"); },
                ThrowsMessage<FileError>(HasSubstr("found a folder")));
  }
}

TEST_F(ElementFileTest, GeometriesOfWellKnownText) {
  const ElementSet cells =
      ReadElementFile(Write("c.wkt",
                            "a; POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 2 4, 4 4, 4 2, 2 2))\n"
                            "b;multipolygon(((20 0,21 0,21 1,20 0)),((30 0,35 0,35 5,30 5,30 0)))\n"),
                      "cells", {.reference_system = "local-metres"});
  EXPECT_EQ(cells.ElementType(), ElementType::Polygon);
  ASSERT_EQ(cells.Rings(0).size(), 2U);
  EXPECT_TRUE(cells.Rings(0)[1].is_hole);
  ASSERT_EQ(cells.Rings(1).size(), 2U);
  EXPECT_EQ(cells.GetVertexXCoordinate(1, 0), 30.0) << "the larger part first";
  const ElementSet lines =
      ReadElementFile(Write("l.wkt", "LINESTRING ZM (0 0 5 1, 3 4 6 2.5)\n"), "lines", {.reference_system = "WGS84"});
  EXPECT_EQ(lines.IdOf(0), "1");
  EXPECT_EQ(lines.Z()[1], 6.0);
  EXPECT_EQ(lines.M()[1], 2.5);
}

TEST(WktGeometry, SaysWhereAGeometryGoesWrong) {
  EXPECT_THAT([] { ParseWkt("POINT(1 a)"); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("a number at character 9"), HasSubstr("'a)'"))));
  EXPECT_THAT([] { ParseWkt("CIRCLE(1 2 3)"); }, ThrowsMessage<FormatError>(HasSubstr("found 'CIRCLE'")));
  EXPECT_THAT([] { ParseWkt("POLYGON EMPTY"); }, ThrowsMessage<FormatError>(HasSubstr("EMPTY")));
  EXPECT_THAT([] { ParseWkt("POINT(1 2) 3"); }, ThrowsMessage<FormatError>(HasSubstr("end of the geometry")));
  EXPECT_THAT([] { ParseWkt("MULTIPOINT((1 2),(3 4))"); }, ThrowsMessage<FormatError>(HasSubstr("one part")));
  EXPECT_THAT([] { ParseWkt("POINT(1 2, 3 4)"); }, ThrowsMessage<FormatError>(HasSubstr("one vertex")));
  EXPECT_THAT([] { ParseWkt("LINESTRING(1 2"); }, ThrowsMessage<FormatError>(HasSubstr("')'")));
  EXPECT_THAT([] { ParseWkt(""); }, ThrowsMessage<FormatError>(HasSubstr("POINT")));
  EXPECT_EQ(ParseWkt("MULTIPOINT(1 +2)").vertices[0].y, 2.0);
  EXPECT_EQ(ParseWkt("Point z (1 2 3)").vertices[0].z, 3.0);
}

// Every file of the folders is read, or refused with the reason.
TEST_F(ElementFileTest, EveryFileOfTheRealData) {
  struct Case {
    const char* file;
    ElementFileOptions options;
    ElementType type;
    int count;
  };
  const Case read[] = {
      {"ugrid/eleven_points.nc", {}, ElementType::Polygon, 13},
      {"ugrid/eleven_points.nc", {.place = "node"}, ElementType::Point, 11},
      {"ugrid/eleven_points_with_depth.nc", {}, ElementType::Polygon, 13},
      {"ugrid/hexagons_grid.nc", {}, ElementType::Polygon, 4},
      {"ugrid/quad_and_triangle.nc", {.place = "node"}, ElementType::Point, 5},
      {"basin/catchment_data.geojson", {}, ElementType::Polygon, 3},
      {"basin/flowpath_data.geojson", {}, ElementType::PolyLine, 3},
      {"basin/nexus_data.geojson", {}, ElementType::Point, 3},
      {"basin/gauge_01073000_esmf_mesh.nc", {}, ElementType::Polygon, 5},
      {"basin/gauge_01073000_esmf_mesh.nc", {.place = "node"}, ElementType::Point, 332},
  };
  for (const Case& one : read) {
    const ElementSet elements = ReadElementFile(Data(one.file), "elements", one.options);
    EXPECT_EQ(elements.ElementType(), one.type) << one.file;
    EXPECT_EQ(elements.ElementCount(), one.count) << one.file;
    EXPECT_TRUE(IsGeographic(elements.SpatialReferenceSystemWkt())) << one.file;
  }
  EXPECT_EQ(ReadElementFile(Data("ugrid/hexagons_grid.nc"), "mesh").GetVertexCount(3), 6);
  const auto refused = [&](const char* file, const char* reason) {
    EXPECT_THAT([&] { ReadElementFile(Data(file), "elements"); },
                ThrowsMessage<FormatError>(AllOf(HasSubstr(file), HasSubstr(reason))))
        << file;
  };
  // It says that nodes count from 1, and counts them from 0.
  refused("ugrid/quad_and_triangle.nc", "from 1 (start_index) to 5 in 'Mesh2_face_nodes', found 0");
  refused("ugrid/tri_ring_no_metadata.nc", "mesh_topology");
  refused("ugrid/hexagons_face_data.nc", "random_data_face");
  refused("basin/forcing_3cats.nc", "mesh_topology");
  refused("basin/crosswalk.json", "FeatureCollection");
  for (const char* file : {"basin/forcing_cat-27.csv", "basin/forcing_cat-52.csv", "basin/forcing_cat-67.csv"}) {
    refused(file, "lon and lat");
  }
}

}  // namespace
}  // namespace openmi
