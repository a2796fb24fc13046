#pragma once

#include <cstddef>
#include <vector>

#include "composition/report/GraphLayout.hpp"
#include "composition/report/SvgWriter.hpp"

namespace openmi {

/// Where the route of an edge crosses a layer.
struct RouteStop {
  std::size_t layer = 0;
  double enter = 0.0;  ///< along, where the route reaches the layer
  double leave = 0.0;  ///< along, where the route leaves the layer
  double across = 0.0;
};

/// Positions of a layout that is broken into rows.
///
/// An edge from one row to the next leaves to the right, runs back through a channel between the rows on a track that
/// no other edge uses, and enters from the left.
class GraphFold {
 public:
  /// \param layout  borrowed
  /// \param stops   for each edge of the layout, from its first to its last box; borrowed
  GraphFold(const GraphLayout& layout, const std::vector<std::vector<RouteStop>>& stops);

  /// Converts a position to the x of the picture, in pixels.
  double X(std::size_t layer, double along) const;
  /// Converts a position to the y of the picture, in pixels.
  double Y(std::size_t layer, double across) const;
  double Width() const { return width_; }
  double Height() const { return height_; }
  std::size_t Rows() const { return rows_.size(); }

  /// Extends `path`, which has reached stop `index`, to the next stop of `edge`.
  /// \param turn  how far an edge bends out where it turns beside its box, in pixels
  void Connect(SvgPath& path, std::size_t edge, std::size_t index, double turn) const;

 private:
  struct Row {
    double begin = 0.0;  // along, of its first layer
    double end = 0.0;
    double low = 0.0;  // across
    double high = 0.0;
    double top = 0.0;  // where `low` is drawn
  };
  struct Passage {
    std::size_t edge = 0;
    std::size_t index = 0;  // of the stop before the change of rows
    double across = 0.0;    // in the upper row
    std::size_t track = 0;
  };

  void MeasureRows();
  void AssignTracks();
  const Passage& Find(std::size_t row, std::size_t edge, std::size_t index) const;

  const GraphLayout& layout_;
  const std::vector<std::vector<RouteStop>>& stops_;
  std::vector<Row> rows_;
  std::vector<std::vector<Passage>> passages_;  // below each row
  double left_ = 0.0;                           // start of the rows
  double right_ = 0.0;                          // end of the widest row
  double width_ = 0.0;
  double height_ = 0.0;
};

}  // namespace openmi
