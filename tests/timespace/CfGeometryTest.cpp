// Geometries of other programs after the CF conventions, written by the NetCDF library itself.

#include <gmock/gmock.h>
#include <netcdf.h>

#include <array>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "tests/support/ScratchFolder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/files/ElementFile.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// What stands in a file; an empty list leaves the variable and its attribute out.
struct Content {
  std::string type = "polygon";
  std::vector<double> x = {20, 10, 0, 5, 10, 15, 20, 10, 0, 50, 40, 30};
  std::vector<double> y = {0, 15, 0, 5, 10, 5, 20, 35, 20, 0, 15, 0};
  std::vector<int> node_count = {9, 3};
  std::vector<int> part_node_count = {3, 3, 3, 3};
  std::vector<int> interior_ring = {0, 1, 0, 0};
  std::string units = "degrees_east";
  std::string axis = "X";
  std::vector<std::string> ids = {};  // of at most four characters
};

class CfGeometryTest : public testing::Test {
 protected:
  std::string Write(const Content& content) const {
    const std::string path = (scratch_.Path() / "other.nc").string();
    int file = 0;
    nc_create(path.c_str(), NC_CLOBBER, &file);
    int node = 0, instance = 0, part = 0, x = 0, y = 0, container = 0;
    std::vector<std::pair<int, std::vector<int>>> integers;
    nc_def_dim(file, "node", content.x.size(), &node);
    nc_def_var(file, "geometry_container", NC_FLOAT, 0, nullptr, &container);
    const auto text = [file](int variable, const char* name, const std::string& value) {
      nc_put_att_text(file, variable, name, value.size(), value.c_str());
    };
    const auto put = [&](const char* name, int dimension, const std::vector<int>& values) {
      if (values.empty()) return;
      text(container, name, name);
      nc_def_var(file, name, NC_INT, 1, &dimension, &integers.emplace_back(0, values).first);
    };
    text(container, "geometry_type", content.type);
    text(container, "node_coordinates", "x y");
    nc_def_var(file, "x", NC_DOUBLE, 1, &node, &x);
    nc_def_var(file, "y", NC_DOUBLE, 1, &node, &y);
    text(x, "units", content.units);
    text(x, "axis", content.axis);
    text(y, "axis", "Y");
    if (!content.node_count.empty()) nc_def_dim(file, "instance", content.node_count.size(), &instance);
    if (!content.part_node_count.empty()) nc_def_dim(file, "part", content.part_node_count.size(), &part);
    put("node_count", instance, content.node_count);
    put("part_node_count", part, content.part_node_count);
    put("interior_ring", part, content.interior_ring);
    int ids = 0, id_length = 0;
    if (!content.ids.empty()) {
      nc_def_dim(file, "id_length", 4, &id_length);
      nc_def_var(file, "ids", NC_CHAR, 2, std::array{instance, id_length}.data(), &ids);
    }
    nc_enddef(file);
    std::string letters;
    for (const std::string& id : content.ids) letters += id + std::string(4 - id.size(), '\0');
    if (!letters.empty()) nc_put_var_text(file, ids, letters.data());
    nc_put_var_double(file, x, content.x.data());
    nc_put_var_double(file, y, content.y.data());
    for (const auto& [variable, values] : integers) nc_put_var_int(file, variable, values.data());
    EXPECT_EQ(nc_close(file), NC_NOERR);
    return path;
  }
  void ExpectRefused(const Content& content, const std::string& sentence,
                     const ElementFileOptions& options = {}) const {
    const std::string path = Write(content);
    EXPECT_THAT([&] { ReadElementFile(path, "other", options); },
                ThrowsMessage<FormatError>(AllOf(HasSubstr("other.nc"), HasSubstr(sentence))));
  }

  ScratchFolder scratch_{"geometry"};
};

TEST_F(CfGeometryTest, TheExampleOfTheConventions) {
  // CF 1.8, example 7.16: the rings are open and there are no ids. The outer rings run clockwise in their lon-lat
  // plane.
  const ElementSet set = ReadElementFile(Write({}), "example");
  ASSERT_EQ(set.ElementCount(), 2);
  EXPECT_EQ(set.ElementType(), ElementType::Polygon);
  EXPECT_EQ(set.SpatialReferenceSystemWkt(), kWgs84Wkt);
  EXPECT_EQ(set.IdOf(1), "2");
  const std::vector<ElementRing> rings = set.Rings(0);
  ASSERT_EQ(rings.size(), 3u);
  EXPECT_FALSE(rings[0].is_hole);
  EXPECT_EQ(rings[0].x.size(), 3u);
  EXPECT_EQ(rings[1].is_hole != rings[2].is_hole, true) << "a hole, and a second part";
}

TEST_F(CfGeometryTest, ASingleGeometryNeedsNoCounts) {
  const ElementSet line = ReadElementFile(Write({.type = "line",
                                                 .x = {0, 1, 2},
                                                 .y = {0, 1, 0},
                                                 .node_count = {},
                                                 .part_node_count = {},
                                                 .interior_ring = {}}),
                                          "line");
  ASSERT_EQ(line.ElementCount(), 1);
  EXPECT_THAT(line.X(), ElementsAre(0, 1, 2));
}

TEST_F(CfGeometryTest, PointsWithoutCountsAreOneANode) {
  const ElementSet points = ReadElementFile(Write({.type = "point",
                                                   .x = {0, 1, 2},
                                                   .y = {0, 1, 0},
                                                   .node_count = {},
                                                   .part_node_count = {},
                                                   .interior_ring = {}}),
                                            "points");
  EXPECT_EQ(points.ElementCount(), 3);
  EXPECT_EQ(points.ElementType(), ElementType::Point);
}

TEST_F(CfGeometryTest, RefusesCountsThatDoNotFit) {
  ExpectRefused({.node_count = {9, 4}}, "expected counts of 12 nodes in 'node_count', found 13");
  ExpectRefused({.node_count = {13, -1}}, "expected counts of nodes in 'node_count', found 13");
  ExpectRefused({.node_count = {12, 0}}, "element '2': expected at least one part of a polygon, found none");
  ExpectRefused({.part_node_count = {3, 3, 4, 2}}, "expected parts that fill the 9 nodes of '1', found one of 4");
  ExpectRefused({.part_node_count = {12}, .interior_ring = {}}, "found one of 12");
  ExpectRefused({.interior_ring = {1, 0, 0, 0}}, "expected an exterior ring of '1' before its interior rings");
}

TEST_F(CfGeometryTest, IdsComeFromAVariableAndNoneIsEmpty) {
  EXPECT_EQ(ReadElementFile(Write({.ids = {"east", "west"}}), "named", {.ids = "ids"}).IdOf(1), "west");
  ExpectRefused({.ids = {"east", ""}}, "expected an id for each element in 'ids', found an empty text for element 2",
                {.ids = "ids"});
  ExpectRefused({.ids = {"east", "east"}}, "expected ids to be there once", {.ids = "ids"});
}

TEST_F(CfGeometryTest, RefusesWhatElementsCannotBe) {
  ExpectRefused({.type = "line", .interior_ring = {}}, "expected one line for each element, found 3 parts of '1'");
  ExpectRefused({.type = "point", .part_node_count = {}, .interior_ring = {}},
                "expected one point for each element, found 9 parts of '1'");
  ExpectRefused({.axis = "easting"}, "expected axis X, Y or Z of 'x', found 'easting'");
  ExpectRefused({.units = "km"}, "a reference system, found the unit 'km'");
  EXPECT_EQ(ReadElementFile(Write({.units = "km"}), "plane", {.reference_system = "local-metres"})
                .SpatialReferenceSystemWkt(),
            kLocalMetresWkt);
}

}  // namespace
}  // namespace openmi
