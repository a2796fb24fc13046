#include "composition/report/GraphSvg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "composition/report/GraphFold.hpp"
#include "composition/report/GraphLayout.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "composition/results/FileHash.hpp"

namespace openmi {
namespace {

/// The text in the head of a box: the id, and a mark if the component is a trigger of the run.
std::string NameOf(const GraphNode& node) {
  return node.id + (node.is_trigger ? " \xE2\x97\x82" : "");
}

constexpr double kHeader = 26.0;
constexpr double kArrow = 7.0;
constexpr double kCaption = 14.0;
constexpr double kIcon = 32.0;
constexpr double kRow = 18.0;
constexpr double kChipRow = 16.0;
constexpr double kItemFont = 11.0;
constexpr double kWidestItem = 140.0;
constexpr double kWidestChip = 165.0;
constexpr std::size_t kMostLoose = 5;  // items without a link that are shown on each side

/// The items of a box that have a separate row.
struct BoxRows {
  std::vector<std::size_t> inputs;
  std::vector<std::size_t> outputs;
  std::size_t hidden_inputs = 0;
  std::size_t hidden_outputs = 0;

  std::size_t Count() const {
    return std::max(inputs.size() + (hidden_inputs > 0 ? 1 : 0), outputs.size() + (hidden_outputs > 0 ? 1 : 0));
  }
};

std::vector<std::size_t> ChooseRows(std::size_t items, const std::vector<bool>& is_linked, std::size_t& hidden) {
  std::vector<std::size_t> rows;
  std::size_t loose = 0;
  for (std::size_t item = 0; item < items; ++item) {
    if (is_linked[item] || loose < kMostLoose) {
      rows.push_back(item);
      loose += is_linked[item] ? 0 : 1;
    } else {
      ++hidden;
    }
  }
  return rows;
}

std::size_t RowOf(const std::vector<std::size_t>& rows, std::size_t item) {
  return static_cast<std::size_t>(std::find(rows.begin(), rows.end(), item) - rows.begin());
}

std::string ChainText(const std::vector<std::string>& adaptors) {
  std::string text;
  for (const std::string& adaptor : adaptors) text += (text.empty() ? "" : " \xE2\x86\x92 ") + adaptor;
  return text;
}

std::string ItemText(const GraphItem& item) {
  return item.unit.empty() ? item.id : item.id + " [" + PrettyUnit(item.unit) + "]";
}

/// A name for an icon in a page that shows several diagrams.
std::string IconId(const std::string& icon) {
  Sha256 hash;
  hash.Add(icon);
  return "icon-" + hash.Finish().substr(0, 16);
}

class Drawer {
 public:
  Drawer(const GraphModel& model, const GraphStyle& style)
      : model_(model),
        style_(style),
        graph_(ResolveGraph(model)),
        is_detailed_(graph_.nodes.size() <= style.most_detailed) {
    FindRows();
  }

  std::string Draw() {
    MeasureBoxes();
    layout_ = LayOut();
    FindStops();
    const GraphFold fold(layout_, stops_);
    fold_ = &fold;
    SvgWriter svg(fold.Width(), fold.Height(), style_.use,
                  fmt::format("diagram of {} components and {} links", graph_.nodes.size(), graph_.links.size()));
    if (is_detailed_) DefineIcons(svg);
    for (std::size_t link = 0; link < graph_.links.size(); ++link) DrawLink(svg, link);
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) DrawBox(svg, node);
    for (std::size_t link = 0; link < graph_.links.size(); ++link) DrawChip(svg, link);
    return svg.Finish();
  }

 private:
  void FindRows() {
    std::vector<std::vector<bool>> inputs(graph_.nodes.size());
    std::vector<std::vector<bool>> outputs(graph_.nodes.size());
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
      inputs[node].resize(graph_.nodes[node].inputs.size());
      outputs[node].resize(graph_.nodes[node].outputs.size());
    }
    for (const ResolvedLink& link : graph_.links) {
      outputs[link.from_node][link.from_item] = true;
      inputs[link.to_node][link.to_item] = true;
    }
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
      BoxRows rows;
      rows.inputs = ChooseRows(inputs[node].size(), inputs[node], rows.hidden_inputs);
      rows.outputs = ChooseRows(outputs[node].size(), outputs[node], rows.hidden_outputs);
      rows_.push_back(std::move(rows));
    }
    is_input_linked_ = std::move(inputs);
    is_output_linked_ = std::move(outputs);
  }

  double HeaderHeight(const GraphNode& node) const {
    return kHeader + (node.caption.empty() && node.icon.empty() ? 0.0 : kCaption);
  }
  /// What an icon takes of the width of a head.
  static double IconWidth(const GraphNode& node) { return node.icon.empty() ? 0.0 : kIcon + 6.0; }

  void MeasureBoxes() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const GraphNode& node = graph_.nodes[i];
      if (!is_detailed_) {
        boxes_.push_back({std::clamp(TextWidth(node.id, 11.0) + 22.0, 64.0, 150.0), 26.0});
        continue;
      }
      double width =
          std::max(TextWidth(NameOf(node), 13.0 * 1.08), TextWidth(node.caption, 10.0)) + 28.0 + IconWidth(node);
      double widest_input = 0.0;
      double widest_output = 0.0;
      for (const std::size_t item : rows_[i].inputs) {
        widest_input = std::max(widest_input, TextWidth(node.inputs[item].id, kItemFont));
      }
      for (const std::size_t item : rows_[i].outputs) {
        widest_output = std::max(widest_output, TextWidth(node.outputs[item].id, kItemFont));
      }
      const bool has_both = widest_input > 0.0 && widest_output > 0.0;
      width = std::max(
          width, std::min(widest_input, kWidestItem) + std::min(widest_output, kWidestItem) + (has_both ? 40.0 : 28.0));
      width = std::clamp(width, 96.0, 2.0 * kWidestItem + 40.0);
      const auto rows = static_cast<double>(rows_[i].Count());
      boxes_.push_back({width, HeaderHeight(node) + rows * kRow + (rows > 0.0 ? 8.0 : 0.0)});
    }
    if (is_detailed_) return;
    // In a diagram without details boxes of one size make rows and columns readable.
    LayoutSize largest;
    for (const LayoutSize& box : boxes_) {
      largest = {std::max(largest.along, box.along), std::max(largest.across, box.across)};
    }
    std::fill(boxes_.begin(), boxes_.end(), largest);
  }

  double RowOffset(std::size_t node, std::size_t row) const {
    return HeaderHeight(graph_.nodes[node]) + 4.0 + (static_cast<double>(row) + 0.5) * kRow - 0.5 * boxes_[node].across;
  }

  GraphLayout LayOut() const {
    std::vector<LayoutEdge> edges;
    for (std::size_t i = 0; i < graph_.links.size(); ++i) {
      const ResolvedLink& link = graph_.links[i];
      LayoutEdge edge;
      edge.from = link.from_node;
      edge.to = link.to_node;
      const auto& adaptors = model_.links[i].adaptors;
      if (is_detailed_) {
        edge.from_port = RowOffset(link.from_node, RowOf(rows_[link.from_node].outputs, link.from_item));
        edge.to_port = RowOffset(link.to_node, RowOf(rows_[link.to_node].inputs, link.to_item));
        for (const std::string& adaptor : adaptors) {
          edge.label.along = std::max(edge.label.along, std::min(TextWidth(adaptor, 10.0) + 18.0, kWidestChip));
          edge.label.across += kChipRow;
        }
        edge.label.across += adaptors.empty() ? 0.0 : 4.0;
      } else if (!adaptors.empty()) {
        edge.label = {16.0, 16.0};
      }
      edges.push_back(edge);
    }
    LayoutSpacing spacing;
    spacing.longest = style_.widest;
    if (!is_detailed_) {
      spacing.between_layers = 20.0;
      spacing.between_boxes = 12.0;
      spacing.between_passages = 6.0;
    }
    return LayOutGraph(boxes_, edges, spacing);
  }

  /// Finds where each link crosses the layers, from box to box.
  void FindStops() {
    for (std::size_t i = 0; i < graph_.links.size(); ++i) {
      const ResolvedLink& link = graph_.links[i];
      const LayoutRoute& route = layout_.routes[i];
      const LayoutVertex& from = layout_.vertices[link.from_node];
      const LayoutVertex& to = layout_.vertices[link.to_node];
      std::vector<RouteStop> stops;
      const double from_end = layout_.layer_end[from.layer];
      stops.push_back({from.layer, from_end, from_end, from.across + OutputOffset(link)});
      for (const std::size_t passage : route.passages) {
        const LayoutVertex& vertex = layout_.vertices[passage];
        const double begin = layout_.layer_begin[vertex.layer];
        const double end = layout_.layer_end[vertex.layer];
        stops.push_back(
            {vertex.layer, route.is_backward ? end : begin, route.is_backward ? begin : end, vertex.across});
      }
      const double gate = layout_.layer_begin[to.layer] - kArrow;
      stops.push_back({to.layer, gate, gate, to.across + InputOffset(link)});
      stops_.push_back(std::move(stops));
    }
  }

  double OutputOffset(const ResolvedLink& link) const {
    return is_detailed_ ? RowOffset(link.from_node, RowOf(rows_[link.from_node].outputs, link.from_item)) : 0.0;
  }
  double InputOffset(const ResolvedLink& link) const {
    return is_detailed_ ? RowOffset(link.to_node, RowOf(rows_[link.to_node].inputs, link.to_item)) : 0.0;
  }

  double X(const LayoutVertex& vertex) const { return fold_->X(vertex.layer, vertex.along); }
  double Y(const LayoutVertex& vertex) const { return fold_->Y(vertex.layer, vertex.across); }

  void DrawLink(SvgWriter& svg, std::size_t index) const {
    const ResolvedLink& link = graph_.links[index];
    const bool is_backward = layout_.routes[index].is_backward;
    const LayoutVertex& from = layout_.vertices[link.from_node];
    const LayoutVertex& to = layout_.vertices[link.to_node];
    const std::vector<RouteStop>& stops = stops_[index];
    // Neighbouring loops turn at different distances, so that they are distinct.
    const double turn = (is_detailed_ ? 30.0 : 22.0) - 3.0 * static_cast<double>(index % 3);
    SvgPath path;
    const double begin = Y(from) + OutputOffset(link);
    path.MoveTo(X(from) + 0.5 * from.size.along, begin);
    path.LineTo(fold_->X(from.layer, stops.front().leave), begin);  // the boxes of a layer differ in width
    for (std::size_t stop = 0; stop + 1 < stops.size(); ++stop) {
      fold_->Connect(path, index, stop, turn);
      path.LineTo(fold_->X(stops[stop + 1].layer, stops[stop + 1].leave),
                  fold_->Y(stops[stop + 1].layer, stops[stop + 1].across));
    }
    const double goal = X(to) - 0.5 * to.size.along;
    const double end = Y(to) + InputOffset(link);
    path.LineTo(goal - kArrow, end);
    const auto& adaptors = model_.links[index].adaptors;
    svg.Open("g");
    svg.Title(fmt::format("{}.{} \xE2\x86\x92 {}.{}{}{}", graph_.nodes[link.from_node].id,
                          model_.links[index].from_item, graph_.nodes[link.to_node].id, model_.links[index].to_item,
                          adaptors.empty() ? "" : "\nthrough " + ChainText(adaptors),
                          is_backward ? "\nthis link closes a loop" : ""));
    svg.Path(path.Data(), is_backward ? "loop" : "link");
    SvgPath head;
    head.MoveTo(goal - 0.5, end);
    head.LineTo(goal - kArrow - 1.5, end - 4.0);
    head.LineTo(goal - kArrow - 1.5, end + 4.0);
    head.ClosePath();
    svg.Path(head.Data(), is_backward ? "loopend" : "linkend");
    svg.Close();
  }

  void DrawBox(SvgWriter& svg, std::size_t index) const {
    const GraphNode& node = graph_.nodes[index];
    const LayoutVertex& vertex = layout_.vertices[index];
    const double x_middle = X(vertex);
    const double y_middle = Y(vertex);
    const LayoutSize size = boxes_[index];
    const double left = x_middle - 0.5 * size.along;
    const double top = y_middle - 0.5 * size.across;
    svg.Open("g");
    svg.Title(node.id + (node.caption.empty() ? "" : "\n" + node.caption) + (node.is_invented ? "\ninvented" : "") +
              (node.is_trigger ? "\nthe run asks this component" : ""));
    svg.Rectangle(left, top, size.along, size.across, node.is_invented ? "box invented" : "box", 5.0);
    if (!is_detailed_) {
      svg.TextAt(x_middle, y_middle + 4.0, FitText(node.id, 11.0, size.along - 10.0), "", "middle");
      svg.Close();
      return;
    }
    const double header = HeaderHeight(node);
    const bool has_rows = rows_[index].Count() > 0;
    SvgPath head;
    head.MoveTo(left + 1.0, has_rows ? top + header : top + header - 4.0);
    head.LineTo(left + 1.0, top + 5.0);
    head.CurveTo(left + 1.0, top + 2.0, left + 2.0, top + 1.0, left + 5.0, top + 1.0);
    head.LineTo(left + size.along - 5.0, top + 1.0);
    head.CurveTo(left + size.along - 2.0, top + 1.0, left + size.along - 1.0, top + 2.0, left + size.along - 1.0,
                 top + 5.0);
    head.LineTo(left + size.along - 1.0, has_rows ? top + header : top + header - 4.0);
    head.ClosePath();
    svg.Path(head.Data(), "boxhead");
    if (!node.icon.empty()) DrawIcon(svg, node.icon, left, top);
    const double text = left + 12.0 + IconWidth(node);
    const double room = size.along - 20.0 - IconWidth(node);
    const double line = node.caption.empty() && !node.icon.empty() ? 24.5 : 17.5;  // beside the middle of an icon
    svg.TextAt(text, top + line, FitText(NameOf(node), 13.0 * 1.08, room), "big");
    if (!node.caption.empty()) svg.TextAt(text, top + 32.0, FitText(node.caption, 10.0, room), "m small");
    DrawItems(svg, index, left, true);
    DrawItems(svg, index, left + size.along, false);
    svg.Close();
  }

  /// Each icon once, however many boxes show it.
  void DefineIcons(SvgWriter& svg) const {
    std::set<std::string_view> defined;
    for (const GraphNode& node : graph_.nodes) {
      if (node.icon.empty() || !defined.insert(node.icon).second) continue;
      svg.Open("defs");
      svg.Open("image");
      svg.Attribute("id", IconId(node.icon));
      for (const char* side : {"width", "height"}) svg.Attribute(side, kIcon);
      svg.Attribute("href", node.icon);
      svg.Close();
      svg.Close();
    }
  }

  /// On white, for which icons are drawn.
  static void DrawIcon(SvgWriter& svg, const std::string& icon, double left, double top) {
    svg.Rectangle(left + 2.0, top + 2.0, kIcon + 4.0, kIcon + 4.0, "iconplate", 3.0);
    svg.Open("use");
    svg.Attribute("href", "#" + IconId(icon));
    svg.Attribute("x", left + 4.0);
    svg.Attribute("y", top + 4.0);
    svg.Close();
  }

  void DrawItems(SvgWriter& svg, std::size_t index, double edge, bool is_input) const {
    const GraphNode& node = graph_.nodes[index];
    const BoxRows& rows = rows_[index];
    const auto& items = is_input ? node.inputs : node.outputs;
    const auto& shown = is_input ? rows.inputs : rows.outputs;
    const auto& is_linked = is_input ? is_input_linked_[index] : is_output_linked_[index];
    const std::size_t hidden = is_input ? rows.hidden_inputs : rows.hidden_outputs;
    const double middle = Y(layout_.vertices[index]);
    const double text = edge + (is_input ? 12.0 : -12.0);
    const std::string_view anchor = is_input ? "start" : "end";
    for (std::size_t row = 0; row < shown.size(); ++row) {
      const GraphItem& item = items[shown[row]];
      const double y = middle + RowOffset(index, row);
      svg.Open("g");
      svg.Title(ItemText(item));
      if (is_linked[shown[row]]) svg.Circle(edge, y, 3.0, "port");
      svg.TextAt(text, y + 3.8, FitText(item.id, kItemFont, kWidestItem), is_linked[shown[row]] ? "" : "m", anchor);
      svg.Close();
    }
    if (hidden > 0) {
      svg.TextAt(text, middle + RowOffset(index, shown.size()) + 3.8, fmt::format("and {} more", hidden), "m i small",
                 anchor);
    }
  }

  void DrawChip(SvgWriter& svg, std::size_t index) const {
    const LayoutRoute& route = layout_.routes[index];
    const auto& adaptors = model_.links[index].adaptors;
    if (route.label == static_cast<std::size_t>(-1)) return;
    const LayoutVertex& vertex = layout_.vertices[route.label];
    const double x = X(vertex);
    const double y = Y(vertex);
    svg.Open("g");
    svg.Title(ChainText(adaptors));
    if (!is_detailed_) {
      svg.Circle(x, y, 8.0, "chip");
      svg.TextAt(x, y + 3.5, fmt::format("{}", adaptors.size()), "small", "middle");
    } else {
      const double top = y - 0.5 * vertex.size.across;
      svg.Rectangle(x - 0.5 * vertex.size.along, top, vertex.size.along, vertex.size.across, "chip", 8.0);
      for (std::size_t i = 0; i < adaptors.size(); ++i) {
        svg.TextAt(x, top + 13.5 + static_cast<double>(i) * kChipRow, FitText(adaptors[i], 10.0, kWidestChip - 12.0),
                   "small", "middle");
      }
    }
    svg.Close();
  }

  const GraphModel& model_;
  GraphStyle style_;
  ResolvedGraph graph_;
  bool is_detailed_;
  std::vector<BoxRows> rows_;
  std::vector<std::vector<bool>> is_input_linked_;
  std::vector<std::vector<bool>> is_output_linked_;
  std::vector<LayoutSize> boxes_;
  GraphLayout layout_;
  std::vector<std::vector<RouteStop>> stops_;  // of each link
  const GraphFold* fold_ = nullptr;            // valid while drawing
};

}  // namespace

std::string GraphSvg(const GraphModel& model, const GraphStyle& style) {
  return Drawer(model, style).Draw();
}

}  // namespace openmi
