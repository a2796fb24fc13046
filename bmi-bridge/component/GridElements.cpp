#include "bmi-bridge/component/GridElements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <functional>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"

namespace openmi::bmi {
namespace {

constexpr std::size_t kMostIds = 100'000;
constexpr int kMostRank = 3;

template <class T>
T Required(std::optional<T> value, const char* function) {
  if (!value) throw FormatError({}, fmt::format("{} gives no value", function));
  return *std::move(value);
}

std::size_t Size(int count, const char* what) {
  if (count < 0) throw FormatError({}, fmt::format("{} is {}", what, count));
  return static_cast<std::size_t>(count);
}

}  // namespace

/// A grid with the coordinates of all its nodes.
struct GridElements::Grid {
  int id = 0;
  std::string type;
  int rank = 0;
  std::vector<std::size_t> shape;  // last axis first; empty for unstructured grids
  std::vector<double> x, y, z;     // of the nodes, in flat order; z may be empty

  ElementVertex At(int node) const {
    if (node < 0 || static_cast<std::size_t>(node) >= x.size()) {
      throw FormatError({}, fmt::format("node {} is none of the {} there are", node, x.size()));
    }
    const auto at = static_cast<std::size_t>(node);
    return {.x = x[at], .y = y[at], .z = z.empty() ? 0.0 : z[at]};
  }
};

std::string GridElements::IdOf(std::size_t index, std::size_t count) const {
  if (rank_) return fmt::format("{}:{}", *rank_, index);
  return count > kMostIds ? std::string() : std::to_string(index);
}

std::vector<std::string> GridElements::Indices(std::size_t count) const {
  std::vector<std::string> ids;
  if (count > kMostIds && !rank_) return ids;
  ids.reserve(count);
  for (std::size_t i = 0; i < count; ++i) ids.push_back(IdOf(i, count));
  return ids;
}

void GridElements::ReadStructured(Grid& grid) const {
  const auto rank = static_cast<std::size_t>(grid.rank);
  const std::vector<int> shape = Required(model_->GridShape(grid.id, rank), "get_grid_shape");
  std::size_t nodes = 1;
  for (const int size : shape) {
    grid.shape.push_back(Size(size, "an entry of the shape"));
    nodes *= grid.shape.back();
    if (nodes > 1'000'000'000) throw FormatError({}, "the shape has more than a thousand million nodes");
  }
  // MODFLOW 6 gives cells as the shape, and as many coordinates for y as for x, of corners.
  const std::size_t longest = std::ranges::max(grid.shape);
  // Coordinates by axis, x first: axis a is entry rank - 1 - a of the lists.
  std::vector<std::vector<double>> axes(rank);
  const bool is_uniform = grid.type == "uniform_rectilinear";
  const bool is_quadrilateral = grid.type == "structured_quadrilateral";
  if (is_uniform) {
    const auto spacing = Required(model_->GridSpacing(grid.id, rank), "get_grid_spacing");
    const auto origin = Required(model_->GridOrigin(grid.id, rank), "get_grid_origin");
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const std::size_t entry = rank - 1 - axis;
      for (std::size_t i = 0; i < grid.shape[entry]; ++i) {
        axes[axis].push_back(origin[entry] + static_cast<double>(i) * spacing[entry]);
      }
    }
  } else {
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const std::size_t count = is_quadrilateral ? nodes : grid.shape[rank - 1 - axis];
      axes[axis] = Required(model_->GridCoordinates(static_cast<int>(axis), grid.id, count, longest + 1),
                            "get_grid_x, _y or _z");
    }
  }
  std::vector<double>* const coordinates[] = {&grid.x, &grid.y, &grid.z};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    std::vector<double>& values = *coordinates[axis];
    if (is_quadrilateral) {
      values = std::move(axes[axis]);
      continue;
    }
    std::size_t stride = 1;  // distance in nodes of neighbours along the axis
    for (std::size_t lower = 0; lower < axis; ++lower) stride *= grid.shape[rank - 1 - lower];
    values.resize(nodes);
    for (std::size_t node = 0; node < nodes; ++node) values[node] = axes[axis][node / stride % axes[axis].size()];
  }
  if (rank == 1) grid.y.assign(nodes, 0.0);
}

GridElements::Grid GridElements::Read(int id) const {
  Grid grid{.id = id, .type = Required(model_->GridType(id), "get_grid_type"), .shape = {}, .x = {}, .y = {}, .z = {}};
  std::ranges::transform(grid.type, grid.type.begin(),
                         [](unsigned char sign) { return static_cast<char>(std::tolower(sign)); });
  if (grid.type.starts_with("scalar") || grid.type == "none" || grid.type.empty()) return grid;
  grid.rank = model_->GridRank(id).value_or(2);
  if (grid.rank < 1 || grid.rank > kMostRank) {
    throw FormatError({}, fmt::format("its rank is {}, and 1 to 3 can be described", grid.rank));
  }
  if (grid.type == "uniform_rectilinear" || grid.type == "rectilinear" || grid.type == "structured_quadrilateral") {
    ReadStructured(grid);
    return grid;
  }
  if (grid.type != "points" && grid.type != "vector" && grid.type != "unstructured") {
    throw FormatError({}, fmt::format("its type '{}' is none that BMI names", grid.type));
  }
  const auto by_count = model_->GridNodeCount(id);
  const std::size_t nodes =
      Size(by_count ? *by_count : Required(model_->GridSize(id), "get_grid_node_count"), "get_grid_node_count");
  grid.x = Required(model_->GridCoordinates(0, id, nodes), "get_grid_x");
  grid.y = model_->GridCoordinates(1, id, nodes).value_or(std::vector<double>(nodes, 0.0));
  if (grid.rank == kMostRank) grid.z = Required(model_->GridCoordinates(2, id, nodes), "get_grid_z");
  return grid;
}

std::shared_ptr<ElementSet> GridElements::MakePoints(const Grid& grid, const Variable& variable) const {
  return std::make_shared<ElementSet>(ElementSet::Points(fmt::format("nodes of grid {}", grid.id), wkt_,
                                                         Indices(variable.count), grid.x, grid.y, grid.z));
}

std::shared_ptr<ElementSet> GridElements::MakeLines(const Grid& grid, const Variable& variable,
                                                    const std::vector<int>& ends) const {
  ElementSetBuilder builder(fmt::format("edges of grid {}", grid.id), ElementType::PolyLine, wkt_);
  if (!grid.z.empty()) builder.WithZ();
  for (std::size_t i = 0; i < variable.count; ++i) {
    builder.AddPolyLine(IdOf(i, variable.count), std::vector{grid.At(ends[2 * i]), grid.At(ends[2 * i + 1])});
  }
  return std::make_shared<ElementSet>(builder.Build());
}

std::shared_ptr<ElementSet> GridElements::MakeFaces(const Grid& grid, const Variable& variable,
                                                    const std::vector<int>& nodes,
                                                    const std::vector<int>& counts) const {
  ElementSetBuilder builder(fmt::format("faces of grid {}", grid.id), ElementType::Polygon, wkt_);
  if (!grid.z.empty()) builder.WithZ();
  std::size_t at = 0;
  std::vector<ElementVertex> ring;
  for (std::size_t i = 0; i < variable.count; ++i) {
    ring.clear();
    for (int n = 0; n < counts[i]; ++n) ring.push_back(grid.At(nodes.at(at++)));
    builder.AddPolygon(IdOf(i, variable.count), ring);
  }
  return std::make_shared<ElementSet>(builder.Build());
}

std::shared_ptr<ElementSet> GridElements::Make(const Variable& variable) {
  const Grid grid = Read(*variable.grid);
  if (grid.x.empty() && grid.type != "points" && grid.type != "vector" && grid.type != "unstructured") {
    if (variable.count == 1) return nullptr;
    throw FormatError({}, fmt::format("a scalar has {} values", variable.count));
  }
  const std::size_t count = variable.count;
  const auto expect = [&](std::size_t expected, const char* what) {
    if (count != expected) {
      throw FormatError({}, fmt::format("it has {} values, and the grid has {} {}", count, expected, what));
    }
  };
  if (variable.location == "edge" && grid.type == "unstructured") {
    const std::size_t edges = Size(Required(model_->GridEdgeCount(grid.id), "get_grid_edge_count"), "the edge count");
    expect(edges, "edges");
    return MakeLines(grid, variable, Required(model_->GridEdgeNodes(grid.id, 2 * edges), "get_grid_edge_nodes"));
  }
  if (variable.location == "edge" && grid.type == "vector") {
    expect(grid.x.empty() ? 0 : grid.x.size() - 1, "edges");
    std::vector<int> ends;
    for (std::size_t i = 0; i < count; ++i) {
      ends.push_back(static_cast<int>(i));
      ends.push_back(static_cast<int>(i + 1));
    }
    return MakeLines(grid, variable, ends);
  }
  if (variable.location == "edge") throw FormatError({}, fmt::format("edges of grids of type {}", grid.type));
  if (variable.location == "face" && grid.type == "unstructured") {
    const std::size_t faces = Size(Required(model_->GridFaceCount(grid.id), "get_grid_face_count"), "the face count");
    expect(faces, "faces");
    const std::vector<int> counts = Required(model_->GridNodesPerFace(grid.id, faces), "get_grid_nodes_per_face");
    std::size_t sum = 0;
    for (const int nodes : counts) sum += Size(nodes, "the number of nodes of a face");
    if (sum > 1'000'000'000) throw FormatError({}, "the faces have more than a thousand million nodes");
    return MakeFaces(grid, variable, Required(model_->GridFaceNodes(grid.id, sum), "get_grid_face_nodes"), counts);
  }
  if (variable.location == "face") {
    if (grid.shape.size() != 2 || grid.shape[0] == 0 || grid.shape[1] == 0) {
      throw FormatError({}, fmt::format("faces of grids of type {} and rank {}", grid.type, grid.rank));
    }
    const std::size_t rows = grid.shape[0] - 1;
    const std::size_t columns = grid.shape[1] - 1;
    expect(rows * columns, "faces");
    std::vector<int> nodes;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        const auto corner = static_cast<int>(row * grid.shape[1] + column);
        const auto above = static_cast<int>((row + 1) * grid.shape[1] + column);
        nodes.insert(nodes.end(), {corner, corner + 1, above + 1, above});
      }
    }
    return MakeFaces(grid, variable, nodes, std::vector<int>(count, 4));
  }
  expect(grid.x.size(), "nodes");
  return MakePoints(grid, variable);
}

std::shared_ptr<const ISpatialDefinition> GridElements::Of(const Variable& variable,
                                                           std::vector<std::string>& warnings) {
  if (!variable.grid && variable.count == 1) return nullptr;
  const std::tuple key(variable.grid.value_or(-1), variable.location, variable.count);
  if (const auto found = made_.find(key); found != made_.end()) return found->second.elements;
  std::shared_ptr<ElementSet> elements;
  try {
    if (!variable.grid) throw FormatError({}, "get_var_grid gives no value");
    elements = Make(variable);
  } catch (const Error& error) {
    if (variable.count != 1) {
      std::vector<std::string> ids;
      for (std::size_t i = 0; i < variable.count; ++i)
        ids.push_back(rank_ ? IdOf(i, variable.count) : std::to_string(i));
      elements = std::make_shared<ElementSet>(ElementSet::IdBased(variable.name, ids));
    }
    const std::string grid = variable.grid ? fmt::format("its grid {}", *variable.grid) : std::string("a grid");
    warnings.push_back(fmt::format("the places of '{}' are not described by {}: {}; {}", variable.name, grid,
                                   error.Problem(),
                                   variable.count == 1 ? "it has none" : "its elements are numbers only"));
  }
  made_.emplace(key, Made{variable, elements});
  return elements;
}

void GridElements::Follow() {
  for (auto& entry : made_) {
    Made& made = entry.second;
    if (made.elements == nullptr || made.elements->ElementType() == ElementType::IdBased) continue;
    const std::shared_ptr<ElementSet> now = Make(made.variable);
    const auto differs = [&](auto coordinates) {
      return !std::ranges::equal(std::invoke(coordinates, *now), std::invoke(coordinates, *made.elements));
    };
    if (now == nullptr || now->ElementType() != made.elements->ElementType()) {
      throw RangeError({.item = made.variable.name}, "expected elements of the type of the start, found another",
                       "let the model keep the type of its grid");
    }
    const bool moved = differs(&ElementSet::X) || differs(&ElementSet::Y) || differs(&ElementSet::Z) ||
                       differs(&ElementSet::VertexOffsets);
    if (moved) made.elements->ReplaceGeometry(*now);
  }
}

}  // namespace openmi::bmi
