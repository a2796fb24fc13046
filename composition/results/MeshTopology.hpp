#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "timespace/elements/ElementSet.hpp"

namespace openmi {

/// The nodes that the elements of a set share, as the UGRID conventions describe a mesh.
struct MeshTopology {
  std::vector<double> x;   ///< of the nodes
  std::vector<double> y;   ///< of the nodes
  std::size_t most = 0;    ///< the highest number of nodes of an element
  std::vector<int> nodes;  ///< of each element in its order, counted from 0; -1 fills a row; shape [elements * most]
};

/// The topology of a set that is a mesh; none for any other.
///
/// Faces are polygons without holes and parts, of at most 12 corners; each edge belongs to two of them at most, which
/// run along it in opposite directions, and at least one is shared. Edges are lines of two vertices, of which some
/// share a node. Nodes are vertices with the same coordinates, to the last bit. Sets with Z are no mesh.
/// \param nodes  points that are the nodes, in their order; null: nodes are numbered as they occur
/// \returns none also if a vertex is not one of `nodes`
std::optional<MeshTopology> MeshOf(const ElementSet& elements, const ElementSet* nodes = nullptr);

}  // namespace openmi
