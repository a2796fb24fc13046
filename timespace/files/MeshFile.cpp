#include "timespace/files/MeshFile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/files/CfGeometry.hpp"
#include "timespace/files/NetcdfFile.hpp"

namespace openmi {
namespace {

/// Lists of nodes, numbered from zero; a polygon of several parts has several lists.
using Elements = std::vector<std::vector<std::vector<std::size_t>>>;

class MeshReader {
 public:
  MeshReader(const std::string& path, const MeshOptions& options) : path_(path), options_(options), file_(path, path) {}

  ElementSet Read(const std::string& caption) {
    std::string topology;
    for (const std::string& variable : file_.Variables()) {
      if (file_.Text(variable, "cf_role") == "mesh_topology") topology = variable;
    }
    if (!topology.empty()) {
      ReadUgrid(topology);
    } else if (file_.Has("nodeCoords") && file_.Has("elementConn")) {
      ReadEsmf();
    } else {
      Refuse(fmt::format("expected a variable with cf_role = mesh_topology (UGRID) or nodeCoords and elementConn "
                         "(ESMF), found {}",
                         fmt::join(file_.Variables(), ", ")),
             "name the file that holds the mesh, or write its metadata");
    }
    return Build(caption);
  }

 private:
  [[noreturn]] void Refuse(const std::string& problem, const std::string& remedy) const {
    throw FormatError({.file = path_}, problem, remedy);
  }

  void ReadUgrid(const std::string& topology) {
    const std::vector<std::string> names = Split(file_.Text(topology, "node_coordinates"));
    if (names.size() < 2) {
      Refuse(fmt::format("expected two variables in node_coordinates of '{}', found {}", topology, names.size()),
             "write the names of longitude and latitude, or x and y");
    }
    const auto is_north = [&](const std::string& name) {
      const std::string standard = file_.Text(name, "standard_name");
      return standard == "latitude" || standard == "projection_y_coordinate" ||
             file_.Text(name, "units").starts_with("degrees_n");
    };
    const bool swapped = is_north(names[0]);
    x_ = file_.Doubles(names[swapped ? 1 : 0]);
    y_ = file_.Doubles(names[swapped ? 0 : 1]);
    if (x_.size() != y_.size()) {
      Refuse(fmt::format("expected as many x as y of nodes, found {} and {}", x_.size(), y_.size()), "repair the file");
    }
    UseUnits(file_.Text(names[0], "units"), CrsWktOf(file_, topology));
    const std::string faces = file_.Text(topology, "face_node_connectivity");
    const std::string edges = file_.Text(topology, "edge_node_connectivity");
    place_ = options_.place;
    if (place_ == MeshPlace::Any)
      place_ = !faces.empty() ? MeshPlace::Face : !edges.empty() ? MeshPlace::Edge : MeshPlace::Node;
    if (place_ == MeshPlace::Face) ReadConnectivity(topology, "face", faces);
    if (place_ == MeshPlace::Edge) ReadConnectivity(topology, "edge", edges);
  }

  void ReadConnectivity(const std::string& topology, const std::string& kind, const std::string& variable) {
    if (variable.empty()) {
      Refuse(fmt::format("expected {}_node_connectivity of '{}', found none", kind, topology),
             "take another place of the mesh: face, edge or node");
    }
    const std::vector<NetcdfDimension> dimensions = file_.Dimensions(variable);
    if (dimensions.size() != 2) {
      Refuse(fmt::format("expected two dimensions of '{}', found {}", variable, dimensions.size()), "repair the file");
    }
    const std::vector<double> numbers = file_.Doubles(variable);
    const double first = file_.Number(variable, "start_index").value_or(0.0);
    const Padding is_padding = PaddingOf(variable);
    const std::string named = file_.Text(topology, kind + "_dimension");
    // Elements are the first dimension unless the file says otherwise, or an element would then have a node twice.
    const bool last = named == dimensions[1].name || (named != dimensions[0].name && MeetsTwice(numbers, dimensions));
    const std::size_t count = dimensions[last ? 1 : 0].length, most = dimensions[last ? 0 : 1].length;
    // A coordinate variable of texts has the name of its dimension.
    const std::string& elements = dimensions[last ? 1 : 0].name;
    if (options_.id_variable.empty() && file_.Has(elements) && file_.IsText(elements)) options_.id_variable = elements;
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<std::size_t> nodes;
      for (std::size_t k = 0; k < most; ++k) {
        const double number = numbers[last ? k * count + i : i * most + k];
        if (is_padding(number)) continue;
        nodes.push_back(Node(number, first, variable, i));
      }
      elements_.push_back({std::move(nodes)});
    }
  }

  static bool MeetsTwice(const std::vector<double>& numbers, const std::vector<NetcdfDimension>& dimensions) {
    const std::size_t most = dimensions[1].length;
    for (std::size_t i = 0; i < dimensions[0].length; ++i) {
      std::vector<double> nodes(numbers.begin() + static_cast<std::ptrdiff_t>(i * most),
                                numbers.begin() + static_cast<std::ptrdiff_t>((i + 1) * most));
      while (nodes.size() > 1 && nodes.back() == nodes[nodes.size() - 2]) nodes.pop_back();  // padding
      std::sort(nodes.begin(), nodes.end());
      if (std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end()) return true;
    }
    return false;
  }

  /// Numbers that mark the unused nodes of an element.
  struct Padding {
    std::optional<double> fill;
    std::optional<double> missing;
    bool operator()(double number) const { return number == fill || number == missing || !(number >= 0.0); }
  };
  Padding PaddingOf(const std::string& variable) const {
    return {file_.Number(variable, "_FillValue"), file_.Number(variable, "missing_value")};
  }

  std::size_t Node(double number, double first, const std::string& variable, std::size_t element) const {
    const double node = number - first;
    if (node >= 0.0 && node < static_cast<double>(x_.size()) && node == std::floor(node)) {
      return static_cast<std::size_t>(node);
    }
    Refuse(fmt::format("expected nodes from {} (start_index) to {} in '{}', found {} in element {}", first,
                       first + static_cast<double>(x_.size()) - 1.0, variable, number, element + 1),
           "correct start_index, or the padding");
  }

  void ReadEsmf() {
    const std::vector<NetcdfDimension> coordinates = file_.Dimensions("nodeCoords");
    if (coordinates.size() != 2 || coordinates[1].length < 2) {
      Refuse("expected nodeCoords with two coordinates of each node, found another shape", "repair the file");
    }
    const std::vector<double> places = file_.Doubles("nodeCoords");
    const std::size_t wide = coordinates[1].length;
    for (std::size_t i = 0; i < coordinates[0].length; ++i) {
      x_.push_back(places[i * wide]);
      y_.push_back(places[i * wide + 1]);
    }
    UseUnits(file_.Text("nodeCoords", "units"));
    place_ = options_.place == MeshPlace::Any ? MeshPlace::Face : options_.place;
    if (place_ == MeshPlace::Node) return;
    if (place_ == MeshPlace::Edge) Refuse("expected edges in a mesh of ESMF, found faces only", "take faces or nodes");
    const std::vector<NetcdfDimension> dimensions = file_.Dimensions("elementConn");
    const std::vector<double> numbers = file_.Doubles("elementConn");
    std::vector<double> counts;
    if (file_.Has("numElementConn")) counts = file_.Doubles("numElementConn");
    const double first = file_.Number("elementConn", "start_index").value_or(1.0);
    const double part = file_.Number("elementConn", "polygon_break_value").value_or(-8.0);
    const Padding is_padding = PaddingOf("elementConn");
    const bool ragged = dimensions.size() == 1;
    if (ragged && counts.empty()) {
      Refuse("expected numElementConn beside a list of connections, found none", "repair the file");
    }
    const std::size_t count = ragged ? counts.size() : dimensions[0].length;
    if (!counts.empty() && counts.size() != count) {
      Refuse(fmt::format("expected numElementConn of {} elements, found {}", count, counts.size()), "repair the file");
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t most = ragged ? numbers.size() - next : dimensions[1].length;
      const std::size_t begin = ragged ? next : i * most;
      const double wanted = counts.empty() ? static_cast<double>(most) : counts[i];
      if (!(wanted >= 0.0 && wanted <= static_cast<double>(most))) {
        Refuse(fmt::format("expected at most {} connections of element {}, found {}", most, i + 1, wanted),
               "repair the file");
      }
      std::vector<std::vector<std::size_t>> parts(1);
      for (std::size_t k = begin; k < begin + static_cast<std::size_t>(wanted); ++k) {
        if (numbers[k] == part) {
          parts.emplace_back();
        } else if (!is_padding(numbers[k])) {
          parts.back().push_back(Node(numbers[k], first, "elementConn", i));
        }
      }
      next += static_cast<std::size_t>(wanted);
      elements_.push_back(std::move(parts));
    }
  }

  /// \param wkt  the reference system that the file names; may be empty
  void UseUnits(const std::string& units, const std::string& wkt = {}) {
    if (units.starts_with("rad")) {
      for (double& x : x_) x *= 180.0 / std::numbers::pi;
      for (double& y : y_) y *= 180.0 / std::numbers::pi;
    }
    wkt_ = !wkt.empty()                                              ? wkt
           : units.starts_with("degree") || units.starts_with("rad") ? kWgs84Wkt
                                                                     : options_.reference_system;
    if (wkt_.empty()) {
      Refuse(fmt::format("expected coordinates in degrees or a reference system, found the unit '{}'", units),
             "name the reference system");
    }
  }

  ElementSet Build(const std::string& caption) {
    const auto vertex = [&](std::size_t node) { return ElementVertex{.x = x_[node], .y = y_[node]}; };
    try {
      if (place_ == MeshPlace::Node)
        return ElementSet::Points(caption, wkt_, file_.Ids(options_.id_variable, x_.size()), x_, y_);
      const std::vector<std::string> ids = file_.Ids(options_.id_variable, elements_.size());
      const bool faces = place_ == MeshPlace::Face;
      ElementSetBuilder builder(caption, faces ? ElementType::Polygon : ElementType::PolyLine, wkt_);
      for (std::size_t i = 0; i < elements_.size(); ++i) {
        std::vector<ElementSetBuilder::Part> parts;
        for (const std::vector<std::size_t>& nodes : elements_[i]) {
          ElementSetBuilder::Part& part = parts.emplace_back();
          for (const std::size_t node : nodes) part.outer.push_back(vertex(node));
          if (IsGeographic(wkt_)) Unwind(part.outer);
        }
        faces ? builder.AddPolygon(ids[i], parts) : builder.AddPolyLine(ids[i], parts.front().outer);
      }
      return builder.Build();
    } catch (const FormatError& error) {
      Refuse(error.Problem(), error.Remedy());
    }
  }

  /// Joins a ring that crosses the date line: afterwards no step along it is longer than 180 degrees.
  static void Unwind(std::vector<ElementVertex>& ring) {
    for (std::size_t i = 1; i < ring.size(); ++i) {
      const double step = ring[i].x - ring[i - 1].x;
      if (std::abs(step) > 180.0) ring[i].x -= 360.0 * std::round(step / 360.0);
    }
  }

  std::string path_;
  MeshOptions options_;
  NetcdfFile file_;
  MeshPlace place_ = MeshPlace::Face;
  std::vector<double> x_;
  std::vector<double> y_;
  std::string wkt_;
  Elements elements_;
};

}  // namespace

ElementSet ReadMeshFile(const std::string& path, const std::string& caption, const MeshOptions& options) {
  return MeshReader(path, options).Read(caption);
}

}  // namespace openmi
