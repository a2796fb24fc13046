#pragma once

#include <cstddef>
#include <vector>

#include "composition/report/GraphLayout.hpp"
#include "composition/report/SvgWriter.hpp"

namespace openmi {

/// Where the way of an edge touches a layer.
struct RouteStop {
  std::size_t layer = 0;
  double enter = 0.0;  ///< along, where the way reaches the layer
  double leave = 0.0;  ///< along, where it goes on
  double across = 0.0;
};

/// Where a layout broken into rows is drawn.
///
/// An edge from one row to the next leaves to the right, runs back through a channel between the rows, each edge on a
/// track of its own, and comes in from the left.
class GraphFold {
 public:
  /// \param layout  borrowed
  /// \param stops   of each edge of the layout, from its first to its last box; borrowed
  GraphFold(const GraphLayout& layout, const std::vector<std::vector<RouteStop>>& stops);

  double X(std::size_t layer, double along) const;
  double Y(std::size_t layer, double across) const;
  double Width() const { return width_; }
  double Height() const { return height_; }
  std::size_t Rows() const { return rows_.size(); }

  /// Leads `path`, which stands at stop `index`, on to the next stop of `edge`.
  /// \param turn  how far an edge swings out where it turns round beside its box, pixels
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
  double left_ = 0.0;                           // where rows begin
  double right_ = 0.0;                          // where the widest row ends
  double width_ = 0.0;
  double height_ = 0.0;
};

}  // namespace openmi
