#include "composition/results/ElementAxes.hpp"

#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "timespace/elements/ElementSet.hpp"
#include "timespace/files/GridMapping.hpp"
#include "timespace/files/NetcdfFile.hpp"

namespace openmi {
namespace {

bool HaveSameElements(const ResultSeries& a, const ResultSeries& b) {
  return a.elements == b.elements && a.x == b.x && a.y == b.y && a.is_longitude_latitude == b.is_longitude_latitude &&
         a.places == b.places;
}

/// What a set of elements is called that has no usable name.
const char* KindOf(const ResultSeries& series) {
  if (series.places == nullptr) return "element";
  switch (series.places->ElementType()) {
    case ElementType::Point:
      return "point";
    case ElementType::PolyLine:
      return "line";
    case ElementType::Polygon:
      return "polygon";
    default:
      return "element";
  }
}

bool HasUniqueIds(const ResultSeries& series) {
  return std::set<std::string_view>(series.elements.begin(), series.elements.end()).size() == series.elements.size();
}

/// The length of the longest id, at least 1.
std::size_t LongestId(const ResultSeries& series) {
  std::size_t longest = 1;
  for (const std::string& id : series.elements) longest = std::max(longest, id.size());
  return longest;
}

bool IsOf(const ResultSeries& series, ElementType type) {
  return series.places != nullptr && series.places->ElementType() == type;
}

}  // namespace

ElementAxes::ElementAxes(CfFile& file, NetcdfNames& names, const std::vector<ResultSeries>& series)
    : file_(file), names_(names), series_(series) {
  for (const ResultSeries& one : series_) {
    std::size_t found = 0;
    while (found < axes_.size() && !HaveSameElements(*axes_[found].series, one)) ++found;
    if (one.elements.empty()) {
      found = kNone;
    } else if (found == axes_.size()) {
      axes_.push_back({.series = &one});
    }
    axis_of_.push_back(found);
    if (found != kNone && axes_[found].caption.empty()) axes_[found].caption = one.elements_caption;
  }
  FindMeshes();
}

void ElementAxes::FindMeshes() {
  for (Axis& axis : axes_) {
    if (axis.series->places == nullptr) continue;
    const ElementSet& elements = *axis.series->places;
    for (std::size_t i = 0; i < axes_.size() && !axis.topology; ++i) {
      const ResultSeries& points = *axes_[i].series;
      if (!IsOf(points, ElementType::Point) ||
          points.places->SpatialReferenceSystemWkt() != elements.SpatialReferenceSystemWkt()) {
        continue;
      }
      axis.topology = MeshOf(elements, points.places.get());
      if (axis.topology) axis.nodes_of = i;
    }
    if (!axis.topology) axis.topology = MeshOf(elements);
  }
}

bool ElementAxes::AreTimeSeries() const {
  if (axes_.size() != 1) return false;
  const ResultSeries& series = *axes_.front().series;
  return series.is_longitude_latitude && !series.x.empty() && HasUniqueIds(series) && !axes_.front().topology &&
         std::ranges::find(axis_of_, kNone) == axis_of_.end();
}

bool ElementAxes::HasMeshes() const {
  return std::ranges::any_of(axes_, [](const Axis& axis) { return axis.topology.has_value(); });
}

void ElementAxes::TakeCoordinateNames() {
  const auto placed = std::ranges::count_if(axes_, [](const Axis& axis) { return !axis.series->x.empty(); });
  if (placed != 1) return;  // of several sets they are named after the set
  for (Axis& axis : axes_) {
    if (axis.series->x.empty()) continue;
    axis.x = names_.Take(axis.series->is_longitude_latitude ? "lon" : "x");
    axis.y = names_.Take(axis.series->is_longitude_latitude ? "lat" : "y");
  }
}

void ElementAxes::Define(const std::vector<std::string>& variables) {
  for (Axis& axis : axes_) {
    const auto first = static_cast<std::size_t>(axis.series - series_.data());
    axis.name = names_.TakeForElements(axis.caption, KindOf(*axis.series), variables[first]);
    DefineIds(axis);
    axis.coordinates = axis.name;
    if (axis.series->x.empty()) continue;
    if (axis.x.empty()) {
      axis.x = names_.Take(axis.name + (axis.series->is_longitude_latitude ? "_lon" : "_x"));
      axis.y = names_.Take(axis.name + (axis.series->is_longitude_latitude ? "_lat" : "_y"));
    }
    if (IsOf(*axis.series, ElementType::Point) && axis.series->places->HasZ()) axis.z = names_.Take(axis.name + "_z");
    axis.coordinates += fmt::format(" {} {}{}{}", axis.y, axis.x, axis.z.empty() ? "" : " ", axis.z);
    if (axis.series->places != nullptr) {
      DefineGridMapping(axis);
      DefineGeometry(axis);
    }
    DefineCoordinates(axis);
  }
  for (Axis& axis : axes_) {
    if (axis.topology) DefineMesh(axis);
  }
}

void ElementAxes::DefineIds(Axis& axis) {
  const ResultSeries& series = *axis.series;
  axis.dimension = file_.AddDimension(axis.name, series.elements.size());
  const int length = file_.AddDimension(names_.Take(axis.name + "_strlen"), LongestId(series));
  axis.ids = file_.AddVariable(axis.name, NC_CHAR, std::array{axis.dimension, length});
  file_.PutText(axis.ids, "long_name", axis.caption.empty() ? std::string_view(kNoCaption) : axis.caption);
  file_.PutText(axis.ids, "_Encoding", "utf-8");
  if (AreTimeSeries()) file_.PutText(axis.ids, "cf_role", "timeseries_id");
}

void ElementAxes::DefineGridMapping(Axis& axis) {
  const std::string wkt = axis.series->places->SpatialReferenceSystemWkt();
  for (const auto& [known, name] : grid_mappings_) {
    if (known == wkt) axis.grid_mapping = name;
  }
  const auto mapping = GridMappingOf(wkt);
  if (!axis.grid_mapping.empty() || !mapping) return;
  axis.grid_mapping = names_.Take("crs");
  grid_mappings_.emplace_back(wkt, axis.grid_mapping);
  const int variable = DefineIntegers(axis.grid_mapping, {}, {0});
  file_.PutText(variable, "grid_mapping_name", mapping->name);
  for (const auto& [name, numbers] : mapping->numbers) file_.PutNumbers(variable, name, numbers);
  file_.PutText(variable, "crs_wkt", wkt);
}

int ElementAxes::DefineCoordinate(const std::string& name, int dimension, const Axis& axis, char direction) {
  const int variable = file_.AddVariable(name, NC_DOUBLE, std::array{dimension});
  const bool is_degrees = axis.series->is_longitude_latitude;
  if (direction == 'Z') {
    file_.PutText(variable, "long_name", "height");
    file_.PutText(variable, "positive", "up");
    return variable;
  }
  const bool is_x = direction == 'X';
  if (is_degrees) {
    file_.PutText(variable, "standard_name", is_x ? "longitude" : "latitude");
    file_.PutText(variable, "long_name", is_x ? "longitude" : "latitude");
    file_.PutText(variable, "units", is_x ? "degrees_east" : "degrees_north");
    return variable;
  }
  file_.PutText(variable, "long_name", is_x ? "x coordinate" : "y coordinate");
  const auto mapping =
      axis.grid_mapping.empty() ? std::nullopt : GridMappingOf(axis.series->places->SpatialReferenceSystemWkt());
  if (!mapping) return variable;
  file_.PutText(variable, "units", mapping->unit);
  if (!mapping->name.empty()) {
    file_.PutText(variable, "standard_name", is_x ? "projection_x_coordinate" : "projection_y_coordinate");
  }
  return variable;
}

void ElementAxes::DefineCoordinates(const Axis& axis) {
  const int x = DefineCoordinate(axis.x, axis.dimension, axis, 'X');
  const int y = DefineCoordinate(axis.y, axis.dimension, axis, 'Y');
  values_.push_back({x, axis.series->x, {}});
  values_.push_back({y, axis.series->y, {}});
  if (!axis.z.empty()) {
    const int z = DefineCoordinate(axis.z, axis.dimension, axis, 'Z');
    file_.PutText(z, "axis", "Z");
    const auto heights = axis.series->places->Z();
    values_.push_back({z, {heights.begin(), heights.end()}, {}});
  }
  if (axis.geometry.empty()) return;
  const bool are_points = IsOf(*axis.series, ElementType::Point);
  file_.PutText(x, are_points ? "axis" : "nodes", are_points ? "X" : axis.node_x);
  file_.PutText(y, are_points ? "axis" : "nodes", are_points ? "Y" : axis.node_y);
}

int ElementAxes::DefineIntegers(const std::string& name, std::initializer_list<int> dimensions,
                                std::vector<int> values) {
  const int variable = file_.AddVariable(name, NC_INT, std::span(dimensions.begin(), dimensions.size()));
  values_.push_back({variable, {}, std::move(values)});
  return variable;
}

void ElementAxes::DefineGeometry(Axis& axis) {
  const ElementType type = axis.series->places->ElementType();
  if (type != ElementType::Point && type != ElementType::PolyLine && type != ElementType::Polygon) return;
  axis.geometry = names_.Take(axis.name + "_geometry");
  const int container = DefineIntegers(axis.geometry, {}, {0});
  file_.PutText(container, "geometry_type",
                type == ElementType::Point      ? "point"
                : type == ElementType::PolyLine ? "line"
                                                : "polygon");
  file_.PutText(container, "grid_mapping", axis.grid_mapping);
  file_.PutText(axis.ids, "geometry", axis.geometry);  // so that GDAL shows the ids of the features
  if (type == ElementType::Point) {
    file_.PutText(container, "node_coordinates",
                  fmt::format("{} {}{}{}", axis.x, axis.y, axis.z.empty() ? "" : " ", axis.z));
    return;
  }
  DefineNodes(axis, container);
}

void ElementAxes::DefineNodes(Axis& axis, int container) {
  const ElementSet& places = *axis.series->places;
  std::vector<double> x, y, z;
  std::vector<int> nodes, nodes_in_part, is_hole;
  const auto add = [&](const ElementRing& ring, bool is_closed) {
    for (std::size_t i = 0; i < ring.x.size() + (is_closed ? 1 : 0); ++i) {
      x.push_back(ring.x[i % ring.x.size()]);
      y.push_back(ring.y[i % ring.x.size()]);
      if (!ring.z.empty()) z.push_back(ring.z[i % ring.x.size()]);
    }
    nodes_in_part.push_back(static_cast<int>(ring.x.size()) + (is_closed ? 1 : 0));
    is_hole.push_back(ring.is_hole ? 1 : 0);
    nodes.back() += nodes_in_part.back();
  };
  const auto offsets = places.VertexOffsets();
  for (int i = 0; i < places.ElementCount(); ++i) {
    nodes.push_back(0);
    if (places.ElementType() == ElementType::Polygon) {
      // CF lets a ring end with its first node; readers such as GDAL expect it.
      for (const ElementRing& ring : places.Rings(i)) add(ring, true);
    } else {
      const std::size_t begin = offsets[static_cast<std::size_t>(i)];
      const std::size_t count = offsets[static_cast<std::size_t>(i) + 1] - begin;
      const auto piece = [&](std::span<const double> all) { return all.empty() ? all : all.subspan(begin, count); };
      add({.x = piece(places.X()), .y = piece(places.Y()), .z = piece(places.Z())}, false);
    }
  }
  const bool is_degrees = axis.series->is_longitude_latitude;
  const int dimension = file_.AddDimension(names_.Take(axis.name + "_node"), x.size());
  std::string coordinates;
  const auto define = [&](char direction, const char* ending, std::vector<double> values) {
    const std::string name = names_.Take(axis.name + ending);
    const int variable = DefineCoordinate(name, dimension, axis, direction);
    file_.PutText(variable, "axis", std::string_view(&direction, 1));
    coordinates += (coordinates.empty() ? "" : " ") + name;
    values_.push_back({variable, std::move(values), {}});
    return name;
  };
  axis.node_x = define('X', is_degrees ? "_node_lon" : "_node_x", std::move(x));
  axis.node_y = define('Y', is_degrees ? "_node_lat" : "_node_y", std::move(y));
  if (places.HasZ()) define('Z', "_node_z", std::move(z));
  file_.PutText(container, "node_coordinates", coordinates);
  const auto count = [&](const char* attribute, int counted, std::vector<int> values) {
    const std::string name = names_.Take(axis.name + "_" + attribute);
    file_.PutText(DefineIntegers(name, {counted}, std::move(values)), "long_name",
                  std::string_view(attribute) == "node_count"        ? "number of nodes of the element"
                  : std::string_view(attribute) == "part_node_count" ? "number of nodes of the part"
                                                                     : "1 if the part is a hole");
    file_.PutText(container, attribute, name);
  };
  count("node_count", axis.dimension, std::move(nodes));
  if (!places.HasExtraRings()) return;
  const int parts = file_.AddDimension(names_.Take(axis.name + "_part"), nodes_in_part.size());
  const bool has_holes = std::ranges::find(is_hole, 1) != is_hole.end();
  count("part_node_count", parts, std::move(nodes_in_part));
  if (has_holes) count("interior_ring", parts, std::move(is_hole));
}

void ElementAxes::DefineMesh(Axis& axis) {
  MeshTopology& topology = *axis.topology;
  const bool are_faces = IsOf(*axis.series, ElementType::Polygon);
  const std::string kind = are_faces ? "face" : "edge";
  axis.mesh = names_.Take(axis.name + "_mesh");
  axis.location = kind;
  const int mesh = DefineIntegers(axis.mesh, {}, {0});
  std::string x, y;
  if (axis.nodes_of != kNone) {
    Axis& points = axes_[axis.nodes_of];
    if (points.mesh.empty()) {
      points.mesh = axis.mesh;
      points.location = "node";
    }
    x = points.x;
    y = points.y;
    file_.PutText(mesh, "node_dimension", points.name);
  } else {
    const bool is_degrees = axis.series->is_longitude_latitude;
    const int dimension = file_.AddDimension(names_.Take(axis.mesh + "_node"), topology.x.size());
    x = names_.Take(axis.mesh + (is_degrees ? "_node_lon" : "_node_x"));
    y = names_.Take(axis.mesh + (is_degrees ? "_node_lat" : "_node_y"));
    values_.push_back({DefineCoordinate(x, dimension, axis, 'X'), std::move(topology.x), {}});
    values_.push_back({DefineCoordinate(y, dimension, axis, 'Y'), std::move(topology.y), {}});
  }
  const std::string connectivity = names_.Take(fmt::format("{}_{}_nodes", axis.mesh, kind));
  const int width = file_.AddDimension(names_.Take(fmt::format("{}_{}_width", axis.mesh, kind)), topology.most);
  const int nodes = DefineIntegers(connectivity, {axis.dimension, width}, std::move(topology.nodes));
  file_.PutText(nodes, "cf_role", kind + "_node_connectivity");
  file_.PutText(nodes, "long_name", fmt::format("nodes of each {}", kind));
  file_.PutInteger(nodes, "start_index", 0);
  file_.PutInteger(nodes, "_FillValue", -1);
  file_.PutText(mesh, "cf_role", "mesh_topology");
  file_.PutText(mesh, "long_name", "topology of the mesh");
  file_.PutInteger(mesh, "topology_dimension", are_faces ? 2 : 1);
  file_.PutText(mesh, "node_coordinates", fmt::format("{} {}", x, y));
  file_.PutText(mesh, kind + "_node_connectivity", connectivity);
  file_.PutText(mesh, kind + "_dimension", axis.name);
  file_.PutText(mesh, kind + "_coordinates", fmt::format("{} {}", axis.x, axis.y));
  file_.PutText(mesh, "grid_mapping", axis.grid_mapping);
}

std::optional<int> ElementAxes::DimensionOf(std::size_t series) const {
  return axis_of_[series] == kNone ? std::nullopt : std::optional(axes_[axis_of_[series]].dimension);
}

void ElementAxes::Describe(int variable, std::size_t series) const {
  if (axis_of_[series] == kNone) return;
  const Axis& axis = axes_[axis_of_[series]];
  file_.PutText(variable, "coordinates", axis.coordinates);
  file_.PutText(variable, "geometry", axis.geometry);
  file_.PutText(variable, "grid_mapping", axis.grid_mapping);
  file_.PutText(variable, "mesh", axis.mesh);
  file_.PutText(variable, "location", axis.location);
}

void ElementAxes::Write() {
  const auto lock = LockNetcdf();
  for (const Axis& axis : axes_) {
    const std::size_t longest = LongestId(*axis.series);
    std::string text;
    for (const std::string& id : axis.series->elements) {
      text += id;
      text.resize(text.size() + longest - id.size(), '\0');
    }
    file_.Check(nc_put_var_text(file_.Id(), axis.ids, text.data()));
  }
  for (const Values& values : values_) {
    file_.Check(values.doubles.empty() ? nc_put_var_int(file_.Id(), values.variable, values.integers.data())
                                       : nc_put_var_double(file_.Id(), values.variable, values.doubles.data()));
  }
  values_.clear();
}

}  // namespace openmi
