#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "openmi/sdk/Error.hpp"
#include "timespace/GeoJson.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class GeoJson : public ::testing::Test {
 protected:
  ~GeoJson() override { std::filesystem::remove(path_); }
  GeoJsonFile Read(const std::string& content, const std::string& id_property = {}) {
    std::ofstream(path_) << content;
    return ReadGeoJson(path_, id_property);
  }
  ElementSet Elements(const std::string& features) {
    return ElementsOf(Read(R"({"type":"FeatureCollection","features":[)" + features + "]}"), "set");
  }
  std::string path_ = (std::filesystem::temp_directory_path() /
                       ("openmi-" + std::to_string(::getpid()) +
                        ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".geojson"))
                          .string();
};

TEST_F(GeoJson, ReadsPolygonsWithHolesPartsAndArea) {
  const ElementSet set = Elements(R"(
    {"type":"Feature","id":"one","properties":{"areasqkm":4.5,"name":"upper","upstream":["a","b"],"odd":[1,2]},
     "geometry":{"type":"Polygon","coordinates":[[[0,0],[0,4],[4,4],[4,0],[0,0]],[[1,1],[2,1],[2,2],[1,1]]]}},
    {"type":"Feature","id":2,"properties":{"areasqkm":1},
     "geometry":{"type":"MultiPolygon","coordinates":[[[[5,0],[6,0],[6,1],[5,0]]],[[[7,0],[9,0],[9,2],[7,0]]]]}})");
  EXPECT_EQ(set.ElementType(), ElementType::Polygon);
  EXPECT_EQ(set.IdOf(0), "one");
  EXPECT_EQ(set.IdOf(1), "2");
  EXPECT_EQ(set.GetVertexCount(0), 4);
  EXPECT_EQ(set.FlippedCount(), 1);
  EXPECT_EQ(set.Rings(0).size(), 2u);
  EXPECT_EQ(set.Rings(1).size(), 2u);
  ASSERT_NE(set.Attribute("area"), nullptr);
  EXPECT_EQ(set.Attribute("area")->unit, "km2");
  EXPECT_THAT(set.Attribute("area")->values, ElementsAre(4.5, 1.0));
}

TEST_F(GeoJson, ReadsPointsLinesAndBareIds) {
  EXPECT_EQ(Elements(R"({"type":"Feature","id":"p","properties":null,"geometry":{"type":"Point","coordinates":[1,2]}})")
                .ElementType(),
            ElementType::Point);
  const ElementSet line = Elements(
      R"({"id":"l","properties":{},"geometry":{"type":"MultiLineString","coordinates":[[[0,0],[1,2],[3,4]]]}})");
  EXPECT_EQ(line.ElementType(), ElementType::PolyLine);
  EXPECT_EQ(line.GetVertexCount(0), 3);
  const ElementSet bare = Elements(R"({"id":"x","properties":{},"geometry":null})");
  EXPECT_EQ(bare.ElementType(), ElementType::IdBased);
  EXPECT_EQ(bare.SpatialReferenceSystemWkt(), "");
}

TEST_F(GeoJson, TakesIdsFromAPropertyAndAttributesByName) {
  const GeoJsonFile file = Read(
      R"({"type":"Feature","properties":{"code":"k1","lengthkm":3.25,"kind":"reach"},"geometry":
          {"type":"LineString","coordinates":[[0,0],[1,1]]}})",
      "code");
  ASSERT_EQ(file.features.size(), 1u);
  EXPECT_EQ(file.features[0].id, "k1");
  EXPECT_EQ(file.features[0].Text("kind"), "reach");
  EXPECT_EQ(file.features[0].Text("none"), "");
  const ElementSet set = ElementsOf(file, "reaches", {{"lengthkm", "length", "km"}});
  EXPECT_THAT(set.Attribute("length")->values, ElementsAre(3.25));
  EXPECT_THAT(
      [&] {
        ElementsOf(file, "reaches", {{"slope", "slope", "1"}});
      },
      ThrowsMessage<FormatError>(AllOf(HasSubstr(".geojson"), HasSubstr("'slope'"), HasSubstr("'k1'"))));
}

TEST_F(GeoJson, RefusesWhatItCannotUseAndSaysWhy) {
  const auto refused = [this](const std::string& content, const std::string& word) {
    EXPECT_THAT([&] { ElementsOf(Read(content), "set"); },
                ThrowsMessage<FormatError>(AllOf(HasSubstr(".geojson"), HasSubstr(word))))
        << content;
  };
  refused("{\n  \"features\": [\n", ".geojson:3: expected GeoJSON, found text that is no JSON");
  refused("[]", "FeatureCollection");
  refused(R"({"type":"FeatureCollection","features":[]})", "found none");
  refused(R"({"type":"FeatureCollection","features":[{"properties":{}}]})", "'id' in feature 1");
  refused(R"({"features":[{"id":"a"},{"id":"a"}]})", "'a' again");
  refused(R"({"features":[{"id":"a","geometry":{"type":"Circle","coordinates":[0,0]}}]})", "'Circle'");
  refused(R"({"features":[{"id":"a","geometry":{"type":"Point","coordinates":["x",0]}}]})",
          "'a', found a value of another type");
  refused(R"({"features":[{"id":"a","geometry":{"type":"Point","coordinates":[0]}}]})", "in 'a', found a part missing");
  refused(R"({"features":[{"id":"a","geometry":{"type":"Polygon","coordinates":[]}}]})",
          "in 'a', found a part missing");
  refused(R"({"features":[{"id":"a","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}}]})", "'a'");
  refused(R"({"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::31370"}},"features":[{"id":"a"}]})",
          "EPSG::31370");
  refused(R"({"features":[{"id":"a","geometry":{"type":"Point","coordinates":[0,0]}},{"id":"b","geometry":null}]})",
          "expected a point in 'b'");
  refused(
      R"({"features":[{"id":"a","geometry":{"type":"MultiLineString","coordinates":[[[0,0],[1,1]],[[2,2],[3,3]]]}}]})",
      "one part");
  EXPECT_THAT([] { ReadGeoJson("nowhere.geojson"); }, ThrowsMessage<FileError>(HasSubstr("nowhere.geojson")));
}

TEST_F(GeoJson, DeepNestingIsNoTrouble) {
  const std::string deep(200'000, '[');
  EXPECT_THROW(Read(R"({"features":)" + deep), FormatError);
}

TEST_F(GeoJson, ReadsTheRealCatchments) {
  const char* data = std::getenv("OPENMI_TEST_DATA");
  if (data == nullptr) GTEST_SKIP() << "OPENMI_TEST_DATA names no data";
  const ElementSet set = ElementsOf(ReadGeoJson(std::string(data) + "/basin/catchment_data.geojson"), "catchments");
  EXPECT_EQ(set.IdOf(0), "cat-67");
  EXPECT_NEAR(set.Attribute("area")->values[2], 21.68, 0.01);
  const ElementSet lines = ElementsOf(ReadGeoJson(std::string(data) + "/basin/flowpath_data.geojson"), "reaches");
  EXPECT_EQ(lines.ElementType(), ElementType::PolyLine);
}

}  // namespace
}  // namespace openmi
