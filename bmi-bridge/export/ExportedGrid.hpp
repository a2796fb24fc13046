#pragma once

#include <string>
#include <vector>

#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi::bmi {

/// The elements of items as a grid of BMI.
///
/// | elements | grid | values at |
/// | --- | --- | --- |
/// | none | scalar | none |
/// | points | points | nodes |
/// | polygons | unstructured: each has nodes and edges of its own | faces |
/// | others | none: a list of values without places | none |
struct ExportedGrid {
  /// \param elements  null: a value without a place
  explicit ExportedGrid(const ISpatialDefinition* elements);

  std::string type;
  std::string location;
  int rank = 0;
  int size = 1;                 ///< nodes; of a grid without nodes: values
  std::vector<double> x, y, z;  ///< of nodes; z is empty without heights
  std::vector<int> edge_nodes;  ///< two for each edge
  std::vector<int> face_edges, face_nodes, nodes_per_face;
};

}  // namespace openmi::bmi
