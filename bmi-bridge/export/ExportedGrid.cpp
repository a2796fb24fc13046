#include "bmi-bridge/export/ExportedGrid.hpp"

#include "timespace/standard/IElementSet.hpp"

namespace openmi::bmi {

ExportedGrid::ExportedGrid(const ISpatialDefinition* elements) {
  type = elements == nullptr ? "scalar" : "none";
  location = "none";
  if (elements == nullptr) return;
  const int count = elements->ElementCount();
  size = count;
  const auto* set = dynamic_cast<const IElementSet*>(elements);
  if (set == nullptr) return;
  const bool is_polygons = set->ElementType() == ElementType::Polygon;
  if (!is_polygons && set->ElementType() != ElementType::Point) return;
  type = is_polygons ? "unstructured" : "points";
  location = is_polygons ? "face" : "node";
  rank = set->HasZ() ? 3 : 2;
  for (int i = 0; i < count; ++i) {
    const int vertices = set->GetVertexCount(i);
    const int first = static_cast<int>(x.size());
    for (int k = 0; k < vertices; ++k) {
      x.push_back(set->GetVertexXCoordinate(i, k));
      y.push_back(set->GetVertexYCoordinate(i, k));
      if (set->HasZ()) z.push_back(set->GetVertexZCoordinate(i, k));
      if (!is_polygons) continue;
      face_edges.push_back(static_cast<int>(edge_nodes.size() / 2));
      edge_nodes.push_back(first + k);
      edge_nodes.push_back(first + (k + 1) % vertices);
      face_nodes.push_back(first + k);
    }
    if (is_polygons) nodes_per_face.push_back(vertices);
  }
  size = static_cast<int>(x.size());
}

}  // namespace openmi::bmi
