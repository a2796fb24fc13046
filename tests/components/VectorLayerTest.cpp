#include <gdal_priv.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

#include <string>

#include "components/population/RowTable.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/support/ScratchFolder.hpp"
#include "timespace/files/VectorLayer.hpp"

namespace openmi {
namespace {

using population::RowTable;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Writes files with the library that the product reads them with; what they hold is stated here.
class VectorLayers : public ::testing::Test {
 protected:
  VectorLayers() { GDALAllRegister(); }

  struct Row {
    const char* id;
    double k;  ///< negative: no value
    const char* shape;
  };

  /// A layer with the columns divide_id and k, in Conus Albers.
  std::string Write(const std::string& name, const char* driver, const std::string& layer_name,
                    const std::vector<Row>& rows, bool append = false) {
    const std::string path = folder_ / name;
    GDALDriver* const made_by = GetGDALDriverManager()->GetDriverByName(driver);
    GDALDataset* const data = append ? static_cast<GDALDataset*>(GDALOpenEx(
                                           path.c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE, nullptr, nullptr, nullptr))
                                     : made_by->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr);
    OGRSpatialReference system;
    system.importFromEPSG(5070);
    OGRLayer* const layer = data->CreateLayer(layer_name.c_str(), &system, wkbUnknown, nullptr);
    OGRFieldDefn id("divide_id", OFTString), k("k", OFTReal);
    layer->CreateField(&id);
    layer->CreateField(&k);
    for (const Row& row : rows) {
      OGRFeature feature(layer->GetLayerDefn());
      feature.SetField("divide_id", row.id);
      if (row.k >= 0.0) feature.SetField("k", row.k);
      OGRGeometry* shape = nullptr;
      OGRGeometryFactory::createFromWkt(row.shape, nullptr, &shape);
      if (shape != nullptr) feature.SetGeometryDirectly(shape);
      EXPECT_EQ(layer->CreateFeature(&feature), OGRERR_NONE);
    }
    GDALClose(data);
    return path;
  }

  /// What reading a table says; empty if it succeeds.
  static std::string Refusal(const population::TableSource& source) {
    try {
      RowTable::Read(source);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  ScratchFolder folder_{"layers"};
  const std::vector<Row> squares_ = {{"cat-1", 1.25, "POLYGON ((0 0,1000 0,1000 1000,0 1000,0 0))"},
                                     {"cat-2", -1, "MULTIPOLYGON (((2000 0,3000 0,3000 1000,2000 0)))"}};
};

TEST_F(VectorLayers, GivesColumnsShapesAndTheirReferenceSystem) {
  const std::string path = Write("c.gpkg", "GPKG", "divides", squares_);
  const RowTable table = RowTable::Read({path, "divides", "divide_id"});
  EXPECT_THAT(table.Keys(), ElementsAre("cat-1", "cat-2"));
  EXPECT_THAT(table.Columns(), ElementsAre("divide_id", "k", "fid"));
  EXPECT_EQ(table.Cell(0, table.ColumnOf("k")), "1.25");
  EXPECT_EQ(table.Cell(1, table.ColumnOf("k")), "");
  const ElementSet& elements = *table.Elements();
  EXPECT_EQ(elements.ElementType(), ElementType::Polygon);
  EXPECT_EQ(elements.GetVertexXCoordinate(1, 0), 2000.0);
  EXPECT_THAT(elements.SpatialReferenceSystemWkt(), HasSubstr("Albers"));
  ASSERT_NE(elements.Attribute("k"), nullptr);
  EXPECT_EQ(elements.Attribute("k")->values[0], 1.25);
}

TEST_F(VectorLayers, ReadsShapefilesAndTheOnlyLayerWithoutItsName) {
  const std::string path = Write("c.shp", "ESRI Shapefile", "c", squares_);
  EXPECT_THAT(RowTable::Read({path, "", "divide_id"}).Keys(), ElementsAre("cat-1", "cat-2"));
}

TEST_F(VectorLayers, RefusesWhatIsNotThere) {
  const std::string path = Write("c.gpkg", "GPKG", "divides", squares_);
  EXPECT_THAT(Refusal({path, "divide", "divide_id"}),
              AllOf(HasSubstr("c.gpkg"), HasSubstr("found 'divide'"), HasSubstr("did you mean 'divides'?")));
  EXPECT_THAT(Refusal({path, "divides", "id"}), HasSubstr("expected a column 'id' with the keys, found none"));
  Write("c.gpkg", "GPKG", "flowpaths", {{"wb-1", 1, "LINESTRING (0 0,1 1)"}}, true);
  EXPECT_THAT(Refusal({path, "", "divide_id"}),
              AllOf(HasSubstr("expected the name of a layer of a file with 2"), HasSubstr("divides, flowpaths")));
  EXPECT_THAT(Refusal({folder_ / "none.gpkg", "", "id"}), HasSubstr("none.gpkg"));
}

TEST_F(VectorLayers, RefusesKeysThatOccurTwiceAndShapesThatAreNone) {
  const std::string path =
      Write("c.gpkg", "GPKG", "divides", {{"a", 1, "POINT (0 0)"}, {"a", 1, "POINT (1 0)"}, {"b", 1, "POINT (2 0)"}});
  EXPECT_THAT(Refusal({path, "divides", "divide_id"}), HasSubstr("expected each key of 'divide_id' once"));
  const std::string several = Write("s.gpkg", "GPKG", "divides", {{"a", 1, "MULTIPOINT (0 0,1 1)"}});
  EXPECT_THAT(Refusal({several, "divides", "divide_id"}),
              AllOf(HasSubstr("in feature 1, found MULTIPOINT"), HasSubstr("explodecollections")));
}

TEST_F(VectorLayers, RefusesFilesThatAreNoDatabaseOrDamaged) {
  EXPECT_THAT(Refusal({folder_.Write("no.gpkg", "hello"), "", "id"}), HasSubstr("found a file that GDAL cannot open"));
  const std::string whole = Write("c.gpkg", "GPKG", "divides", squares_);
  const std::string bytes = folder_.Read("c.gpkg");
  for (const std::size_t size : {std::size_t{100}, bytes.size() / 4, bytes.size() / 2}) {
    EXPECT_NE(Refusal({folder_.Write("cut.gpkg", bytes.substr(0, size)), "divides", "divide_id"}), "") << size;
  }
  // A format that names other files is not opened.
  const std::string other = folder_.Write("x.vrt", "<OGRVRTDataSource><OGRVRTLayer name=\"divides\"><SrcDataSource>" +
                                                       whole + "</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>");
  EXPECT_THAT(Refusal({other, "divides", "divide_id"}), HasSubstr("found a file that GDAL cannot open"));
}

}  // namespace
}  // namespace openmi
