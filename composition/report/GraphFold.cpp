#include "composition/report/GraphFold.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace openmi {
namespace {

constexpr double kTrack = 7.0;    // between parallel edges
constexpr double kGutter = 12.0;  // between the ends of the rows and the first track
constexpr double kChannel = 16.0;
constexpr double kFoldMargin = 14.0;

/// Draws a path through rounded right-angled corners.
void Corners(SvgPath& path, const std::vector<std::pair<double, double>>& points) {
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const double x = points[i].first, y = points[i].second;
    const auto toward = [&](const std::pair<double, double>& other) {
      const double distance = std::hypot(other.first - x, other.second - y);
      const double radius = std::min(6.0, 0.5 * distance);
      const double share = distance > 0.0 ? radius / distance : 0.0;
      return std::pair{x + (other.first - x) * share, y + (other.second - y) * share};
    };
    const auto before = toward(points[i - 1]);
    const auto after = toward(points[i + 1]);
    path.LineTo(before.first, before.second);
    path.CurveTo(x, y, x, y, after.first, after.second);
  }
  path.LineTo(points.back().first, points.back().second);
}

}  // namespace

GraphFold::GraphFold(const GraphLayout& layout, const std::vector<std::vector<RouteStop>>& stops)
    : layout_(layout), stops_(stops) {
  MeasureRows();
  AssignTracks();
}

void GraphFold::MeasureRows() {
  for (std::size_t layer = 0; layer < layout_.layer_begin.size(); ++layer) {
    const std::size_t row = layout_.row_of_layer[layer];
    if (row == rows_.size()) {
      rows_.push_back({layout_.layer_begin[layer], 0.0, std::numeric_limits<double>::infinity(),
                       -std::numeric_limits<double>::infinity(), 0.0});
    }
    rows_[row].end = layout_.layer_end[layer];
  }
  for (const LayoutVertex& vertex : layout_.vertices) {
    Row& row = rows_[layout_.row_of_layer[vertex.layer]];
    row.low = std::min(row.low, vertex.across - 0.5 * vertex.size.across);
    row.high = std::max(row.high, vertex.across + 0.5 * vertex.size.across);
  }
}

void GraphFold::AssignTracks() {
  passages_.resize(rows_.size());
  bool has_turns = false;
  for (std::size_t edge = 0; edge < stops_.size(); ++edge) {
    for (std::size_t i = 0; i + 1 < stops_[edge].size(); ++i) {
      const RouteStop& from = stops_[edge][i];
      const RouteStop& to = stops_[edge][i + 1];
      has_turns = has_turns || from.layer == to.layer;
      const std::size_t first = layout_.row_of_layer[from.layer];
      const std::size_t second = layout_.row_of_layer[to.layer];
      if (first != second) {
        passages_[std::min(first, second)].push_back({edge, i, first < second ? from.across : to.across, 0});
      }
    }
  }
  std::size_t most = 0;
  for (auto& row : passages_) {
    // The lowest edge turns down first, so that neighbouring edges do not cross.
    std::vector<Passage*> order;
    for (Passage& passage : row) order.push_back(&passage);
    std::stable_sort(order.begin(), order.end(),
                     [](const Passage* a, const Passage* b) { return a->across > b->across; });
    for (std::size_t track = 0; track < order.size(); ++track) order[track]->track = track;
    most = std::max(most, row.size());
  }
  const double turn = has_turns ? 26.0 : 0.0;
  const double gutter = (most > 0 ? kGutter + static_cast<double>(most) * kTrack : 0.0) + turn;
  left_ = kFoldMargin + gutter;
  right_ = left_;
  double top = kFoldMargin;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_[i].top = top;
    right_ = std::max(right_, left_ + rows_[i].end - rows_[i].begin);
    const double channel = passages_[i].empty() ? 0.0 : static_cast<double>(passages_[i].size()) * kTrack;
    top += rows_[i].high - rows_[i].low + (i + 1 < rows_.size() ? 2.0 * kChannel + channel : kFoldMargin);
  }
  height_ = rows_.empty() ? 2.0 * kFoldMargin : top;
  width_ = right_ + gutter + kFoldMargin;
  right_ += turn;
}

double GraphFold::X(std::size_t layer, double along) const {
  return left_ + along - rows_[layout_.row_of_layer[layer]].begin;
}

double GraphFold::Y(std::size_t layer, double across) const {
  const Row& row = rows_[layout_.row_of_layer[layer]];
  return row.top + across - row.low;
}

const GraphFold::Passage& GraphFold::Find(std::size_t row, std::size_t edge, std::size_t index) const {
  return *std::find_if(passages_[row].begin(), passages_[row].end(),
                       [&](const Passage& passage) { return passage.edge == edge && passage.index == index; });
}

void GraphFold::Connect(SvgPath& path, std::size_t edge, std::size_t index, double turn) const {
  const RouteStop& from = stops_[edge][index];
  const RouteStop& to = stops_[edge][index + 1];
  const double x = X(from.layer, from.leave);
  const double y = Y(from.layer, from.across);
  const double goal_x = X(to.layer, to.enter);
  const double goal_y = Y(to.layer, to.across);
  const std::size_t row = layout_.row_of_layer[from.layer];
  const std::size_t goal_row = layout_.row_of_layer[to.layer];
  if (row != goal_row) {
    const std::size_t upper = std::min(row, goal_row);
    const auto track = static_cast<double>(Find(upper, edge, index).track);
    const double right = right_ + kGutter + kTrack * track;
    const double channel = rows_[upper].top + rows_[upper].high - rows_[upper].low + kChannel + kTrack * track;
    const double left = kFoldMargin + kTrack * (0.5 + track);
    if (row < goal_row) {
      Corners(path, {{x, y}, {right, y}, {right, channel}, {left, channel}, {left, goal_y}, {goal_x, goal_y}});
    } else {
      Corners(path, {{x, y}, {left, y}, {left, channel}, {right, channel}, {right, goal_y}, {goal_x, goal_y}});
    }
    return;
  }
  if (from.layer == to.layer) {
    // Leave a box to the right, or enter one from the left.
    const double swing = index == 0 ? turn : -turn;
    path.CurveTo(x + swing, y, goal_x + swing, goal_y, goal_x, goal_y);
    return;
  }
  const double bend = 0.5 * (goal_x - x);
  path.CurveTo(x + bend, y, goal_x - bend, goal_y, goal_x, goal_y);
}

}  // namespace openmi
