#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace openmi {

/// An input or output of a component in a diagram.
struct GraphItem {
  std::string id;
  std::string unit;
};

/// A component in a diagram.
struct GraphNode {
  std::string id;
  std::string caption;  ///< a second line: the kind of component; may be empty
  std::vector<GraphItem> inputs;
  std::vector<GraphItem> outputs;
  bool is_invented = false;
  bool is_trigger = false;
  std::string icon = {};  ///< address (data:) of a picture; may be empty
};

/// A link between two items; a component or item that is not among the nodes is added to the diagram.
struct GraphLink {
  std::string from_component;
  std::string from_item;
  std::string to_component;
  std::string to_item;
  std::vector<std::string> adaptors;  ///< in the order in which values pass through them
};

/// A composition in the form in which it is drawn.
struct GraphModel {
  std::string title;
  std::vector<GraphNode> nodes;
  std::vector<GraphLink> links;
};

/// A composition whose links refer to components and items by number; both writers of diagrams use it.
struct ResolvedLink {
  std::size_t from_node = 0;
  std::size_t from_item = 0;  ///< among the outputs of `from_node`
  std::size_t to_node = 0;
  std::size_t to_item = 0;  ///< among the inputs of `to_node`
};
struct ResolvedGraph {
  std::vector<GraphNode> nodes;
  std::vector<ResolvedLink> links;  ///< one for each link of the model, in its order
};

/// Finds the components and items that the links name, and adds those that do not exist.
ResolvedGraph ResolveGraph(const GraphModel& model);

}  // namespace openmi
