#include "composition/report/GraphRanks.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace openmi {
namespace {

using Adjacency = std::vector<std::vector<std::size_t>>;  // of each box, the numbers of its outgoing edges

std::vector<bool> FindBackward(std::size_t boxes, const std::vector<LayoutEdge>& edges, const Adjacency& outgoing) {
  enum class Mark : char { New, Open, Done };
  std::vector<Mark> marks(boxes, Mark::New);
  std::vector<bool> is_backward(edges.size(), false);
  std::vector<bool> has_provider(boxes, false);
  for (const LayoutEdge& edge : edges) {
    has_provider[edge.to] = has_provider[edge.to] || edge.from != edge.to;
  }
  std::vector<std::size_t> starts;
  for (const bool wanted : {false, true}) {
    for (std::size_t box = 0; box < boxes; ++box) {
      if (has_provider[box] == wanted) {
        starts.push_back(box);
      }
    }
  }
  std::vector<std::pair<std::size_t, std::size_t>> path;  // a box, and the next of its outgoing edges
  for (const std::size_t start : starts) {
    if (marks[start] != Mark::New) {
      continue;
    }
    marks[start] = Mark::Open;
    path.emplace_back(start, 0);
    while (!path.empty()) {
      auto& [box, next] = path.back();
      if (next == outgoing[box].size()) {
        marks[box] = Mark::Done;
        path.pop_back();
        continue;
      }
      const std::size_t edge = outgoing[box][next++];
      const std::size_t to = edges[edge].to;
      if (marks[to] == Mark::Open) {
        is_backward[edge] = true;
      } else if (marks[to] == Mark::New) {
        marks[to] = Mark::Open;
        path.emplace_back(to, 0);
      }
    }
  }
  return is_backward;
}

}  // namespace

GraphRanks RankGraph(std::size_t boxes, const std::vector<LayoutEdge>& edges) {
  Adjacency outgoing(boxes);
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    outgoing[edges[edge].from].push_back(edge);
  }
  GraphRanks ranks;
  ranks.is_backward = FindBackward(boxes, edges, outgoing);
  ranks.rank.assign(boxes, 0);
  std::vector<std::size_t> providers(boxes, 0);
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    providers[edges[edge].to] += ranks.is_backward[edge] ? 0 : 1;
  }
  const std::vector<std::size_t> all_providers = providers;
  std::vector<std::size_t> order;
  for (std::size_t box = 0; box < boxes; ++box) {
    if (providers[box] == 0) {
      order.push_back(box);
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const std::size_t edge : outgoing[order[i]]) {
      if (ranks.is_backward[edge]) {
        continue;
      }
      const std::size_t to = edges[edge].to;
      ranks.rank[to] = std::max(ranks.rank[to], ranks.rank[order[i]] + 1);
      if (--providers[to] == 0) {
        order.push_back(to);
      }
    }
  }
  for (std::size_t box = 0; box < boxes; ++box) {
    if (all_providers[box] != 0) {
      continue;
    }
    std::size_t nearest = std::numeric_limits<std::size_t>::max();
    for (const std::size_t edge : outgoing[box]) {
      if (!ranks.is_backward[edge]) {
        nearest = std::min(nearest, ranks.rank[edges[edge].to]);
      }
    }
    if (nearest != std::numeric_limits<std::size_t>::max() && nearest > 0) {
      ranks.rank[box] = nearest - 1;
    }
  }
  return ranks;
}

}  // namespace openmi
