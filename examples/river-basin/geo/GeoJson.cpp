#include "examples/river-basin/geo/GeoJson.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "timespace/ReferenceSystems.hpp"

namespace riverbasin {

namespace {

using nlohmann::json;

openmi::ElementVertex Vertex(const json& position) {
  openmi::ElementVertex vertex;
  vertex.x = position.at(0).get<double>();
  vertex.y = position.at(1).get<double>();
  return vertex;
}

std::vector<openmi::ElementVertex> Vertices(const json& positions) {
  std::vector<openmi::ElementVertex> vertices;
  for (const json& position : positions) vertices.push_back(Vertex(position));
  return vertices;
}

openmi::ElementSetBuilder::Part Part(const json& rings) {
  openmi::ElementSetBuilder::Part part{Vertices(rings.at(0))};
  for (std::size_t i = 1; i < rings.size(); ++i) part.holes.push_back(Vertices(rings[i]));
  return part;
}

Feature Read(const json& object) {
  Feature feature;
  const json& id = object.at("id");
  feature.id = id.is_string() ? id.get<std::string>() : id.dump();
  for (const auto& [name, value] : object.at("properties").items()) {
    if (value.is_string()) feature.texts[name] = value.get<std::string>();
    if (value.is_number()) feature.numbers[name] = value.get<double>();
    if (value.is_array()) feature.lists[name] = value.get<std::vector<std::string>>();
  }
  const json& geometry = object.at("geometry");
  if (geometry.is_null()) return feature;
  const std::string type = geometry.at("type").get<std::string>();
  const json& coordinates = geometry.at("coordinates");
  if (type == "Polygon") {
    feature.polygons.push_back(Part(coordinates));
  } else if (type == "MultiPolygon") {
    for (const json& polygon : coordinates) feature.polygons.push_back(Part(polygon));
  } else if (type == "LineString") {
    feature.line = Vertices(coordinates);
  } else if (type != "Point") {
    throw openmi::FormatError(
        {}, fmt::format("expected a Polygon, LineString or Point in '{}', found '{}'", feature.id, type),
        "convert the geometry");
  }
  return feature;
}

}  // namespace

std::string Feature::Text(const std::string& name) const {
  const auto found = texts.find(name);
  return found == texts.end() ? std::string() : found->second;
}

double FeatureFile::Number(const Feature& feature, const std::string& name) const {
  const auto found = feature.numbers.find(name);
  if (found == feature.numbers.end()) {
    throw openmi::FormatError(
        {.file = path}, fmt::format("expected a number '{}' in the properties of '{}', found none", name, feature.id),
        "add the property");
  }
  return found->second;
}

FeatureFile ReadFeatures(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) {
    throw openmi::FileError({.file = path}, "expected a GeoJSON file, found nothing to open",
                            "correct the argument that names it");
  }
  FeatureFile file{path, {}};
  try {
    const json document = json::parse(stream);
    for (const json& object : document.at("features")) file.features.push_back(Read(object));
  } catch (const json::exception& error) {
    throw openmi::FormatError({.file = path},
                              fmt::format("expected a GeoJSON FeatureCollection, found: {}", error.what()),
                              "each feature needs 'id', 'properties' and 'geometry'");
  } catch (const openmi::FormatError& error) {
    throw openmi::FormatError({.file = path}, error.Problem(), error.Remedy());
  }
  return file;
}

openmi::ElementSet Polygons(const FeatureFile& file) {
  openmi::ElementSetBuilder builder("sub-catchments", openmi::ElementType::Polygon, openmi::kWgs84Wkt);
  std::vector<double> areas;
  for (const Feature& feature : file.features) {
    if (feature.polygons.empty()) {
      throw openmi::FormatError({.file = file.path}, fmt::format("expected a polygon, found '{}' without", feature.id),
                                "give it one");
    }
    builder.AddPolygon(feature.id, feature.polygons);
    const auto area = feature.numbers.find("areasqkm");
    if (area != feature.numbers.end()) areas.push_back(area->second);
  }
  openmi::ElementSet set = builder.Build();
  if (areas.size() == file.features.size()) set.SetAttribute("area", "km2", std::move(areas));
  return set;
}

openmi::ElementSet Lines(const FeatureFile& file) {
  openmi::ElementSetBuilder builder("reaches", openmi::ElementType::PolyLine, openmi::kWgs84Wkt);
  for (const Feature& feature : file.features) builder.AddPolyLine(feature.id, feature.line);
  return builder.Build();
}

}  // namespace riverbasin
