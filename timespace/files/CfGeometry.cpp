#include "timespace/files/CfGeometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi {
namespace {

class Reader {
 public:
  Reader(const NetcdfFile& file, const std::string& container) : file_(file), container_(container) {}

  CfGeometry Describe() const {
    CfGeometry geometry{container_, {.name = {}, .length = 1}};
    const std::string counts = file_.Text(container_, "node_count");
    if (!counts.empty()) {
      geometry.elements = OneDimension(counts);
    } else if (file_.Text(container_, "geometry_type") == "point") {
      const std::vector<std::string> names = Split(file_.Text(container_, "node_coordinates"));
      if (!names.empty()) geometry.elements = OneDimension(names.front());
    }
    return geometry;
  }

  ElementSet Read(const NetcdfDimension& elements, const std::string& caption, const ElementFileOptions& options) {
    const std::string type = file_.Text(container_, "geometry_type");
    ReadNodes();
    ReadParts(elements);
    ElementSetBuilder builder(caption,
                              type == "point"  ? ElementType::Point
                              : type == "line" ? ElementType::PolyLine
                                               : ElementType::Polygon,
                              SystemOf(options));
    if (!z_.empty()) builder.WithZ();
    const std::vector<std::string> ids = IdsOf(elements, options.ids);
    try {
      std::size_t node = 0;
      std::size_t part = 0;
      for (std::size_t i = 0; i < elements.length; ++i) Add(builder, type, ids[i], nodes_of_[i], node, part);
      return builder.Build();
    } catch (const FormatError& error) {
      Refuse(error.Problem(), error.Remedy());
    }
  }

 private:
  [[noreturn]] void Refuse(const std::string& problem, const std::string& remedy = "repair the file") const {
    throw FormatError({.file = file_.Shown(), .item = container_}, problem, remedy);
  }

  NetcdfDimension OneDimension(const std::string& variable) const {
    if (!file_.Has(variable)) Refuse(fmt::format("expected a variable '{}', found none", variable));
    const std::vector<NetcdfDimension> dimensions = file_.Dimensions(variable);
    if (dimensions.size() != 1) {
      Refuse(fmt::format("expected one dimension of '{}', found {}", variable, dimensions.size()));
    }
    return dimensions.front();
  }

  void ReadNodes() {
    for (const std::string& name : Split(file_.Text(container_, "node_coordinates"))) {
      OneDimension(name);
      const std::string axis = file_.Text(name, "axis");
      std::vector<double>* const target = axis == "X" ? &x_ : axis == "Y" ? &y_ : axis == "Z" ? &z_ : nullptr;
      if (target == nullptr) Refuse(fmt::format("expected axis X, Y or Z of '{}', found '{}'", name, axis));
      *target = file_.Doubles(name);
      if (axis == "X") unit_ = file_.Text(name, "units");
    }
    if (x_.empty() || y_.size() != x_.size() || (!z_.empty() && z_.size() != x_.size())) {
      Refuse(
          fmt::format("expected as many x as y of nodes, found {}, {} and {} of z", x_.size(), y_.size(), z_.size()));
    }
  }

  /// Counts of nodes that fill `total` exactly.
  std::vector<std::size_t> Counts(const std::string& variable, std::size_t total) const {
    OneDimension(variable);
    std::vector<std::size_t> counts;
    double sum = 0.0;
    for (const double number : file_.Doubles(variable)) {
      const bool is_count = number >= 0.0 && number <= static_cast<double>(total) && number == std::floor(number);
      if (!is_count) Refuse(fmt::format("expected counts of nodes in '{}', found {}", variable, number));
      counts.push_back(static_cast<std::size_t>(number));
      sum += number;
    }
    if (sum != static_cast<double>(total)) {
      Refuse(fmt::format("expected counts of {} nodes in '{}', found {}", total, variable, sum));
    }
    return counts;
  }

  void ReadParts(const NetcdfDimension& elements) {
    const std::string nodes = file_.Text(container_, "node_count");
    const std::string parts = file_.Text(container_, "part_node_count");
    const std::string holes = file_.Text(container_, "interior_ring");
    nodes_of_ = nodes.empty()
                    ? std::vector<std::size_t>(elements.length, x_.size() / std::max<std::size_t>(1, elements.length))
                    : Counts(nodes, x_.size());
    nodes_in_part_ = parts.empty() ? nodes_of_ : Counts(parts, x_.size());
    is_hole_.assign(nodes_in_part_.size(), 0.0);
    if (holes.empty()) return;
    OneDimension(holes);
    is_hole_ = file_.Doubles(holes);
    if (is_hole_.size() != nodes_in_part_.size()) {
      Refuse(fmt::format("expected '{}' to have a number for each of {} parts, found {}", holes, nodes_in_part_.size(),
                         is_hole_.size()));
    }
  }

  std::string SystemOf(const ElementFileOptions& options) const {
    std::string wkt = CrsWktOf(file_, container_);
    if (wkt.empty() && unit_.starts_with("degree")) wkt = kWgs84Wkt;
    if (wkt.empty()) wkt = options.reference_system;
    if (wkt.empty()) {
      Refuse(fmt::format("expected coordinates in degrees or a reference system, found the unit '{}'", unit_),
             "name the reference system");
    }
    return wkt;
  }

  std::vector<std::string> IdsOf(const NetcdfDimension& elements, const std::string& wanted) const {
    const std::string variable =
        wanted.empty() && !elements.name.empty() && file_.Has(elements.name) && file_.IsText(elements.name)
            ? elements.name
            : wanted;
    return file_.Ids(variable, elements.length);
  }

  /// Adds the element that has the next `count` nodes and the parts that they fill.
  void Add(ElementSetBuilder& builder, const std::string& type, const std::string& id, std::size_t count,
           std::size_t& node, std::size_t& part) const {
    std::vector<ElementSetBuilder::Part> polygon;
    std::vector<ElementVertex> vertices;
    std::size_t parts = 0;
    for (const std::size_t end = node + count; node < end; ++part) {
      const std::size_t length = part < nodes_in_part_.size() ? nodes_in_part_[part] : 0;
      if (length == 0 || length > end - node) {
        Refuse(fmt::format("expected parts that fill the {} nodes of '{}', found one of {}", count, id, length));
      }
      vertices.clear();
      for (std::size_t i = 0; i < length; ++i, ++node) {
        vertices.push_back({.x = x_[node], .y = y_[node], .z = z_.empty() ? 0.0 : z_[node]});
      }
      ++parts;
      if (type != "polygon") continue;
      if (is_hole_[part] == 0.0) {
        polygon.push_back({.outer = vertices});
      } else if (polygon.empty()) {
        Refuse(fmt::format("expected an exterior ring of '{}' before its interior rings, found none", id));
      } else {
        polygon.back().holes.push_back(vertices);
      }
    }
    if (type == "polygon") {
      builder.AddPolygon(id, polygon);
    } else if (parts != 1 || (type == "point" && count != 1)) {
      Refuse(fmt::format("expected one {} for each element, found {} parts of '{}'", type,
                         type == "point" ? count : parts, id),
             "give each part an element of its own");
    } else if (type == "point") {
      builder.AddPoint(id, vertices.front());
    } else {
      builder.AddPolyLine(id, vertices);
    }
  }

  const NetcdfFile& file_;
  std::string container_;
  std::vector<double> x_, y_, z_;
  std::string unit_;
  std::vector<std::size_t> nodes_of_;       // by element
  std::vector<std::size_t> nodes_in_part_;  // by part
  std::vector<double> is_hole_;             // by part; 0: an outer ring
};

}  // namespace

std::vector<CfGeometry> CfGeometriesIn(const NetcdfFile& file) {
  std::vector<CfGeometry> found;
  for (const std::string& variable : file.Variables()) {
    const std::string type = file.Text(variable, "geometry_type");
    if (type == "point" || type == "line" || type == "polygon") found.push_back(Reader(file, variable).Describe());
  }
  return found;
}

ElementSet ReadCfGeometry(const NetcdfFile& file, const CfGeometry& geometry, const std::string& caption,
                          const ElementFileOptions& options) {
  return Reader(file, geometry.container).Read(geometry.elements, caption, options);
}

std::string CrsWktOf(const NetcdfFile& file, const std::string& variable) {
  const std::string mapping = file.Text(variable, "grid_mapping");
  return file.Has(mapping) ? file.Text(mapping, "crs_wkt") : std::string();
}

}  // namespace openmi
