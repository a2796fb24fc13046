#include "composition/link/LinkGraph.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

namespace openmi {

void LinkGraph::AddLink(std::size_t provider, std::size_t consumer) {
  consumers_[provider].push_back(consumer);
  providers_[consumer].push_back(provider);
}

std::vector<std::vector<std::size_t>> LinkGraph::Parts() const {
  // Source: Tarjan 1972, with an explicit stack.
  constexpr std::size_t kUnseen = std::numeric_limits<std::size_t>::max();
  struct Frame {
    std::size_t node;
    std::size_t next;
  };
  std::vector<std::size_t> index(Count(), kUnseen);
  std::vector<std::size_t> low(Count(), 0);
  std::vector<bool> on_stack(Count(), false);
  std::vector<std::size_t> stack;
  std::vector<Frame> frames;
  std::vector<std::vector<std::size_t>> parts;
  std::size_t counter = 0;
  for (std::size_t root = 0; root < Count(); ++root) {
    if (index[root] != kUnseen) continue;
    frames.push_back({root, 0});
    while (!frames.empty()) {
      const std::size_t node = frames.back().node;
      if (frames.back().next == 0) {
        index[node] = low[node] = counter++;
        stack.push_back(node);
        on_stack[node] = true;
      }
      if (frames.back().next < consumers_[node].size()) {
        const std::size_t target = consumers_[node][frames.back().next++];
        if (index[target] == kUnseen) {
          frames.push_back({target, 0});
        } else if (on_stack[target]) {
          low[node] = std::min(low[node], index[target]);
        }
        continue;
      }
      if (low[node] == index[node]) {
        std::vector<std::size_t> part;
        std::size_t member = 0;
        do {
          member = stack.back();
          stack.pop_back();
          on_stack[member] = false;
          part.push_back(member);
        } while (member != node);
        std::ranges::sort(part);
        parts.push_back(std::move(part));
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
    }
  }
  return parts;
}

std::vector<std::vector<std::size_t>> LinkGraph::Loops() const {
  std::vector<std::vector<std::size_t>> loops;
  for (auto& part : Parts()) {
    const auto& own = consumers_[part.front()];
    if (part.size() > 1 || std::ranges::find(own, part.front()) != own.end()) loops.push_back(std::move(part));
  }
  std::ranges::sort(loops);
  return loops;
}

std::vector<std::size_t> LinkGraph::UpstreamFirst() const {
  std::vector<std::size_t> order;
  order.reserve(Count());
  for (const auto& part : PartsUpstreamFirst()) order.insert(order.end(), part.begin(), part.end());
  return order;
}

std::vector<std::vector<std::size_t>> LinkGraph::PartsUpstreamFirst() const {
  // Source: Kahn 1962, applied to the parts; of those that may come next, the one with the lowest component number
  // does.
  const std::vector<std::vector<std::size_t>> parts = Parts();
  std::vector<std::size_t> part_of(Count(), 0);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (std::size_t member : parts[part]) part_of[member] = part;
  }
  std::vector<std::size_t> waits_for(parts.size(), 0);
  for (std::size_t node = 0; node < Count(); ++node) {
    for (std::size_t consumer : consumers_[node]) waits_for[part_of[consumer]] += part_of[consumer] != part_of[node];
  }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;  // first members
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (waits_for[part] == 0) ready.push(parts[part].front());
  }
  std::vector<std::vector<std::size_t>> order;
  order.reserve(parts.size());
  while (!ready.empty()) {
    const std::size_t part = part_of[ready.top()];
    ready.pop();
    order.push_back(parts[part]);
    for (std::size_t member : parts[part]) {
      for (std::size_t consumer : consumers_[member]) {
        const std::size_t next = part_of[consumer];
        if (next != part && --waits_for[next] == 0) ready.push(parts[next].front());
      }
    }
  }
  return order;
}

std::size_t LinkGraph::LongestChain() const {
  const std::vector<std::vector<std::size_t>> parts = Parts();
  std::vector<std::size_t> part_of(Count(), 0);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (std::size_t member : parts[part]) part_of[member] = part;
  }
  std::vector<std::size_t> depth(parts.size(), 0);
  std::size_t longest = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {  // downstream first
    std::size_t below = 0;
    for (std::size_t member : parts[part]) {
      for (std::size_t consumer : consumers_[member]) {
        if (part_of[consumer] != part) below = std::max(below, depth[part_of[consumer]]);
      }
    }
    depth[part] = below + parts[part].size();
    longest = std::max(longest, depth[part]);
  }
  return longest;
}

std::vector<bool> LinkGraph::UpstreamOf(const std::vector<std::size_t>& components) const {
  std::vector<bool> reached(Count(), false);
  for (const std::size_t component : components) Reach(component, reached);
  return reached;
}

void LinkGraph::Reach(std::size_t component, std::vector<bool>& reached) const {
  if (reached[component]) return;
  reached[component] = true;
  std::vector<std::size_t> open = {component};
  while (!open.empty()) {
    const std::size_t next = open.back();
    open.pop_back();
    for (const std::size_t provider : providers_[next]) {
      if (reached[provider]) continue;
      reached[provider] = true;
      open.push_back(provider);
    }
  }
}

}  // namespace openmi
