// The library openmi-gdal: layers of GeoPackages and shapefiles by GDAL. It is a library of its own, because GDAL
// brings a hundred others along, which a run without such files does not need.

#include <fmt/format.h>
#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include "components/layers/GdalMessages.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/files/ElementFile.hpp"
#include "timespace/files/VectorLayer.hpp"

namespace openmi {
namespace {

/// What may be opened: formats that are one data set, and name no other files and no hosts.
constexpr const char* const kDrivers[] = {"GPKG", "ESRI Shapefile", "FlatGeobuf", nullptr};
constexpr const char* kConvert = "convert it with ogr2ogr to a GeoPackage, or to GeoJSON";

struct Close {
  void operator()(GDALDataset* data) const { GDALClose(data); }
};
using Data = std::unique_ptr<GDALDataset, Close>;

Data Opened(const std::string& path) {
  RegisterGdal();
  CPLErrorReset();
  // The file is only read: so no lock files are made beside it. But what another program has written beside it, and not
  // yet into it, would be missing.
  std::error_code error;
  const auto beside = std::filesystem::file_size(path + "-wal", error);
  const bool is_whole = Lower(path).ends_with(".gpkg") && (error || beside == 0);
  const char* const options[] = {is_whole ? "IMMUTABLE=YES" : nullptr, nullptr};
  Data data(static_cast<GDALDataset*>(
      GDALOpenEx(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, kDrivers, options, nullptr)));
  if (data == nullptr) {
    throw FormatError({.file = path},
                      fmt::format("expected a GeoPackage, a shapefile or a FlatGeobuf, found a file that GDAL cannot "
                                  "open ({})",
                                  GdalMessage()),
                      "check that the file is whole, and that its ending says what it is");
  }
  return data;
}

OGRLayer& LayerOf(GDALDataset& data, const std::string& path, const std::string& name) {
  std::vector<std::string> names;
  for (int i = 0; i < data.GetLayerCount(); ++i) names.emplace_back(data.GetLayer(i)->GetName());
  if (name.empty() && names.size() == 1) return *data.GetLayer(0);
  OGRLayer* const found = name.empty() ? nullptr : data.GetLayerByName(name.c_str());
  if (found != nullptr) return *found;
  throw FormatError({.file = path},
                    name.empty()
                        ? fmt::format("expected the name of a layer of a file with {}, found none", names.size())
                        : fmt::format("expected a layer of the file, found '{}'", name),
                    Suggest(name, names));
}

/// Well-known text as ReferenceSystemNamed gives it; empty: WGS 84, or a layer without places.
std::string SystemOf(const OGRLayer& layer, const std::string& path) {
  const OGRSpatialReference* const system = const_cast<OGRLayer&>(layer).GetSpatialRef();
  if (system == nullptr) return {};
  const char* const authority = system->GetAuthorityName(nullptr);
  const char* const code = system->GetAuthorityCode(nullptr);
  if (authority != nullptr && code != nullptr) {
    const std::string name = fmt::format("{}:{}", authority, code);
    return name == "EPSG:4326" || name == "OGC:CRS84" ? std::string() : ReferenceSystemNamed(name);
  }
  char* text = nullptr;
  const char* const options[] = {"FORMAT=WKT2_2019", nullptr};
  OGRSpatialReference copy(*system);
  copy.SetDataAxisToSRSAxisMapping({1, 2});
  if (copy.exportToWkt(&text, options) != OGRERR_NONE) {
    throw FormatError({.file = path}, "expected a reference system that can be described, found one that cannot",
                      "transform it with ogr2ogr -t_srs");
  }
  std::string result(text);
  CPLFree(text);
  return result;
}

ElementVertex VertexOf(const OGRPoint& point) {
  return {point.getX(), point.getY(), point.getZ()};
}

std::vector<ElementVertex> VerticesOf(const OGRSimpleCurve& curve) {
  std::vector<ElementVertex> vertices;
  vertices.reserve(static_cast<std::size_t>(curve.getNumPoints()));
  for (int i = 0; i < curve.getNumPoints(); ++i) vertices.push_back({curve.getX(i), curve.getY(i), curve.getZ(i)});
  return vertices;
}

ElementSetBuilder::Part PartOf(const OGRPolygon& polygon) {
  ElementSetBuilder::Part part;
  if (polygon.getExteriorRing() != nullptr) part.outer = VerticesOf(*polygon.getExteriorRing());
  for (int i = 0; i < polygon.getNumInteriorRings(); ++i) {
    part.holes.push_back(VerticesOf(*polygon.getInteriorRing(i)));
  }
  return part;
}

void TakeShape(const OGRGeometry& given, GeoJsonFeature& feature, const std::string& path, GIntBig fid) {
  if (given.IsEmpty()) return;
  const std::unique_ptr<OGRGeometry> linear(given.hasCurveGeometry() != 0 ? given.getLinearGeometry() : given.clone());
  const OGRGeometry* shape = linear.get();
  const OGRwkbGeometryType type = wkbFlatten(shape->getGeometryType());
  const bool is_single_part =
      (type == wkbMultiPoint || type == wkbMultiLineString) && shape->toGeometryCollection()->getNumGeometries() == 1;
  if (is_single_part) shape = shape->toGeometryCollection()->getGeometryRef(0);
  switch (wkbFlatten(shape->getGeometryType())) {
    case wkbPoint:
      feature.point = VertexOf(*shape->toPoint());
      return;
    case wkbLineString:
      feature.line = VerticesOf(*shape->toLineString());
      return;
    case wkbPolygon:
      feature.polygons.push_back(PartOf(*shape->toPolygon()));
      return;
    case wkbMultiPolygon:
      for (const OGRPolygon* polygon : *shape->toMultiPolygon()) feature.polygons.push_back(PartOf(*polygon));
      return;
    default:
      throw FormatError({.file = path},
                        fmt::format("expected a point, a line, a polygon or a multi-polygon in feature {}, found {}",
                                    fid, shape->getGeometryName()),
                        "split it into features of one part each, for instance with ogr2ogr -explodecollections");
  }
}

std::string TextOf(const OGRFeature& feature, int field, OGRFieldType type) {
  if (feature.IsFieldSetAndNotNull(field) == 0) return {};
  if (type == OFTReal) {
    const double number = feature.GetFieldAsDouble(field);
    return std::isnan(number) ? std::string() : fmt::format("{}", number);
  }
  return const_cast<OGRFeature&>(feature).GetFieldAsString(field);
}

void Read(const std::string& path, const std::string& name, VectorLayer& read) {
  const QuietGdal quiet;
  const Data data = Opened(path);
  OGRLayer& layer = LayerOf(*data, path, name);
  read.reference_system = SystemOf(layer, path);
  const OGRFeatureDefn& definition = *layer.GetLayerDefn();
  const int fields = definition.GetFieldCount();
  for (int i = 0; i < fields; ++i) read.columns.emplace_back(definition.GetFieldDefn(i)->GetNameRef());
  const std::string id_column = layer.GetFIDColumn();
  const bool has_id_column = !id_column.empty() && std::ranges::find(read.columns, id_column) == read.columns.end();
  if (has_id_column) read.columns.push_back(id_column);
  read.cells.resize(read.columns.size());
  CPLErrorReset();
  layer.ResetReading();
  while (const std::unique_ptr<OGRFeature> feature{layer.GetNextFeature()}) {
    for (int i = 0; i < fields; ++i) {
      read.cells[static_cast<std::size_t>(i)].push_back(TextOf(*feature, i, definition.GetFieldDefn(i)->GetType()));
    }
    if (has_id_column) read.cells.back().push_back(fmt::format("{}", feature->GetFID()));
    GeoJsonFeature& shape = read.features.emplace_back();
    if (const OGRGeometry* geometry = feature->GetGeometryRef()) {
      TakeShape(*geometry, shape, path, feature->GetFID());
    }
  }
  if (CPLGetLastErrorType() >= CE_Failure) {
    throw FormatError({.file = path},
                      fmt::format("expected {} features that can be read, found, after {}: {}", layer.GetFeatureCount(),
                                  read.features.size(), GdalMessage()),
                      std::string("use an intact copy, or ") + kConvert);
  }
}

}  // namespace
}  // namespace openmi

extern "C" __attribute__((visibility("default"))) void openmi_read_vector_layer_v1(const std::string& path,
                                                                                   const std::string& layer,
                                                                                   openmi::VectorLayer& read) {
  openmi::Read(path, layer, read);
}
