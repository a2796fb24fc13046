#pragma once

#include <cstddef>
#include <vector>

namespace openmi {

/// Which component provides values to which, for components numbered from 0.
class LinkGraph {
 public:
  explicit LinkGraph(std::size_t components) : consumers_(components), providers_(components) {}

  void AddLink(std::size_t provider, std::size_t consumer);
  std::size_t Count() const { return consumers_.size(); }
  const std::vector<std::size_t>& ConsumersOf(std::size_t component) const { return consumers_[component]; }
  const std::vector<std::size_t>& ProvidersOf(std::size_t component) const { return providers_[component]; }

  /// The loops: each is the members of one strongly connected component of the graph with more than one member, or one
  /// component that is linked to itself.
  std::vector<std::vector<std::size_t>> Loops() const;
  /// All components, providers before their consumers; members of a loop are adjacent, in their own order. Otherwise in
  /// the order of their numbers.
  std::vector<std::size_t> UpstreamFirst() const;
  /// The same in groups: the members of a loop, or a single component.
  std::vector<std::vector<std::size_t>> PartsUpstreamFirst() const;
  /// The number of components on the longest chain of links (loops counted once).
  std::size_t LongestChain() const;
  /// `components` and all components upstream of them: a flag for each component.
  std::vector<bool> UpstreamOf(const std::vector<std::size_t>& components) const;
  /// Flags `component` and the components upstream of it that are not flagged yet.
  void Reach(std::size_t component, std::vector<bool>& reached) const;

 private:
  /// The strongly connected parts, downstream first. Iterative, since a chain may be long.
  std::vector<std::vector<std::size_t>> Parts() const;
  std::vector<std::vector<std::size_t>> consumers_;
  std::vector<std::vector<std::size_t>> providers_;
};

}  // namespace openmi
