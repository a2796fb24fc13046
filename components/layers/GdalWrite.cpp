// The part of the library openmi-gdal that writes GeoPackages.

#include <fmt/format.h>
#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "components/layers/GdalMessages.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/files/VectorLayer.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

[[noreturn]] void Refuse(const std::string& path, const std::string& what) {
  throw FileError({.file = path}, fmt::format("expected to write {}, found that GDAL cannot ({})", what, GdalMessage()),
                  "check that the disk has space and the folder may be written to");
}

OGRwkbGeometryType TypeOf(const ElementSet* places) {
  if (places == nullptr) return wkbNone;
  switch (places->ElementType()) {
    case ElementType::Point:
      return wkbPoint;
    case ElementType::PolyLine:
      return wkbLineString;
    case ElementType::Polygon:
      return wkbMultiPolygon;  // some may have several parts
    default:
      return wkbNone;
  }
}

std::unique_ptr<OGRGeometry> PolygonOf(const ElementSet& places, int element) {
  auto whole = std::make_unique<OGRMultiPolygon>();
  std::unique_ptr<OGRPolygon> part;
  for (const ElementRing& ring : places.Rings(element)) {
    auto closed = std::make_unique<OGRLinearRing>();
    for (std::size_t i = 0; i < ring.x.size(); ++i) closed->addPoint(ring.x[i], ring.y[i]);
    closed->closeRings();
    if (!ring.is_hole) {
      if (part != nullptr) whole->addGeometryDirectly(part.release());
      part = std::make_unique<OGRPolygon>();
    }
    part->addRingDirectly(closed.release());
  }
  if (part != nullptr) whole->addGeometryDirectly(part.release());
  return whole;
}

std::unique_ptr<OGRGeometry> ShapeOf(const ElementSet& places, int element) {
  const std::span<const std::size_t> offsets = places.VertexOffsets();
  const std::size_t first = offsets[static_cast<std::size_t>(element)];
  switch (places.ElementType()) {
    case ElementType::Point:
      return std::make_unique<OGRPoint>(places.X()[first], places.Y()[first]);
    case ElementType::PolyLine: {
      auto line = std::make_unique<OGRLineString>();
      for (std::size_t i = first; i < offsets[static_cast<std::size_t>(element) + 1]; ++i) {
        line->addPoint(places.X()[i], places.Y()[i]);
      }
      return line;
    }
    default:
      return PolygonOf(places, element);
  }
}

OGRFieldType FieldTypeOf(LayerColumn::Kind kind) {
  return kind == LayerColumn::Kind::Number ? OFTReal : kind == LayerColumn::Kind::Count ? OFTInteger64 : OFTDateTime;
}

void Fill(OGRFeature& feature, const LayerToWrite& layer, std::size_t row) {
  feature.SetField(0, layer.ids[row].c_str());
  for (std::size_t i = 0; i < layer.columns.size(); ++i) {
    const LayerColumn& column = layer.columns[i];
    const double value = column.values[row];
    const int field = static_cast<int>(i) + 1;
    if (!std::isfinite(value)) {
      feature.SetFieldNull(field);
    } else if (column.kind == LayerColumn::Kind::Time) {
      feature.SetField(field, FormatIsoTime(Stamp{value}).c_str());
    } else if (column.kind == LayerColumn::Kind::Count) {
      feature.SetField(field, static_cast<GIntBig>(value));
    } else {
      feature.SetField(field, value);
    }
  }
}

void WriteLayer(GDALDataset& data, const LayerToWrite& layer, const std::string& path) {
  const OGRwkbGeometryType type = TypeOf(layer.places.get());
  OGRSpatialReference system;
  if (type != wkbNone) {
    system.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    if (system.importFromWkt(layer.places->SpatialReferenceSystemWkt().c_str()) != OGRERR_NONE) {
      Refuse(path, fmt::format("the reference system of the layer '{}'", layer.name));
    }
    system.AutoIdentifyEPSG();
    // What a GeoPackage calls EPSG:4326: it has longitude first in any system.
    const char* const code = system.GetAuthorityCode(nullptr);
    if (code != nullptr && std::string_view(code) == "CRS84") system.importFromEPSG(4326);
  }
  char** options = CSLSetNameValue(nullptr, "DESCRIPTION", layer.description.c_str());
  OGRLayer* const made = data.CreateLayer(layer.name.c_str(), type != wkbNone ? &system : nullptr, type, options);
  CSLDestroy(options);
  if (made == nullptr) Refuse(path, fmt::format("the layer '{}'", layer.name));
  OGRFieldDefn id("id", OFTString);
  bool is_good = made->CreateField(&id) == OGRERR_NONE;
  for (const LayerColumn& column : layer.columns) {
    OGRFieldDefn field(column.name.c_str(), FieldTypeOf(column.kind));
    if (!column.unit.empty()) field.SetAlternativeName(fmt::format("{} [{}]", column.name, column.unit).c_str());
    is_good = is_good && made->CreateField(&field) == OGRERR_NONE;
  }
  if (!is_good) Refuse(path, fmt::format("the columns of the layer '{}'", layer.name));
  OGRFeature feature(made->GetLayerDefn());
  for (std::size_t row = 0; row < layer.ids.size(); ++row) {
    feature.SetFID(OGRNullFID);
    Fill(feature, layer, row);
    if (type != wkbNone) feature.SetGeometryDirectly(ShapeOf(*layer.places, static_cast<int>(row)).release());
    if (made->CreateFeature(&feature) != OGRERR_NONE) {
      Refuse(path, fmt::format("the feature '{}' of the layer '{}'", layer.ids[row], layer.name));
    }
  }
}

void Write(const std::string& path, std::span<const LayerToWrite> layers) {
  const QuietGdal quiet;
  RegisterGdal();
  GDALDriver* const driver = GetGDALDriverManager()->GetDriverByName("GPKG");
  CPLErrorReset();
  GDALDataset* const data = driver != nullptr ? driver->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr) : nullptr;
  if (data == nullptr) Refuse(path, "a GeoPackage");
  try {
    if (data->StartTransaction() != OGRERR_NONE) Refuse(path, "a GeoPackage");
    for (const LayerToWrite& layer : layers) WriteLayer(*data, layer, path);
    if (data->CommitTransaction() != OGRERR_NONE) Refuse(path, "the rows of the GeoPackage");
  } catch (...) {
    GDALClose(data);
    throw;
  }
  CPLErrorReset();
  GDALClose(data);
  if (CPLGetLastErrorType() >= CE_Failure) Refuse(path, "the end of the GeoPackage");
}

}  // namespace
}  // namespace openmi

extern "C" __attribute__((visibility("default"))) void openmi_write_geopackage_v1(
    const std::string& path, std::span<const openmi::LayerToWrite> layers) {
  openmi::Write(path, layers);
}
