#include "composition/report/GraphModel.hpp"

#include <map>
#include <utility>

namespace openmi {
namespace {

using ItemNames = std::map<std::pair<std::size_t, std::string>, std::size_t>;

std::size_t FindItem(ItemNames& names, std::size_t node, const std::string& id, std::vector<GraphItem>& items) {
  const auto [place, is_new] = names.try_emplace({node, id}, items.size());
  if (is_new) items.push_back({id, {}});
  return place->second;
}

}  // namespace

ResolvedGraph ResolveGraph(const GraphModel& model) {
  ResolvedGraph graph{model.nodes, {}};
  std::map<std::string, std::size_t> numbers;
  ItemNames inputs;
  ItemNames outputs;
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    numbers.try_emplace(graph.nodes[node].id, node);
    for (std::size_t i = 0; i < graph.nodes[node].inputs.size(); ++i) {
      inputs.try_emplace({node, graph.nodes[node].inputs[i].id}, i);
    }
    for (std::size_t i = 0; i < graph.nodes[node].outputs.size(); ++i) {
      outputs.try_emplace({node, graph.nodes[node].outputs[i].id}, i);
    }
  }
  const auto find_node = [&](const std::string& id) {
    const auto [place, is_new] = numbers.try_emplace(id, graph.nodes.size());
    if (is_new) graph.nodes.emplace_back().id = id;
    return place->second;
  };
  for (const GraphLink& link : model.links) {
    ResolvedLink resolved;
    resolved.from_node = find_node(link.from_component);
    resolved.to_node = find_node(link.to_component);
    resolved.from_item = FindItem(outputs, resolved.from_node, link.from_item, graph.nodes[resolved.from_node].outputs);
    resolved.to_item = FindItem(inputs, resolved.to_node, link.to_item, graph.nodes[resolved.to_node].inputs);
    graph.links.push_back(resolved);
  }
  return graph;
}

}  // namespace openmi
