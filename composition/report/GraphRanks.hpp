#pragma once

#include <cstddef>
#include <vector>

#include "composition/report/GraphLayout.hpp"

namespace openmi {

/// Which edges close a loop, and how far downstream each box is.
struct GraphRanks {
  std::vector<std::size_t> rank;  ///< of each box; an edge that closes no loop ends at a higher rank
  std::vector<bool> is_backward;  ///< of each edge
};

/// Finds the edges that close loops by depth-first search, and the ranks as longest paths.
///
/// Iterative, so that a long chain needs no deep stack. A box without providers gets the rank just before its nearest
/// consumer.
GraphRanks RankGraph(std::size_t boxes, const std::vector<LayoutEdge>& edges);

}  // namespace openmi
