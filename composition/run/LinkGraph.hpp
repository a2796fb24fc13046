#pragma once

#include <cstddef>
#include <vector>

namespace openmi {

/// Who provides for whom, among components numbered from 0.
class LinkGraph {
 public:
  explicit LinkGraph(std::size_t components) : consumers_(components), providers_(components) {}

  void AddLink(std::size_t provider, std::size_t consumer);
  std::size_t Count() const { return consumers_.size(); }
  const std::vector<std::size_t>& ConsumersOf(std::size_t component) const { return consumers_[component]; }
  const std::vector<std::size_t>& ProvidersOf(std::size_t component) const { return providers_[component]; }

  /// The loops: each the components of one strongly connected part with more than one member, or one linked to itself.
  std::vector<std::vector<std::size_t>> Loops() const;
  /// All components, providers before their consumers; the members of a loop stand together, in their order.
  /// Otherwise as they were numbered.
  std::vector<std::size_t> UpstreamFirst() const;
  /// The same in parts: the members of a loop, or a single component.
  std::vector<std::vector<std::size_t>> PartsUpstreamFirst() const;
  /// The number of components on the longest chain of links (loops counted once).
  std::size_t LongestChain() const;
  /// `components` and all that stand upstream of them; a flag for each component.
  std::vector<bool> UpstreamOf(const std::vector<std::size_t>& components) const;
  /// Flags `component` and what stands upstream of it, as far as it is not flagged yet.
  void Reach(std::size_t component, std::vector<bool>& reached) const;

 private:
  /// The strongly connected parts, downstream first. Iterative: a chain may be long.
  std::vector<std::vector<std::size_t>> Parts() const;
  std::vector<std::vector<std::size_t>> consumers_;
  std::vector<std::vector<std::size_t>> providers_;
};

}  // namespace openmi
