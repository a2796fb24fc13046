// The GeoPackage of a run, read back by GDAL.

#include <gdal_priv.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

#include <memory>
#include <string>

#include "openmi/sdk/Error.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "timespace/files/VectorLayer.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class GeoPackage : public ::testing::Test {
 protected:
  GeoPackage() {
    folder_.Write("nash.omi", R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="openmi.NashCascade"
        Assembly="openmi-components"/>)");
    folder_.Write("c.geojson", R"({"features":[
      {"id":"a","properties":{"k":0.5},"geometry":{"type":"Polygon","coordinates":
        [[[8,47],[8.1,47],[8.1,47.1],[8,47.1],[8,47]],[[8.02,47.02],[8.02,47.04],[8.04,47.04],[8.02,47.02]]]}},
      {"id":"b","properties":{"k":2},"geometry":{"type":"MultiPolygon","coordinates":
        [[[[8.2,47],[8.3,47],[8.3,47.1],[8.2,47]]],[[[8.5,47],[8.6,47],[8.6,47.1],[8.5,47]]]]}}]})");
    folder_.Write("rain.csv", "time,a,b\n2015-12-01T02:00Z,4,\n2015-12-01T03:00Z,8,2\n2015-12-01T04:00Z,0,6\n");
    folder_.Write("made.xml", R"(<Composition xmlns="urn:openmi2:composition:1" Id="made">
      <Component Id="weather" Type="openmi.CsvSeries" Assembly="openmi-components">
        <Argument Key="file" Value="rain.csv"/><Argument Key="elements-from-columns" Value="true"/>
        <Argument Key="item" Value="rain"/><Argument Key="unit" Value="mm"/>
        <Argument Key="stamps" Value="end"/><Argument Key="step" Value="PT1H"/></Component>
      <Population Id="p" Omi="nash.omi" Of="c.geojson"><Argument Key="residence-time" Value="{{k}}"/></Population>
      <Component Id="inflow" Type="openmi.Constant" Assembly="openmi-components"><Argument Key="value" Value="1,2"/>
        <Argument Key="unit" Value="m3 s-1"/><Argument Key="elements" Value="a,b"/></Component>
      <Link From="inflow.value" To="p.inflow"><Adaptor Id="by-id"/></Link>
      <Observe Item="p.outflow" Id="gpkg_flow"/><Observe Item="weather.rain"/><Observe Item="p.outflow" Id="GPKG_FLOW"/>
      <Run From="2015-12-01T01:00Z" To="2015-12-01T04:00Z"/><Results GeoPackage="map.gpkg"/></Composition>)");
  }

  /// Runs the composition and returns its errors.
  std::string Run(bool overwrite = false) {
    Problems problems;
    Composition composition(ReadCompositionFile(folder_ / "made.xml", problems));
    composition.Load(problems);
    composition.Connect(problems);
    CheckComposition(composition, problems);
    RunOptions options;
    options.folder = folder_ / "results";
    options.overwrite = overwrite;
    record_ = CompositionRun(composition, problems, options).Run();
    return testing::ErrorsOf(record_);
  }

  ScratchFolder folder_{"geopackage"};
  RunRecord record_;
};

TEST_F(GeoPackage, HasALayerForEachObservedItemAndAFeatureForEachElement) {
  ASSERT_EQ(Run(), "");
  EXPECT_THAT(record_.files, Contains(folder_ / "results/map.gpkg"));
  const std::string path = folder_ / "results/map.gpkg";
  const VectorLayer flow = ReadVectorLayer(path, "v_gpkg_flow");
  EXPECT_THAT(flow.columns, ElementsAre("id", "mean", "smallest", "smallest_at", "largest", "largest_at", "last",
                                        "count", "missing", "fid"));
  EXPECT_THAT(flow.cells[0], ElementsAre("a", "b"));
  ASSERT_EQ(flow.features.size(), 2u);
  ASSERT_EQ(flow.features[0].polygons.size(), 1u);
  ASSERT_EQ(flow.features[0].polygons[0].holes.size(), 1u);
  EXPECT_EQ(flow.features[0].polygons[0].outer[1].x, 8.1);
  EXPECT_EQ(flow.features[1].polygons.size(), 2u);
  EXPECT_EQ(flow.reference_system, "") << "WGS 84";
  // The numbers are those of the record, to the last bit.
  const RecordedSeries& series = record_.series[0];
  double sum = 0.0;
  for (std::size_t row = 0; row < series.times.size(); ++row) sum += series.values[row * 2];
  EXPECT_EQ(std::stod(flow.cells[1][0]), sum / static_cast<double>(series.times.size()));
  EXPECT_EQ(std::stod(flow.cells[6][1]), series.values.back());
  EXPECT_EQ(flow.cells[7][0], std::to_string(series.times.size()));
  EXPECT_THAT(flow.cells[5][0], HasSubstr("2015/12/01 04:00:00"));
  EXPECT_EQ(ReadVectorLayer(path, "v_GPKG_FLOW_2").features.size(), 2u) << "names that differ in case only";
}

TEST_F(GeoPackage, SaysWhatIsMissingAndAddsUpAmounts) {
  ASSERT_EQ(Run(), "");
  const VectorLayer rain = ReadVectorLayer(folder_ / "results/map.gpkg", "rain");
  EXPECT_THAT(rain.columns, Contains("total"));
  EXPECT_THAT(rain.cells[1], ElementsAre("12", "8"));
  EXPECT_THAT(rain.cells[8], ElementsAre("0", "1"));
  EXPECT_TRUE(rain.features[0].polygons.empty() && !rain.features[0].point) << "it has no places";
}

TEST_F(GeoPackage, IsReplacedOnlyIfAskedFor) {
  ASSERT_EQ(Run(), "");
  const std::string first = folder_.Read("results/map.gpkg");
  EXPECT_THROW(Run(), FileError);
  EXPECT_EQ(folder_.Read("results/map.gpkg"), first);
  EXPECT_EQ(Run(true), "");
  for (const char* name : {"made.csv", "made.nc"}) std::filesystem::remove(folder_ / (std::string("results/") + name));
  EXPECT_THROW(Run(), FileError) << "it is a result like the others";
}

TEST_F(GeoPackage, IsThereBeforeItIsOpenedByGdal) {
  ASSERT_EQ(Run(), "");
  GDALAllRegister();
  const std::unique_ptr<GDALDataset> data(static_cast<GDALDataset*>(GDALOpenEx(
      (folder_ / "results/map.gpkg").c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY, nullptr, nullptr, nullptr)));
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(data->GetLayerCount(), 3);
  OGRLayer& layer = *data->GetLayerByName("v_gpkg_flow");
  EXPECT_EQ(layer.GetGeomType(), wkbMultiPolygon);
  EXPECT_STREQ(layer.GetSpatialRef()->GetAuthorityCode(nullptr), "4326");
  EXPECT_THAT(std::string(layer.GetMetadataItem("DESCRIPTION")), AllOf(HasSubstr("m3 s-1"), HasSubstr("3 rows")));
}

}  // namespace
}  // namespace openmi
