#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "openmi/sdk/Error.hpp"
#include "tests/support/RealData.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/files/GeoJson.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsNan;
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

TEST_F(GeoJson, PropertiesThatAreNumbersBecomeAttributes) {
  const ElementSet set = Elements(R"text(
    {"type":"Feature","id":"a","properties":{"wet":true,"area":2.5e6,"length (km)":3.5,"slope [1]":0.1,"name":"x",
     "mixed":1,"depth (of what?)":4},"geometry":{"type":"Point","coordinates":[1,2]}},
    {"type":"Feature","id":"b","properties":{"wet":false,"area":4e6,"name":"y","mixed":"none","slope [1]":null},
     "geometry":{"type":"Point","coordinates":[3,4]}})text");
  const auto attribute = [&](const char* name, const char* unit) {
    const ElementAttribute* found = set.Attribute(name);
    EXPECT_NE(found, nullptr) << name;
    if (found == nullptr) return std::vector<double>();
    EXPECT_EQ(found->unit, unit) << name;
    return found->values;
  };
  EXPECT_THAT(attribute("wet", "1"), ElementsAre(1.0, 0.0));
  EXPECT_THAT(attribute("area", "m2"), ElementsAre(2.5e6, 4e6));
  EXPECT_THAT(attribute("length", "km"), ElementsAre(3.5, IsNan()));
  EXPECT_THAT(attribute("slope", "1"), ElementsAre(0.1, IsNan()));
  EXPECT_THAT(attribute("depth (of what?)", "1"), ElementsAre(4.0, IsNan()));
  EXPECT_EQ(set.Attribute("name"), nullptr);
  EXPECT_EQ(set.Attribute("mixed"), nullptr);
}

TEST_F(GeoJson, RefusesLatitudesThatAreNone) {
  const std::string point =
      R"({"type":"Feature","id":"g7","properties":{},"geometry":{"type":"Point","coordinates":[12,936]}})";
  EXPECT_THAT([&] { Elements(point); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr(".geojson"), HasSubstr("'g7'"),
                                               HasSubstr("latitude from -90 to 90 degrees, found 936"))));
  EXPECT_THAT(
      [&] {
        Elements(R"({"id":"l","properties":{},"geometry":{"type":"LineString","coordinates":[[0,0],[1,-90.5]]}})");
      },
      ThrowsMessage<FormatError>(AllOf(HasSubstr("'l'"), HasSubstr("-90.5 at vertex 1"))));
}

TEST_F(GeoJson, TakesAReferenceSystemThatItIsGiven) {
  const auto read = [&](const std::string& crs, const std::string& system) {
    std::ofstream(path_) << R"({"type":"FeatureCollection",)" << crs
                         << R"("features":[{"id":"a","geometry":{"type":"Point","coordinates":[500000,4649776]}}]})";
    return ElementsOf(ReadGeoJson(path_, {}, system), "set");
  };
  const std::string utm = R"("crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32617"}},)";
  EXPECT_THAT(read("", "EPSG:32617").SpatialReferenceSystemWkt(), HasSubstr("UTM zone 17N"));
  EXPECT_EQ(read("", "local-metres").SpatialReferenceSystemWkt(), kLocalMetresWkt);
  EXPECT_THAT(read(utm, "EPSG:32617").SpatialReferenceSystemWkt(), HasSubstr("UTM zone 17N"));
  EXPECT_THAT([&] { read(utm, "EPSG:32618"); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("elements-system"), HasSubstr("EPSG::32617"))));
  EXPECT_THAT([&] { read(utm, ""); }, ThrowsMessage<FormatError>(HasSubstr("argument elements-system")));
  EXPECT_THROW(read("", "EPSG:none"), ArgumentError);
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
  // Closed brackets are JSON, of which a copy needs stack for each level.
  const std::string closed = deep + std::string(200'000, ']');
  for (const char* start : {R"({"features":[{"id":"a","properties":{"k":)", R"({"features":[{"id":"a]","geometry":)"}) {
    EXPECT_THAT([&] { Read(start + closed + "}]}"); },
                ThrowsMessage<FormatError>(HasSubstr("at most 100 lists and objects within each other")));
  }
}

TEST_F(GeoJson, BracketsInTextsAreNoNesting) {
  EXPECT_EQ(
      Elements(R"({"type":"Feature","id":"\"\\)" + std::string(200, '{') + R"(","properties":{},"geometry":null})")
          .ElementCount(),
      1);
}

TEST_F(GeoJson, ReadsTheRealCatchments) {
  const ElementSet set = ElementsOf(ReadGeoJson((RealData() / "basin/catchment_data.geojson").string()), "catchments");
  EXPECT_EQ(set.IdOf(0), "cat-67");
  EXPECT_NEAR(set.Attribute("area")->values[2], 21.68, 0.01);
  const ElementSet lines = ElementsOf(ReadGeoJson((RealData() / "basin/flowpath_data.geojson").string()), "reaches");
  EXPECT_EQ(lines.ElementType(), ElementType::PolyLine);
}

}  // namespace
}  // namespace openmi
