#include "fmi-bridge/osmp/fields/FieldTree.hpp"

#include "fmi-bridge/osmp/schema/MessageType.hpp"

namespace openmi::osi {

int FieldTree::Add(int at, const FieldInfo& field, int index, bool is_leaf) {
  int last = -1;
  Node& node = nodes_[static_cast<std::size_t>(at)];
  for (int e = First(node, field.number); e >= 0; e = (*this)[e].next) {
    if (!is_leaf && (*this)[e].index == index && (*this)[e].node >= 0) return e;
    last = e;
  }
  const int added = static_cast<int>(edges_.size());
  Edge& edge = edges_.emplace_back();
  edge.number = field.number;
  edge.index = index;
  edge.kind = field.kind;
  edge.type = WireTypeOf(field.kind);
  if (last >= 0) {
    (*this)[last].next = added;
  } else if (field.number < node.low.size()) {
    node.low[field.number] = static_cast<std::int16_t>(added);
  } else {
    node.high.push_back(added);
  }
  if (!is_leaf) {
    edge.node = static_cast<int>(nodes_.size());
    AddNode();
  }
  return added;
}

}  // namespace openmi::osi
