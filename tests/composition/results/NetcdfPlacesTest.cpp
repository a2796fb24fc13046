// Places in results: what the conventions ask for, by the library itself, and that nothing is lost on the way back.

#include <gmock/gmock.h>

#include "OpenedNetcdf.hpp"
#include "PlacesFixture.hpp"
#include "composition/results/JournalReader.hpp"
#include "composition/results/NetcdfResults.hpp"
#include "composition/results/ReadResults.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class NetcdfPlacesTest : public ResultsTest {
 protected:
  /// Writes a row of each series, 1, 2, 3 and so on.
  void Write(const std::string& name, const std::vector<ResultSeries>& series, int compression = 0) {
    RunInfo info = Info();
    info.compression = compression;
    NetcdfResults results(In(name), info, series);
    for (std::size_t i = 0; i < series.size(); ++i) {
      std::vector<double> row(series[i].Width());
      for (std::size_t k = 0; k < row.size(); ++k) row[k] = static_cast<double>(k + 1);
      results.Append(i, Hour(1), Hour(1), row);
    }
    results.Close();
  }
};

TEST_F(NetcdfPlacesTest, PolygonsHaveTheirPartsAndHoles) {
  Write("a.nc", {At("runoff.volume", Catchments())});
  const OpenedNetcdf file(In("a.nc"));
  EXPECT_EQ(file.Text("volume", "geometry"), "sub_catchments_geometry");
  EXPECT_EQ(file.Text("volume", "grid_mapping"), "crs");
  EXPECT_EQ(file.Text("volume", "coordinates"), "sub_catchments lat lon");
  EXPECT_EQ(file.Text("volume", "mesh"), "(none)");
  EXPECT_EQ(file.Text("", "Conventions"), "CF-1.8");
  EXPECT_EQ(file.Text("", "featureType"), "timeSeries");
  EXPECT_EQ(file.Text("sub_catchments", "long_name"), "Sub-catchments");
  const char* const container = "sub_catchments_geometry";
  EXPECT_EQ(file.Text(container, "geometry_type"), "polygon");
  EXPECT_EQ(file.Text(container, "node_coordinates"), "sub_catchments_node_lon sub_catchments_node_lat");
  EXPECT_EQ(file.Text(container, "node_count"), "sub_catchments_node_count");
  EXPECT_EQ(file.Text(container, "part_node_count"), "sub_catchments_part_node_count");
  EXPECT_EQ(file.Text(container, "interior_ring"), "sub_catchments_interior_ring");
  EXPECT_EQ(file.Text(container, "grid_mapping"), "crs");
  // Each ring ends with its first node.
  EXPECT_THAT(file.Numbers("sub_catchments_node_count"), ElementsAre(5 + 4, 5 + 5 + 4 + 4, 4));
  EXPECT_THAT(file.Numbers("sub_catchments_part_node_count"), ElementsAre(5, 4, 5, 5, 4, 4, 4));
  EXPECT_THAT(file.Numbers("sub_catchments_interior_ring"), ElementsAre(0, 1, 0, 0, 1, 1, 0));
  const std::vector<double> x = file.Numbers("sub_catchments_node_lon");
  ASSERT_EQ(x.size(), 31u);
  EXPECT_EQ(x[0], x[4]);
  EXPECT_EQ(x[5], -79.75);
  EXPECT_EQ(file.Text("sub_catchments_node_lon", "axis"), "X");
  EXPECT_EQ(file.Text("sub_catchments_node_lat", "axis"), "Y");
  EXPECT_EQ(file.Text("sub_catchments_node_lat", "units"), "degrees_north");
  EXPECT_EQ(file.Text("lon", "nodes"), "sub_catchments_node_lon");
  EXPECT_EQ(file.Text("crs", "grid_mapping_name"), "latitude_longitude");
  EXPECT_THAT(file.Attribute("crs", "semi_major_axis"), ElementsAre(6378137.0));
  EXPECT_THAT(file.Attribute("crs", "inverse_flattening"), ElementsAre(DoubleEq(298.257223563)));
  EXPECT_EQ(file.Text("crs", "crs_wkt"), kWgs84Wkt);

  const ResultSeries read = ReadResults(In("a.nc")).series.at(0).series;
  EXPECT_EQ(read.elements_caption, "Sub-catchments");
  EXPECT_THAT(read.attributes, IsEmpty());
  ASSERT_NE(read.places, nullptr);
  ExpectSame(*read.places, Catchments());
  ExpectSame(ReadElementFile(In("a.nc").string(), "again"), Catchments());
}

TEST_F(NetcdfPlacesTest, LinesHaveTheirHeightsAndTheProjection) {
  Write("a.nc", {At("creek.discharge", Reaches())});
  const OpenedNetcdf file(In("a.nc"));
  EXPECT_EQ(file.Text("reaches_geometry", "geometry_type"), "line");
  EXPECT_EQ(file.Text("reaches_geometry", "node_coordinates"), "reaches_node_x reaches_node_y reaches_node_z");
  EXPECT_EQ(file.Text("reaches_geometry", "part_node_count"), "(none)");
  EXPECT_THAT(file.Numbers("reaches_node_count"), ElementsAre(2, 3));
  EXPECT_THAT(file.Numbers("reaches_node_z"), ElementsAre(210, 208.25, 208.25, 207, 206));
  EXPECT_EQ(file.Text("reaches_node_z", "axis"), "Z");
  EXPECT_EQ(file.Text("reaches_node_z", "positive"), "up");
  EXPECT_EQ(file.Text("reaches_node_x", "standard_name"), "projection_x_coordinate");
  EXPECT_EQ(file.Text("reaches_node_x", "units"), "m");
  EXPECT_EQ(file.Text("x", "nodes"), "reaches_node_x");
  EXPECT_EQ(file.Text("", "featureType"), "(none)") << "it asks for longitude and latitude";
  EXPECT_EQ(file.Text("crs", "grid_mapping_name"), "transverse_mercator");
  EXPECT_THAT(file.Attribute("crs", "longitude_of_central_meridian"), ElementsAre(-81.0));
  EXPECT_THAT(file.Attribute("crs", "scale_factor_at_central_meridian"), ElementsAre(0.9996));
  EXPECT_THAT(file.Attribute("crs", "false_easting"), ElementsAre(500'000.0));
  EXPECT_THAT(file.Text("crs", "crs_wkt"), HasSubstr("UTM zone 17N"));
  ExpectSame(*ReadResults(In("a.nc")).series.at(0).series.places, Reaches());
  ExpectSame(ReadElementFile(In("a.nc").string(), "again", {.ids = "reaches"}), Reaches());
}

TEST_F(NetcdfPlacesTest, PointsAreTheirOwnNodes) {
  const ElementSet wells = ElementSet::Points("wells", kLocalMetresWkt, {"w1", "w2"}, std::vector{1.5, 2.5},
                                              std::vector{3.0, 4.0}, std::vector{-10.0, -12.0});
  Write("a.nc", {At("level", wells)});
  const OpenedNetcdf file(In("a.nc"));
  EXPECT_EQ(file.Text("wells_geometry", "geometry_type"), "point");
  EXPECT_EQ(file.Text("wells_geometry", "node_coordinates"), "x y wells_z");
  EXPECT_EQ(file.Text("level", "coordinates"), "wells y x wells_z");
  EXPECT_EQ(file.Text("x", "axis"), "X");
  EXPECT_EQ(file.Text("x", "units"), "m");
  EXPECT_EQ(file.Text("x", "standard_name"), "(none)") << "the plane is no projection of the earth";
  EXPECT_EQ(file.Text("crs", "grid_mapping_name"), "(none)");
  EXPECT_EQ(file.Text("crs", "crs_wkt"), kLocalMetresWkt);
  ExpectSame(*ReadResults(In("a.nc")).series.at(0).series.places, wells);
}

TEST_F(NetcdfPlacesTest, AMeshHasItsTopologyBesideItsPolygons) {
  Write("a.nc", {At("flow.depth", Faces())});
  const OpenedNetcdf file(In("a.nc"));
  EXPECT_EQ(file.Text("", "Conventions"), "CF-1.8 UGRID-1.0");
  EXPECT_EQ(file.Text("depth", "mesh"), "faces_of_the_grid_mesh");
  EXPECT_EQ(file.Text("depth", "location"), "face");
  EXPECT_EQ(file.Text("depth", "geometry"), "faces_of_the_grid_geometry");
  const char* const mesh = "faces_of_the_grid_mesh";
  EXPECT_EQ(file.Text(mesh, "cf_role"), "mesh_topology");
  EXPECT_THAT(file.Attribute(mesh, "topology_dimension"), ElementsAre(2));
  EXPECT_EQ(file.Text(mesh, "node_coordinates"), "faces_of_the_grid_mesh_node_x faces_of_the_grid_mesh_node_y");
  EXPECT_EQ(file.Text(mesh, "face_node_connectivity"), "faces_of_the_grid_mesh_face_nodes");
  EXPECT_EQ(file.Text(mesh, "face_dimension"), "faces_of_the_grid");
  EXPECT_EQ(file.Text(mesh, "face_coordinates"), "x y");
  const char* const nodes = "faces_of_the_grid_mesh_face_nodes";
  EXPECT_THAT(file.Attribute(nodes, "start_index"), ElementsAre(0));
  EXPECT_THAT(file.Attribute(nodes, "_FillValue"), ElementsAre(-1));
  EXPECT_THAT(file.Numbers(nodes), ElementsAre(0, 1, 2, 3, 1, 4, 5, 2, 3, 2, 6, -1));
  EXPECT_THAT(file.Numbers("faces_of_the_grid_mesh_node_x"), ElementsAre(0, 1, 1, 0, 2, 2, 1));
  ExpectSame(ReadElementFile(In("a.nc").string(), "as a mesh"), Faces());
  ExpectSame(ReadElementFile(In("a.nc").string(), "as polygons", {.ids = "faces_of_the_grid"}), Faces());
}

TEST_F(NetcdfPlacesTest, PointsAtTheNodesOfAMeshAreItsNodes) {
  Write("a.nc", {At("flow.depth", Faces()), At("flow.level", Nodes())});
  const OpenedNetcdf file(In("a.nc"));
  EXPECT_EQ(file.Text("level", "mesh"), file.Text("depth", "mesh"));
  EXPECT_EQ(file.Text("level", "location"), "node");
  const char* const mesh = "faces_of_the_grid_mesh";
  EXPECT_EQ(file.Text(mesh, "node_dimension"), "nodes_of_the_grid");
  EXPECT_EQ(file.Text(mesh, "node_coordinates"), "nodes_of_the_grid_x nodes_of_the_grid_y");
  EXPECT_THAT(file.Numbers("faces_of_the_grid_mesh_face_nodes"), ElementsAre(1, 3, 7, 4, 3, 2, 6, 7, 4, 7, 0, -1));
  ExpectSame(ReadElementFile(In("a.nc").string(), "faces"), Faces());
  const ElementSet nodes = ReadElementFile(In("a.nc").string(), "nodes", {.ids = "nodes_of_the_grid", .place = "node"});
  ExpectSame(nodes, Nodes());
}

TEST_F(NetcdfPlacesTest, LinesOfTwoVerticesAreTheEdgesOfAMesh) {
  ElementSetBuilder builder("edges", ElementType::PolyLine, kLocalMetresWkt);
  builder.AddPolyLine("e1", std::vector<ElementVertex>{{0, 0}, {1, 0}});
  builder.AddPolyLine("e2", std::vector<ElementVertex>{{1, 0}, {2, 0}});
  const ElementSet edges = builder.Build();
  Write("a.nc", {At("flow.q", edges)});
  const OpenedNetcdf file(In("a.nc"));
  EXPECT_EQ(file.Text("q", "location"), "edge");
  EXPECT_THAT(file.Attribute("edges_mesh", "topology_dimension"), ElementsAre(1));
  EXPECT_EQ(file.Text("edges_mesh", "edge_node_connectivity"), "edges_mesh_edge_nodes");
  EXPECT_THAT(file.Numbers("edges_mesh_edge_nodes"), ElementsAre(0, 1, 1, 2));
  ExpectSame(ReadElementFile(In("a.nc").string(), "edges", {.place = "edge"}), edges);
}

TEST_F(NetcdfPlacesTest, SeriesShareElementsAndReferenceSystems) {
  ResultSeries discharge = At("creek.discharge", Reaches());
  ResultSeries depth = discharge;
  depth.id = "creek.depth";
  ResultSeries other = At("creek.width", Reaches());  // equal, and not the same object
  ResultSeries named;
  named.id = "zones.storage";
  named.elements_caption = "zones";
  named.elements = {"z1", "z2"};
  Write("a.nc", {discharge, depth, At("runoff.depth", Catchments()), named, At("rain.depth", Catchments())});
  {
    const OpenedNetcdf file(In("a.nc"));
    EXPECT_EQ(file.Text("discharge", "geometry"), "reaches_geometry");
    EXPECT_EQ(file.Text("creek_depth", "geometry"), "reaches_geometry");
    EXPECT_EQ(file.Text("runoff_depth", "grid_mapping"), "crs_2");
    EXPECT_EQ(file.Text("rain_depth", "grid_mapping"), "crs_2");
    EXPECT_EQ(file.Text("runoff_depth", "coordinates"), "sub_catchments sub_catchments_lat sub_catchments_lon");
    EXPECT_EQ(file.Text("storage", "coordinates"), "zones");
    EXPECT_EQ(file.Text("storage", "geometry"), "(none)");
    EXPECT_FALSE(file.Has("depth")) << "three end like this";
  }
  const ResultTable table = ReadResults(In("a.nc"));
  EXPECT_EQ(table.series[0].series.places, table.series[1].series.places);
  EXPECT_EQ(table.series[3].series.elements_caption, "zones");
  EXPECT_EQ(table.series[3].series.places, nullptr);
  EXPECT_THAT([this] { ReadElementFile(In("a.nc").string(), "which"); },
              ThrowsMessage<ArgumentError>(AllOf(HasSubstr("a.nc"), HasSubstr("reaches, sub_catchments"),
                                                 HasSubstr("name the variable with the ids"))));
  ExpectSame(ReadElementFile(In("a.nc").string(), "reaches", {.ids = "reaches"}), Reaches());
}

TEST_F(NetcdfPlacesTest, NothingIsLostInAJournalOrACompressedFile) {
  ResultSeries first = At("runoff.depth", Catchments());
  ResultSeries second = first;
  second.id = "runoff.rate";
  {
    NetcdfResults results(In("a.nc"), Info(), {first, second, At("creek.discharge", Reaches())});
    results.Append(0, Hour(1), Hour(1), std::vector{1.0, 2.0, 3.0});
    results.Commit(Hour(1));
    std::filesystem::copy_file(JournalOf(In("a.nc")), JournalOf(In("killed.nc")));
  }
  const JournalReader journal(JournalOf(In("killed.nc")));
  ASSERT_EQ(journal.Series().size(), 3u);
  EXPECT_EQ(journal.Series()[0].places, journal.Series()[1].places) << "written once";
  ExpectSame(*journal.Series()[2].places, Reaches());
  Write("small.nc", {first, second, At("creek.discharge", Reaches())}, 4);
  for (const char* name : {"killed.nc", "small.nc"}) {
    const ResultTable table = ReadResults(In(name));
    ASSERT_EQ(table.series.size(), 3u) << name;
    EXPECT_EQ(table.series[1].series.elements_caption, "Sub-catchments");
    ExpectSame(*table.series[1].series.places, Catchments());
    ExpectSame(*table.series[2].series.places, Reaches());
  }
}

TEST_F(NetcdfPlacesTest, APlaceForAnotherNumberOfElementsIsRefused) {
  ResultSeries wrong = At("creek.discharge", Reaches());
  wrong.places = std::make_shared<const ElementSet>(Catchments());
  EXPECT_THAT(
      ([&] { NetcdfResults(In("a.nc"), {}, {wrong}); }),
      ThrowsMessage<FormatError>(AllOf(HasSubstr("creek.discharge"), HasSubstr("places of 2 elements, found 3"))));
}

TEST_F(NetcdfPlacesTest, NamesAreGivenOnceAndToVariablesBeforeDimensions) {
  ResultSeries time;
  time.id = "clock.time";
  ResultSeries lon;
  lon.id = "ship.lon";
  ResultSeries reaches = At("creek.reaches", Reaches());
  ResultSeries number;
  number.id = "a.2";
  ResultSeries plain;
  plain.id = "speed";
  ResultSeries speed;
  speed.id = "ship.speed";
  ResultSeries at = Discharge();
  at.elements_caption = "a caption of more than forty characters is no name";
  at.id = "gauge.flow";
  Write("a.nc", {time, lon, reaches, number, plain, speed, at});
  const OpenedNetcdf file(In("a.nc"));
  EXPECT_EQ(file.Text("clock_time", "id"), "clock.time");
  EXPECT_EQ(file.Text("lon", "id"), "ship.lon") << "two sets of places: their coordinates are named after the sets";
  EXPECT_EQ(file.Text("reaches", "id"), "creek.reaches");
  EXPECT_EQ(file.Text("line", "long_name"), "reaches");
  EXPECT_EQ(file.Text("a_2", "id"), "a.2");
  EXPECT_EQ(file.Text("speed", "id"), "speed");
  EXPECT_EQ(file.Text("ship_speed", "id"), "ship.speed");
  EXPECT_EQ(file.Text("flow", "coordinates"), "element element_lat element_lon");
  const ResultTable table = ReadResults(In("a.nc"));
  std::vector<std::string> ids;
  for (const ResultRows& rows : table.series) ids.push_back(rows.series.id);
  EXPECT_THAT(ids, ElementsAre("clock.time", "ship.lon", "creek.reaches", "a.2", "speed", "ship.speed", "gauge.flow"));
  EXPECT_THAT(table.series[6].series.elements, ElementsAre("fp-27", "fp-52"));
  EXPECT_EQ(table.series[6].series.elements_caption, at.elements_caption);
}

TEST_F(NetcdfPlacesTest, AStandardNameNeedsItsUnit) {
  ResultSeries wrong = At("pump.discharge", Reaches());
  wrong.unit = "m s-1";
  ResultSeries unnamed;
  unnamed.id = "gauge.q";
  unnamed.caption = "discharge";
  unnamed.quantity = unnamed.unit = "m3 s-1";
  Write("a.nc", {At("creek.discharge", Reaches()), wrong, unnamed});
  const OpenedNetcdf file(In("a.nc"));
  EXPECT_EQ(file.Text("creek_discharge", "standard_name"), "water_volume_transport_in_river_channel");
  EXPECT_EQ(file.Text("pump_discharge", "standard_name"), "(none)");
  EXPECT_EQ(file.Text("q", "standard_name"), "water_volume_transport_in_river_channel");
  EXPECT_THAT(ReadResults(In("a.nc")).series[0].series.attributes, IsEmpty());
}

}  // namespace
}  // namespace openmi
