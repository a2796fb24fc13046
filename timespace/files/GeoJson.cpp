#include "timespace/files/GeoJson.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/ReadableFile.hpp"
#include "timespace/elements/ElementCopies.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/files/ElementFile.hpp"

namespace openmi {
namespace {

using nlohmann::json;

ElementVertex Vertex(const json& position) {
  ElementVertex vertex;
  vertex.x = position.at(0).get<double>();
  vertex.y = position.at(1).get<double>();
  if (position.size() > 2) vertex.z = position[2].get<double>();
  return vertex;
}

std::vector<ElementVertex> Vertices(const json& positions) {
  std::vector<ElementVertex> vertices;
  vertices.reserve(positions.size());
  for (const json& position : positions) vertices.push_back(Vertex(position));
  return vertices;
}

ElementSetBuilder::Part PartOf(const json& rings) {
  ElementSetBuilder::Part part{Vertices(rings.at(0))};
  for (std::size_t i = 1; i < rings.size(); ++i) part.holes.push_back(Vertices(rings[i]));
  return part;
}

std::string TextOf(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string IdOf(const json& object, const json& properties, const std::string& id_property, std::size_t number) {
  const std::string name = id_property.empty() ? "id" : id_property;
  if (id_property.empty() && object.contains("id")) return TextOf(object["id"]);
  if (properties.is_object() && properties.contains(name)) return TextOf(properties[name]);
  throw FormatError({}, fmt::format("expected '{}' in feature {}, found none", name, number),
                    id_property.empty() ? "give each feature an 'id', or name the property that holds the ids"
                                        : "name a property that all features have");
}

void ReadProperties(const json& properties, GeoJsonFeature& feature) {
  for (const auto& [name, value] : properties.items()) {
    if (value.is_string()) feature.texts[name] = value.get<std::string>();
    if (value.is_number()) feature.numbers[name] = value.get<double>();
    if (value.is_boolean()) feature.numbers[name] = value.get<bool>() ? 1.0 : 0.0;
    if (value.is_array() && std::ranges::all_of(value, [](const json& item) { return item.is_string(); })) {
      feature.lists[name] = value.get<std::vector<std::string>>();
    }
  }
}

void ReadGeometry(const json& geometry, GeoJsonFeature& feature) {
  const std::string type = geometry.at("type").get<std::string>();
  const json* coordinates = geometry.contains("coordinates") ? &geometry["coordinates"] : nullptr;
  const bool single = (type == "MultiPoint" || type == "MultiLineString") && coordinates && coordinates->size() == 1;
  if (type == "Point") {
    feature.point = Vertex(geometry.at("coordinates"));
  } else if (type == "MultiPoint" && single) {
    feature.point = Vertex((*coordinates)[0]);
  } else if (type == "LineString") {
    feature.line = Vertices(geometry.at("coordinates"));
  } else if (type == "MultiLineString" && single) {
    feature.line = Vertices((*coordinates)[0]);
  } else if (type == "Polygon") {
    feature.polygons.push_back(PartOf(geometry.at("coordinates")));
  } else if (type == "MultiPolygon") {
    for (const json& polygon : geometry.at("coordinates")) feature.polygons.push_back(PartOf(polygon));
  } else {
    throw FormatError({},
                      fmt::format("expected a Point, LineString, Polygon or MultiPolygon in '{}', found {} '{}'",
                                  feature.id, single ? "a" : "the geometry", type),
                      "split it into features of one part each");
  }
}

/// Checks the member `crs` of the GeoJSON of 2008.
/// \param expected  well-known text; empty: WGS 84
/// \throws FormatError  the file names another reference system
void CheckReferenceSystem(const json& document, const std::string& expected) {
  const auto crs = document.find("crs");
  if (crs == document.end() || !crs->is_object()) return;
  const json name = crs->value("properties", json::object()).value("name", json());
  if (!name.is_string()) return;
  const std::string text = name.get<std::string>();
  const bool is_wgs84 = std::ranges::any_of(std::array{"CRS84", "EPSG:4326", "EPSG::4326", "4326"},
                                            [&](const char* known) { return text.ends_with(known); });
  if (expected.empty()) {
    if (is_wgs84) return;
    throw FormatError(
        {}, fmt::format("expected longitude and latitude (WGS 84), found the reference system '{}'", text),
        "give the reference system of the coordinates in the argument elements-system, or transform the file, for "
        "instance with ogr2ogr -t_srs EPSG:4326");
  }
  try {
    if (IsOneReferenceSystem(is_wgs84 ? std::string(kWgs84Wkt) : ReferenceSystemNamed(text), expected)) return;
  } catch (const ArgumentError&) {  // a name that PROJ does not know: the argument gives the system
    return;
  }
  throw FormatError({}, fmt::format("expected the reference system of elements-system, found '{}' in the file", text),
                    "correct the argument elements-system, or leave it out");
}

/// The properties that are numbers in every feature that has them, in the order of their names.
std::set<std::string> NumberProperties(const GeoJsonFile& file) {
  std::set<std::string> names;
  for (const GeoJsonFeature& feature : file.features) {
    for (const auto& [name, number] : feature.numbers) names.insert(name);
  }
  for (const GeoJsonFeature& feature : file.features) {
    for (const auto& [name, text] : feature.texts) names.erase(name);
    for (const auto& [name, list] : feature.lists) names.erase(name);
  }
  return names;
}

/// The first ids with a fault, and the number of all.
struct Occurrences {
  std::vector<std::string> first;
  std::size_t count = 0;

  void Add(const std::string& id) {
    constexpr std::size_t kShown = 3;
    if (++count <= kShown) first.push_back(id);
  }
  /// "'a'", or "412 ids ('a', 'b', 'c', ...)".
  std::string Text() const {
    const std::string ids = fmt::format("'{}'", fmt::join(first, "', '"));
    return count == 1 ? ids : fmt::format("{} ids ({}{})", count, ids, count > first.size() ? ", ..." : "");
  }
};

ElementType TypeOf(const GeoJsonFeature& feature) {
  if (feature.point) return ElementType::Point;
  if (!feature.line.empty()) return ElementType::PolyLine;
  if (!feature.polygons.empty()) return ElementType::Polygon;
  return ElementType::IdBased;
}

const char* GeoJsonName(ElementType type) {
  switch (type) {
    case ElementType::Point:
      return "a point";
    case ElementType::PolyLine:
      return "a line";
    case ElementType::Polygon:
      return "a polygon";
    default:
      return "no geometry";
  }
}

}  // namespace

std::string GeoJsonFeature::Text(const std::string& name) const {
  const auto found = texts.find(name);
  return found == texts.end() ? std::string() : found->second;
}

double GeoJsonFile::Number(const GeoJsonFeature& feature, const std::string& name) const {
  const auto found = feature.numbers.find(name);
  if (found == feature.numbers.end()) {
    throw FormatError({.file = path},
                      fmt::format("expected a number '{}' in the properties of '{}', found none", name, feature.id),
                      "add the property");
  }
  return found->second;
}

GeoJsonFile ReadGeoJson(const std::string& path, const std::string& id_property, const std::string& reference_system) {
  const std::string text = ReadWholeFile(path, path, "a GeoJSON file");
  ExpectShallowJson(text, path);
  GeoJsonFile file{path, {}, reference_system.empty() ? std::string() : ReferenceSystemNamed(reference_system)};
  std::string at;  // the present feature
  try {
    const json document = json::parse(text);
    CheckReferenceSystem(document, file.reference_system);
    const bool single = document.value("type", "") == "Feature";
    const json one = single ? json::array({document}) : json();
    const json& list = single ? one : document.at("features");
    std::set<std::string> ids;
    Occurrences again;
    for (const json& object : list) {
      GeoJsonFeature feature;
      const json properties = object.contains("properties") ? object["properties"] : json();
      feature.id = IdOf(object, properties, id_property, file.features.size() + 1);
      if (!ids.insert(feature.id).second) again.Add(feature.id);
      at = feature.id;
      if (properties.is_object()) ReadProperties(properties, feature);
      if (object.contains("geometry") && !object["geometry"].is_null()) ReadGeometry(object["geometry"], feature);
      file.features.push_back(std::move(feature));
    }
    if (again.count > 0) {
      throw FormatError({}, fmt::format("expected each id once, found {} again", again.Text()),
                        "give the features ids of their own");
    }
  } catch (const json::parse_error& error) {
    throw FormatError({.file = path, .line = LineAt(text, error.byte)},
                      "expected GeoJSON, found text that is no JSON from here on",
                      "check that the file is whole, and that the argument names the right one");
  } catch (const json::out_of_range&) {
    throw FormatError({.file = path},
                      at.empty() ? "expected a GeoJSON FeatureCollection or Feature, found other JSON"
                                 : fmt::format("expected 'geometry' with 'type' and whole 'coordinates' in '{}', found "
                                               "a part missing",
                                               at),
                      "it needs 'features', and each of them 'id', 'properties' and 'geometry'");
  } catch (const json::exception&) {
    throw FormatError({.file = path},
                      at.empty() ? "expected a GeoJSON FeatureCollection or Feature, found other JSON"
                                 : fmt::format("expected GeoJSON in '{}', found a value of another type", at),
                      "coordinates are numbers, ids are texts or numbers, features and geometries are objects");
  } catch (const FormatError& error) {
    throw FormatError({.file = path}, error.Problem(), error.Remedy());
  }
  if (file.features.empty()) {
    throw FormatError({.file = path}, "expected features, found none", "give at least one");
  }
  return file;
}

ElementSet ElementsOf(const GeoJsonFile& file, const std::string& caption,
                      const std::vector<GeoJsonAttribute>& attributes) {
  const ElementType type = file.features.empty() ? ElementType::IdBased : TypeOf(file.features.front());
  const std::string system = file.reference_system.empty() ? std::string(kWgs84Wkt) : file.reference_system;
  ElementSetBuilder builder(caption, type, type == ElementType::IdBased ? std::string() : system);
  try {
    Occurrences others;
    ElementType other = type;
    for (const GeoJsonFeature& feature : file.features) {
      if (TypeOf(feature) == type) continue;
      if (others.count == 0) other = TypeOf(feature);
      others.Add(feature.id);
    }
    if (others.count > 0) {
      throw FormatError({},
                        fmt::format("expected {} in {} as in the first feature, found {}", GeoJsonName(type),
                                    others.Text(), GeoJsonName(other)),
                        other == ElementType::IdBased ? "remove the features without geometry, or add it"
                                                      : "keep features of different geometry in files of their own");
    }
    for (const GeoJsonFeature& feature : file.features) {
      if (type == ElementType::Point) builder.AddPoint(feature.id, *feature.point);
      if (type == ElementType::PolyLine) builder.AddPolyLine(feature.id, feature.line);
      if (type == ElementType::Polygon) builder.AddPolygon(feature.id, feature.polygons);
      if (type == ElementType::IdBased) builder.AddId(feature.id);
    }
  } catch (const FormatError& error) {
    throw FormatError({.file = file.path}, error.Problem(), error.Remedy());
  }
  ElementSet set = builder.Build();
  std::vector<GeoJsonAttribute> wanted = attributes;
  const bool has_area = std::ranges::any_of(wanted, [](const GeoJsonAttribute& a) { return a.name == "area"; });
  if (!has_area && std::ranges::all_of(file.features, [](const auto& f) { return f.numbers.contains("areasqkm"); })) {
    wanted.push_back({"areasqkm", "area", "km2"});
  }
  for (const GeoJsonAttribute& attribute : wanted) {
    std::vector<double> values;
    for (const GeoJsonFeature& feature : file.features) values.push_back(file.Number(feature, attribute.property));
    set.SetAttribute(attribute.name, attribute.unit, std::move(values));
  }
  for (const std::string& property : NumberProperties(file)) {
    if (std::ranges::any_of(attributes, [&](const GeoJsonAttribute& one) { return one.property == property; }))
      continue;
    ElementAttribute attribute = AttributeNamed(property);
    if (set.Attribute(attribute.name) != nullptr) continue;
    for (const GeoJsonFeature& feature : file.features) {
      const auto found = feature.numbers.find(property);
      attribute.values.push_back(found != feature.numbers.end() ? found->second : kNotANumber);
    }
    set.SetAttribute(attribute.name, attribute.unit, std::move(attribute.values));
  }
  return set;
}

}  // namespace openmi
