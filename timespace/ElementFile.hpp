#pragma once

#include <string>

#include "timespace/ElementSet.hpp"

namespace openmi {

/// What a reader of elements cannot know from every file.
struct ElementFileOptions {
  /// The property (GeoJSON), column (CSV) or variable (NetCDF) that holds the ids; empty: `id`, and numbers from 1
  /// where the form of the file has none.
  std::string ids = {};
  /// What a mesh in NetCDF gives: face, edge or node; empty: the first of these that it has.
  std::string place = {};
  /// The reference system of WKT, CSV and meshes that do not say: anything that PROJ reads ("EPSG:32617"), or
  /// "local-metres" for a plane tied to no place. GeoJSON, and columns named lon and lat, are WGS 84 without it.
  std::string reference_system = {};
};

/// Reads elements from a file, whose ending says what it is:
/// - `.geojson`, `.json`: features of GeoJSON
/// - `.nc`: the mesh of UGRID, or the unstructured one of ESMF
/// - `.wkt`: a geometry on each line, behind its id and a semicolon or tab, or alone
/// - `.csv`: points, a line each below the names of the columns: x and y, or lon and lat; z
/// Empty lines and lines behind # count for nothing in the last two.
/// \throws FileError      the file cannot be opened
/// \throws FormatError    it is not what its ending says; names the file, and the line where there are lines
/// \throws ArgumentError  an ending, a place or a reference system that is none
ElementSet ReadElementFile(const std::string& path, const std::string& caption, const ElementFileOptions& options = {});

/// The well-known text of a reference system that is named: kLocalMetresWkt for "local-metres", kWgs84Wkt for "WGS84",
/// well-known text itself, or whatever PROJ makes of it, with longitude or easting first.
/// \throws ArgumentError  PROJ knows no such system
std::string ReferenceSystemNamed(const std::string& name);

}  // namespace openmi
