#pragma once

#include <string>

#include "timespace/elements/ElementSet.hpp"

namespace openmi {

/// Information that a reader of elements cannot get from every file.
struct ElementFileOptions {
  /// The property (GeoJSON), column (CSV) or variable (NetCDF) with the ids.
  ///
  /// Empty: `id`; in NetCDF the texts that have the name of their dimension; in formats without ids, numbers from 1. Of
  /// several sets of geometries in a NetCDF file, the ids name the one to read.
  std::string ids = {};
  /// Which parts of a NetCDF mesh become elements: face, edge or node. Empty: the first of these that the mesh has.
  std::string place = {};
  /// The reference system of WKT files, CSV files and meshes that do not state it.
  ///
  /// Anything that PROJ reads ("EPSG:32617"), or "local-metres" for a plane without a geographic position. GeoJSON, and
  /// columns named lon and lat, are WGS 84 without it.
  std::string reference_system = {};
};

/// Reads elements from a file. The ending of the name gives the format:
///
/// - `.geojson`, `.json`: features of GeoJSON
/// - `.nc`: a UGRID mesh, an unstructured ESMF mesh, or geometries after the CF conventions, as results have them
/// - `.wkt`: one geometry on each line, after its id and a semicolon or tab, or alone
/// - `.csv`: points, one on each line after a line with the column names: x and y, or lon and lat; z
///
/// In the last two, empty lines and lines that start with `#` are ignored.
/// \throws FileError      the file cannot be opened
/// \throws FormatError    the content does not fit the ending; names the file, and the line in text files
/// \throws ArgumentError  the ending, the place or the reference system is unknown
ElementSet ReadElementFile(const std::string& path, const std::string& caption, const ElementFileOptions& options = {});

/// The well-known text of a reference system.
///
/// `kLocalMetresWkt` for "local-metres", `kWgs84Wkt` for "WGS84", well-known text unchanged, otherwise the text that
/// PROJ gives for the name, with longitude or easting first.
/// \throws ArgumentError  PROJ does not know the system
std::string ReferenceSystemNamed(const std::string& name);

}  // namespace openmi
