#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "timespace/ElementSetBuilder.hpp"
#include "timespace/ElementVertex.hpp"

namespace riverbasin {

/// One feature of a GeoJSON file; of its geometry, what this example needs.
struct Feature {
  std::string id;
  std::map<std::string, std::string> texts;               ///< properties that are texts
  std::map<std::string, double> numbers;                  ///< properties that are numbers
  std::map<std::string, std::vector<std::string>> lists;  ///< properties that are lists of texts
  std::vector<openmi::ElementSetBuilder::Part>
      polygons;                             ///< of a Polygon or MultiPolygon; longitude and latitude [degrees]
  std::vector<openmi::ElementVertex> line;  ///< of a LineString; the same

  /// The text property of that name; empty where there is none.
  std::string Text(const std::string& name) const;
};

/// A GeoJSON file (RFC 7946: longitude before latitude, WGS 84).
struct FeatureFile {
  std::string path;
  std::vector<Feature> features;

  /// The number property `name` of a feature.
  /// \throws openmi::FormatError  it has none; names file and feature
  double Number(const Feature& feature, const std::string& name) const;
};

/// \throws openmi::FileError    the file cannot be opened
/// \throws openmi::FormatError  it is no FeatureCollection, a feature has no id, or a geometry is of another type than
///                              (Multi)Polygon, LineString and Point
FeatureFile ReadFeatures(const std::string& path);

/// The polygons of a file as an element set with the attribute `area` (km2) out of `areasqkm`, where all have one.
openmi::ElementSet Polygons(const FeatureFile& file);

/// The lines of a file as an element set.
openmi::ElementSet Lines(const FeatureFile& file);

}  // namespace riverbasin
