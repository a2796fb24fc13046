#pragma once

#include <string>
#include <vector>

#include "timespace/files/GeoJson.hpp"

namespace openmi {

/// The features of a layer of a GeoPackage, a shapefile or another format of GDAL.
struct VectorLayer {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> cells;  ///< [column][feature], as texts; empty: no value
  std::vector<GeoJsonFeature> features;         ///< their shapes; nothing else is set
  std::string reference_system;                 ///< well-known text, longitude or easting first; empty: WGS 84
};

/// The function that the library `openmi-gdal` exports, where it was built: see `ReadVectorLayer`.
inline constexpr char kReadVectorLayer[] = "openmi_read_vector_layer_v1";
/// \throws FormatError  as `ReadVectorLayer`
using ReadVectorLayerFunction = void(const std::string& path, const std::string& layer, VectorLayer& read);

/// Reads a layer, with the library `openmi-gdal`, which is loaded at the first call.
/// \param layer  its name; empty: the only one
/// \throws FileError    the file cannot be opened, or the library is not installed
/// \throws FormatError  the file is of no format that GDAL knows, is damaged, or has no such layer
VectorLayer ReadVectorLayer(const std::string& path, const std::string& layer);

}  // namespace openmi
