#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fmi-bridge/osmp/fields/FieldPath.hpp"
#include "fmi-bridge/osmp/wire/FieldReader.hpp"

namespace openmi::osi {

/// The fields that a set of paths goes through: its nodes are messages, its edges the fields in them. Node 0 is the
/// whole message.
class FieldTree {
 public:
  struct Edge {
    std::uint32_t number = 0;
    int index = FieldPath::kOnly;
    FieldKind kind = FieldKind::Double;
    WireType type = WireType::Fixed64;
    int column = -1;  ///< of a number
    int list = -1;    ///< the list that starts here
    int node = -1;    ///< node of the content
    int id_of = -1;   ///< list whose id this number is
    int next = -1;    ///< next edge of the same number
    bool in_list = false;
    std::uint64_t scope = 0;  ///< in which `seen` counts
    int seen = 0;
  };
  struct Node {
    std::array<std::int16_t, 32> low;  ///< first edges of small field numbers
    std::vector<int> high;             ///< first edges of the other numbers
  };

  FieldTree() { AddNode(); }
  /// Adds an edge; a message that is already there is not added again.
  /// \param is_leaf  whether the path ends here; else the edge gets a node
  /// \returns the edge
  int Add(int node, const FieldInfo& field, int index, bool is_leaf);

  Edge& operator[](int edge) { return edges_[static_cast<std::size_t>(edge)]; }
  const Node& NodeAt(int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  /// The first edge of a field number; -1 where there is none.
  int First(const Node& node, std::uint32_t number) const {
    if (number < node.low.size()) return node.low[number];
    for (const int edge : node.high) {
      if (edges_[static_cast<std::size_t>(edge)].number == number) return edge;
    }
    return -1;
  }

 private:
  void AddNode() { nodes_.emplace_back().low.fill(-1); }

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
};

}  // namespace openmi::osi
