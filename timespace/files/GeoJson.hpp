#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ElementVertex.hpp"

namespace openmi {

/// One feature of a GeoJSON file.
struct GeoJsonFeature {
  std::string id;                                         ///< as text, also when the file has a number
  std::map<std::string, std::string> texts;               ///< properties that are texts
  std::map<std::string, double> numbers;                  ///< properties that are numbers, or true (1) and false (0)
  std::map<std::string, std::vector<std::string>> lists;  ///< properties that are lists of texts

  // The geometry: one of the next three, or none when the file has null. Coordinates are longitude and latitude in
  // degrees (or those of the reference system that the reader received), then Z.
  std::optional<ElementVertex> point;             ///< of a Point or MultiPoint
  std::vector<ElementVertex> line;                ///< of a LineString or MultiLineString
  std::vector<ElementSetBuilder::Part> polygons;  ///< of a Polygon (one) or MultiPolygon

  /// The text property with this name; empty when there is none.
  std::string Text(const std::string& name) const;
};

/// The content of a GeoJSON file: longitude before latitude, in WGS 84 unless the reader received another reference
/// system.
struct GeoJsonFile {
  std::string path;
  std::vector<GeoJsonFeature> features;
  std::string reference_system;  ///< well-known text; empty: WGS 84

  /// The number property `name` of a feature.
  /// \throws FormatError  the feature has no such property; names file and feature
  double Number(const GeoJsonFeature& feature, const std::string& name) const;
};

/// Maps a number property to an attribute of the elements.
struct GeoJsonAttribute {
  std::string property;  ///< "areasqkm"
  std::string name;      ///< "area"
  std::string unit;      ///< "km2"
};

/// Reads the features of a FeatureCollection, or a single Feature.
///
/// Geometries may be Point, LineString, Polygon and MultiPolygon, and a MultiPoint or MultiLineString with one part. A
/// member `crs` of the older format is accepted when it means WGS 84, or the same as `reference_system`.
///
/// Source: RFC 7946.
/// \param id_property       the property with the ids; empty: the member `id` of each feature, else its property `id`
/// \param reference_system  for files that are not in WGS 84, as `ReferenceSystemNamed` reads it; empty: WGS 84
/// \throws FileError      the file cannot be opened
/// \throws FormatError    the file is not GeoJSON, a feature has no id, two features have the same id, a geometry has
///   another type, or the file names another reference system
/// \throws ArgumentError  `reference_system` is unknown
GeoJsonFile ReadGeoJson(const std::string& path, const std::string& id_property = {},
                        const std::string& reference_system = {});

/// The features of a file as elements.
///
/// The first feature gives the type: points, polylines or polygons, or bare ids when it has no geometry.
///
/// A property that is listed in `attributes` becomes an attribute with that name. Each other property that is a number
/// (or true or false) in every feature that has it becomes an attribute too, with NaN for features without it: `wet` in
/// the unit 1, `length (km)` or `length [km]` as `length` in km, `area` in m2. A property `areasqkm` that all features
/// have is also the attribute `area` in km2, unless `attributes` lists an `area`.
/// \throws FormatError  the geometries have different types or break a rule of ElementSetBuilder, or a listed attribute
///   is missing
ElementSet ElementsOf(const GeoJsonFile& file, const std::string& caption,
                      const std::vector<GeoJsonAttribute>& attributes = {});

}  // namespace openmi
