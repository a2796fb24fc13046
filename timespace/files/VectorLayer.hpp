#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "timespace/elements/ElementSet.hpp"
#include "timespace/files/GeoJson.hpp"

namespace openmi {

/// The features of a layer of a GeoPackage, a shapefile or another format of GDAL.
struct VectorLayer {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> cells;  ///< [column][feature], as texts; empty: no value
  std::vector<GeoJsonFeature> features;         ///< their shapes; nothing else is set
  std::string reference_system;                 ///< well-known text, longitude or easting first; empty: WGS 84
};

/// Reads a layer, with the library `openmi-gdal`, which is loaded at the first call.
/// \param layer  its name; empty: the only one
/// \throws FileError    the file cannot be opened, or the library is not installed
/// \throws FormatError  the file is of no format that GDAL knows, is damaged, or has no such layer
VectorLayer ReadVectorLayer(const std::string& path, const std::string& layer);

/// A column of numbers of a layer that is to be written.
struct LayerColumn {
  enum class Kind { Number, Count, Time };
  std::string name;
  std::string unit;  ///< for readers; may be empty
  Kind kind = Kind::Number;
  std::vector<double> values;  ///< NaN: no value; times are Modified Julian Days, UTC; shape [features]
};

/// A layer that is to be written: a feature for each id.
struct LayerToWrite {
  std::string name;
  std::string description;
  std::vector<std::string> ids;              ///< the first column, `id`
  std::shared_ptr<const ElementSet> places;  ///< the shape of each feature: points, lines or polygons; null: none
  std::vector<LayerColumn> columns;
};

/// Writes layers to a new GeoPackage, with the library `openmi-gdal`. An earlier file is replaced when the new one is
/// complete.
/// \throws FileError  the file cannot be written, or the library is not installed
void WriteGeoPackage(const std::string& path, std::span<const LayerToWrite> layers);

/// Loads the library that writes GeoPackages, so that a program finds out before it needs it.
/// \throws FileError  it is not installed
void ExpectGeoPackageWriter(const std::string& path);

/// The functions that the library `openmi-gdal` exports: see `ReadVectorLayer` and `WriteGeoPackage`. The second one
/// writes to `path`, which does not exist.
inline constexpr char kReadVectorLayer[] = "openmi_read_vector_layer_v1";
inline constexpr char kWriteGeoPackage[] = "openmi_write_geopackage_v1";
using ReadVectorLayerFunction = void(const std::string& path, const std::string& layer, VectorLayer& read);
using WriteGeoPackageFunction = void(const std::string& path, std::span<const LayerToWrite> layers);

}  // namespace openmi
