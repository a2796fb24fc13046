#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace openmi {

/// A size in pixels: along the flow from provider to consumer, and across it.
struct LayoutSize {
  double along = 0.0;
  double across = 0.0;
};

/// An edge that needs a route.
struct LayoutEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  double from_port = 0.0;  ///< where it leaves its box, across, from the middle of the box
  double to_port = 0.0;    ///< where it enters
  LayoutSize label;        ///< size of the label on the edge; 0 by 0 if there is none
};

/// Something that needs a position: a box, a label, or a passage that is kept free for an edge.
struct LayoutVertex {
  std::size_t layer = 0;  ///< boxes are in even layers, labels in odd ones
  double along = 0.0;     ///< middle
  double across = 0.0;    ///< middle
  LayoutSize size;
  bool is_box = false;
  bool is_label = false;
};

/// The route of an edge.
struct LayoutRoute {
  bool is_backward = false;                          ///< the edge closes a loop and is drawn against the flow
  std::vector<std::size_t> passages;                 ///< vertices between the two boxes, in the order of the edge
  std::size_t label = static_cast<std::size_t>(-1);  ///< the vertex of its label; -1 if there is none
};

/// The positions of everything in a diagram. The first vertices are the boxes, in the order given.
struct GraphLayout {
  std::vector<LayoutVertex> vertices;
  std::vector<LayoutRoute> routes;  ///< one for each edge
  std::vector<double> layer_begin;  ///< along, of each layer
  std::vector<double> layer_end;
  std::vector<std::size_t> row_of_layer;  ///< ascending from 0; each row starts with a layer of boxes
  LayoutSize total;
  std::size_t crossings = 0;  ///< number of crossings of edges between neighbouring layers
};

/// Distances in a diagram, in pixels.
struct LayoutSpacing {
  double between_layers = 30.0;
  double between_boxes = 22.0;
  double between_passages = 9.0;
  double margin = 14.0;
  /// Greatest length of a row; a longer layout is broken into rows, like the lines of a text.
  double longest = std::numeric_limits<double>::infinity();
};

/// Arranges boxes and edges in layers.
///
/// Every edge that closes no loop runs from a lower to a higher layer. Labels have positions of their own so that
/// nothing overlaps, and long edges get a passage through each layer between. The same input gives the same layout; the
/// computing time grows about as n log n.
///
/// Source: [Sugiyama1981]; positions across by isotonic regression (pool adjacent violators).
GraphLayout LayOutGraph(const std::vector<LayoutSize>& boxes, const std::vector<LayoutEdge>& edges,
                        const LayoutSpacing& spacing = {});

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
