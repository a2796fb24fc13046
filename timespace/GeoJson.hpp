#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "timespace/ElementSet.hpp"
#include "timespace/ElementSetBuilder.hpp"
#include "timespace/ElementVertex.hpp"

namespace openmi {

/// One feature of a GeoJSON file.
struct GeoJsonFeature {
  std::string id;                                         ///< as text, also where the file has a number
  std::map<std::string, std::string> texts;               ///< properties that are texts
  std::map<std::string, double> numbers;                  ///< properties that are numbers, or true (1) and false (0)
  std::map<std::string, std::vector<std::string>> lists;  ///< properties that are lists of texts

  // Its geometry: one of these, or none where the file has null. Longitude and latitude in degrees (or the coordinates
  // of the reference system that the reader was given), then Z.
  std::optional<ElementVertex> point;
  std::vector<ElementVertex> line;
  std::vector<ElementSetBuilder::Part> polygons;

  /// The text property of that name; empty where there is none.
  std::string Text(const std::string& name) const;
};

/// A GeoJSON file: longitude before latitude, WGS 84, unless the reader was given another reference system.
struct GeoJsonFile {
  std::string path;
  std::vector<GeoJsonFeature> features;
  std::string reference_system;  ///< well-known text; empty: WGS 84

  /// The number property `name` of a feature.
  /// \throws FormatError  it has none; names file and feature
  double Number(const GeoJsonFeature& feature, const std::string& name) const;
};

/// How a number property becomes an attribute of the elements.
struct GeoJsonAttribute {
  std::string property;  ///< "areasqkm"
  std::string name;      ///< "area"
  std::string unit;      ///< "km2"
};

/// Reads the features of a FeatureCollection, or a single Feature.
///
/// Geometries may be Point, LineString, Polygon and MultiPolygon, and a MultiPoint or MultiLineString of one part. A
/// member `crs` of the older form is accepted where it means WGS 84, or the same as `reference_system`.
/// \param id_property       the property that holds the ids; empty: the member `id` of each feature, else its property
///                          `id`
/// \param reference_system  of files that do not keep to WGS 84, as `ReferenceSystemNamed` reads it; empty: WGS 84
/// \throws FileError      the file cannot be opened
/// \throws FormatError    it is no GeoJSON, a feature has no id, two have the same, a geometry is of another type, or
/// the
///                        file names another reference system
/// \throws ArgumentError  `reference_system` is none
/// Source: RFC 7946.
GeoJsonFile ReadGeoJson(const std::string& path, const std::string& id_property = {},
                        const std::string& reference_system = {});

/// The features of a file as elements: points, polylines or polygons, whatever the first one is; bare ids where it has
/// no geometry.
///
/// A property that is listed in `attributes` becomes an attribute of that name. So does each other property that is a
/// number (or true or false) wherever it is given, NaN where it is not: `wet` in the unit 1, `length (km)` or
/// `length [km]` as `length` in km, `area` in m2. A property `areasqkm` that all features have is the attribute `area`
/// in km2.
/// \throws FormatError  the geometries are of different types, break a rule of ElementSetBuilder, or lack an attribute
///                      that is listed
ElementSet ElementsOf(const GeoJsonFile& file, const std::string& caption,
                      const std::vector<GeoJsonAttribute>& attributes = {});

}  // namespace openmi
