#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace openmi {

/// How large something is, in pixels: along the flow from provider to consumer, and across it.
struct LayoutSize {
  double along = 0.0;
  double across = 0.0;
};

/// An edge to be laid out.
struct LayoutEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  double from_port = 0.0;  ///< where it leaves its box, across, from the middle of the box
  double to_port = 0.0;    ///< where it enters
  LayoutSize label;        ///< of what stands on the edge; 0 by 0 for nothing
};

/// Something that has a place: a box, a label, or a passage kept free for an edge.
struct LayoutVertex {
  std::size_t layer = 0;  ///< boxes stand in even layers, labels in odd ones
  double along = 0.0;     ///< middle
  double across = 0.0;    ///< middle
  LayoutSize size;
  bool is_box = false;
  bool is_label = false;
};

/// The way of an edge.
struct LayoutRoute {
  bool is_backward = false;                          ///< it closes a loop, and is drawn back against the flow
  std::vector<std::size_t> passages;                 ///< vertices between the two boxes, in the order of the edge
  std::size_t label = static_cast<std::size_t>(-1);  ///< the vertex of its label, or none
};

/// Where everything stands. The first vertices are the boxes, in the order given.
struct GraphLayout {
  std::vector<LayoutVertex> vertices;
  std::vector<LayoutRoute> routes;  ///< one for each edge
  std::vector<double> layer_begin;  ///< along, of each layer
  std::vector<double> layer_end;
  std::vector<std::size_t> row_of_layer;  ///< ascending from 0; each row begins with a layer of boxes
  LayoutSize total;
  std::size_t crossings = 0;  ///< between neighbouring layers
};

/// Space between things, in pixels.
struct LayoutSpacing {
  double between_layers = 30.0;
  double between_boxes = 22.0;
  double between_passages = 9.0;
  double margin = 14.0;
  /// A layout that is longer is broken into rows, as lines of text are: what would be too long goes on below.
  double longest = std::numeric_limits<double>::infinity();
};

/// Lays out boxes and edges in layers: every edge that closes no loop runs from a lower to a higher layer, labels have
/// a place of their own so that nothing overlaps, and long edges get a passage through each layer between. The same
/// input gives the same layout; the time grows about as n log n. Source: [Sugiyama1981]; places across by isotonic
/// regression (pool adjacent violators).
GraphLayout LayOutGraph(const std::vector<LayoutSize>& boxes, const std::vector<LayoutEdge>& edges,
                        const LayoutSpacing& spacing = {});

}  // namespace openmi
