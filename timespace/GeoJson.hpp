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
  std::map<std::string, double> numbers;                  ///< properties that are numbers
  std::map<std::string, std::vector<std::string>> lists;  ///< properties that are lists of texts

  // Its geometry: one of these, or none where the file has null. Longitude and latitude in degrees, then Z.
  std::optional<ElementVertex> point;
  std::vector<ElementVertex> line;
  std::vector<ElementSetBuilder::Part> polygons;

  /// The text property of that name; empty where there is none.
  std::string Text(const std::string& name) const;
};

/// A GeoJSON file: longitude before latitude, WGS 84.
struct GeoJsonFile {
  std::string path;
  std::vector<GeoJsonFeature> features;

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
/// member `crs` of the older form is accepted where it means WGS 84.
/// \param id_property  the property that holds the ids; empty: the member `id` of each feature, else its property `id`
/// \throws FileError    the file cannot be opened
/// \throws FormatError  it is no GeoJSON, a feature has no id, two have the same, a geometry is of another type, or the
///                      reference system is another one
/// Source: RFC 7946.
GeoJsonFile ReadGeoJson(const std::string& path, const std::string& id_property = {});

/// The features of a file as elements: points, polylines or polygons, whatever the first one is; bare ids where it has
/// no geometry.
///
/// A property that is listed in `attributes` becomes an attribute. A property `areasqkm` that all features have becomes
/// the attribute `area` in km2 by itself.
/// \throws FormatError  the geometries are of different types, break a rule of ElementSetBuilder, or lack an attribute
ElementSet ElementsOf(const GeoJsonFile& file, const std::string& caption,
                      const std::vector<GeoJsonAttribute>& attributes = {});

}  // namespace openmi
