#include "composition/report/GraphLayout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace openmi {
namespace {

constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);
constexpr std::size_t kMostPassages = 60000;  // with more, long edges run straight
constexpr std::size_t kSmall = 400;           // vertices; up to this number neighbours are swapped one by one as well

/// A connection between neighbouring layers.
struct Segment {
  std::size_t lower = 0;  // vertex
  std::size_t upper = 0;
  double lower_port = 0.0;  // across, from the middle of the vertex
  double upper_port = 0.0;
};

class Layouter {
 public:
  Layouter(const std::vector<LayoutSize>& boxes, const std::vector<LayoutEdge>& edges, const LayoutSpacing& spacing)
      : edges_(edges), spacing_(spacing), ranks_(RankGraph(boxes.size(), edges)) {
    for (std::size_t box = 0; box < boxes.size(); ++box) {
      layout_.vertices.push_back({.layer = 2 * ranks_.rank[box], .size = boxes[box], .is_box = true});
    }
    MakePassages();
    Connect();
  }

  GraphLayout Run() {
    Order();
    PlaceAlong();
    BreakRows();
    PlaceAcross();
    return std::move(layout_);
  }

 private:
  std::size_t AddVertex(std::size_t layer, LayoutSize size, bool is_label) {
    layout_.vertices.push_back({.layer = layer, .size = size, .is_label = is_label});
    return layout_.vertices.size() - 1;
  }

  void MakePassages() {
    std::size_t wanted = 0;
    for (const LayoutEdge& edge : edges_) {
      const std::size_t from = ranks_.rank[edge.from];
      const std::size_t to = ranks_.rank[edge.to];
      wanted += 2 * (from > to ? from - to : to - from) + 1;
    }
    const bool is_straight = wanted > kMostPassages;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const LayoutEdge& edge = edges_[i];
      LayoutRoute route{.is_backward = ranks_.is_backward[i], .passages = {}, .label = kNoNode};
      const bool has_label = edge.label.along > 0.0;
      const LayoutSize passage{0.0, 2.0};
      const std::size_t from = 2 * ranks_.rank[edge.from];
      const std::size_t to = 2 * ranks_.rank[edge.to];
      const bool is_long = (from > to ? from - to : to - from) > 2;
      const auto add = [&](std::size_t layer, bool is_label) {
        route.passages.push_back(AddVertex(layer, is_label ? edge.label : passage, is_label));
        route.label = is_label ? route.passages.back() : route.label;
      };
      if (route.is_backward) {
        for (std::size_t layer = from + 1; layer-- > to;) {
          if (is_straight && is_long && layer != from && layer != to && layer + 1 != from) continue;
          add(layer, has_label && (from == to || layer + 1 == from));
        }
      } else {
        for (std::size_t layer = from + 1; layer < to; ++layer) {
          if (is_straight && is_long && layer != from + 1) continue;
          add(layer, has_label && layer == from + 1);
        }
      }
      layout_.routes.push_back(std::move(route));
    }
  }

  void Connect() {
    std::size_t layers = 0;
    for (const LayoutVertex& vertex : layout_.vertices) layers = std::max(layers, vertex.layer + 1);
    order_.resize(layers);
    for (std::size_t vertex = 0; vertex < layout_.vertices.size(); ++vertex) {
      if (layout_.vertices[vertex].is_box) order_[layout_.vertices[vertex].layer].push_back(vertex);
    }
    for (const LayoutRoute& route : layout_.routes) {
      for (const std::size_t vertex : route.passages) order_[layout_.vertices[vertex].layer].push_back(vertex);
    }
    segments_.resize(layers);
    upward_.resize(layout_.vertices.size());
    downward_.resize(layout_.vertices.size());
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const LayoutRoute& route = layout_.routes[i];
      std::size_t previous = edges_[i].from;
      double previous_port = edges_[i].from_port;
      for (std::size_t k = 0; k <= route.passages.size(); ++k) {
        const bool is_end = k == route.passages.size();
        const std::size_t next = is_end ? edges_[i].to : route.passages[k];
        const double next_port = is_end ? edges_[i].to_port : 0.0;
        AddSegment(previous, previous_port, next, next_port);
        previous = next;
        previous_port = next_port;
      }
    }
    position_.resize(layout_.vertices.size());
    for (std::size_t layer = 0; layer < order_.size(); ++layer) Renumber(layer);
  }

  void AddSegment(std::size_t a, double a_port, std::size_t b, double b_port) {
    const std::size_t layer_a = layout_.vertices[a].layer;
    const std::size_t layer_b = layout_.vertices[b].layer;
    if (layer_a == layer_b) {
      return;  // an edge of a loop that turns beside its box
    }
    const Segment segment = layer_a < layer_b ? Segment{a, b, a_port, b_port} : Segment{b, a, b_port, a_port};
    upward_[segment.lower].push_back(segment);
    downward_[segment.upper].push_back(segment);
    if (layer_a + 1 == layer_b || layer_b + 1 == layer_a) segments_[std::min(layer_a, layer_b)].push_back(segment);
  }

  void Renumber(std::size_t layer) {
    for (std::size_t i = 0; i < order_[layer].size(); ++i) position_[order_[layer][i]] = static_cast<double>(i);
  }

  double PortPlace(std::size_t vertex, double port) const {
    const double height = std::max(layout_.vertices[vertex].size.across, 1.0);
    return position_[vertex] + 0.9 * port / height;
  }

  /// The crossings between `layer` and the next: inversions of the segment ends.
  std::size_t Crossings(std::size_t layer) const {
    if (layer >= segments_.size() || segments_[layer].size() < 2) return 0;
    std::vector<std::pair<double, double>> ends;
    ends.reserve(segments_[layer].size());
    for (const Segment& segment : segments_[layer]) {
      ends.emplace_back(PortPlace(segment.lower, segment.lower_port), PortPlace(segment.upper, segment.upper_port));
    }
    std::sort(ends.begin(), ends.end());
    std::vector<double> values;
    for (const auto& end : ends) values.push_back(end.second);
    return Inversions(values, 0, values.size());
  }

  static std::size_t Inversions(std::vector<double>& values, std::size_t begin, std::size_t end) {
    if (end - begin < 2) return 0;
    const std::size_t middle = begin + (end - begin) / 2;
    std::size_t count = Inversions(values, begin, middle) + Inversions(values, middle, end);
    for (std::size_t left = begin, right = middle; left < middle; ++left) {
      while (right < end && values[right] < values[left]) ++right;
      count += right - middle;
    }
    std::inplace_merge(values.begin() + static_cast<std::ptrdiff_t>(begin),
                       values.begin() + static_cast<std::ptrdiff_t>(middle),
                       values.begin() + static_cast<std::ptrdiff_t>(end));
    return count;
  }

  std::size_t AllCrossings() const {
    std::size_t count = 0;
    for (std::size_t layer = 0; layer + 1 < order_.size(); ++layer) count += Crossings(layer);
    return count;
  }

  void SortByNeighbours(std::size_t layer, bool by_lower) {
    std::vector<std::pair<double, std::size_t>> keys;
    for (const std::size_t vertex : order_[layer]) {
      double sum = 0.0;
      const auto& segments = by_lower ? downward_[vertex] : upward_[vertex];
      for (const Segment& segment : segments) {
        sum += by_lower ? PortPlace(segment.lower, segment.lower_port) : PortPlace(segment.upper, segment.upper_port);
      }
      keys.emplace_back(segments.empty() ? position_[vertex] : sum / static_cast<double>(segments.size()), vertex);
    }
    std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < keys.size(); ++i) order_[layer][i] = keys[i].second;
    Renumber(layer);
  }

  bool SwapNeighbours() {
    bool is_better = false;
    for (std::size_t layer = 0; layer < order_.size(); ++layer) {
      for (std::size_t i = 0; i + 1 < order_[layer].size(); ++i) {
        const auto count = [&] { return Crossings(layer) + (layer > 0 ? Crossings(layer - 1) : 0); };
        const std::size_t before = count();
        std::swap(order_[layer][i], order_[layer][i + 1]);
        Renumber(layer);
        if (count() < before) {
          is_better = true;
        } else {
          std::swap(order_[layer][i], order_[layer][i + 1]);
          Renumber(layer);
        }
      }
    }
    return is_better;
  }

  void Order() {
    auto best = order_;
    std::size_t fewest = AllCrossings();
    const auto keep = [&] {
      const std::size_t crossings = AllCrossings();
      if (crossings < fewest) {
        fewest = crossings;
        best = order_;
      }
    };
    constexpr int sweeps = 16;
    for (int sweep = 0; sweep < sweeps && fewest > 0; ++sweep) {
      for (std::size_t i = 0; i < order_.size(); ++i) {
        SortByNeighbours(sweep % 2 == 0 ? i : order_.size() - 1 - i, sweep % 2 == 0);
      }
      keep();
    }
    order_ = best;
    for (std::size_t layer = 0; layer < order_.size(); ++layer) Renumber(layer);
    if (layout_.vertices.size() <= kSmall) {
      for (int round = 0; round < 8 && SwapNeighbours(); ++round) {
      }
    }
    layout_.crossings = AllCrossings();
  }

  void PlaceAlong() {
    double place = spacing_.margin;
    for (const auto& layer : order_) {
      double size = 0.0;
      for (const std::size_t vertex : layer) size = std::max(size, layout_.vertices[vertex].size.along);
      for (const std::size_t vertex : layer) layout_.vertices[vertex].along = place + 0.5 * size;
      layout_.layer_begin.push_back(place);
      layout_.layer_end.push_back(place + size);
      place += size + spacing_.between_layers;
    }
    layout_.total.along = place - spacing_.between_layers + spacing_.margin;
  }

  /// The first layers of the rows if no row may be longer than `limit`.
  std::vector<std::size_t> RowStarts(double limit) const {
    std::vector<std::size_t> starts;
    const std::size_t layers = order_.size();
    for (std::size_t layer = 0; layer < layers; layer += 2) {
      const std::size_t last = std::min(layer + 1, layers - 1);  // a label stays with the box before it
      if (starts.empty() || layout_.layer_end[last] - layout_.layer_begin[starts.back()] > limit) {
        starts.push_back(layer);
      }
    }
    return starts;
  }

  void BreakRows() {
    layout_.row_of_layer.assign(order_.size(), 0);
    if (order_.empty() || layout_.total.along <= spacing_.longest) return;
    std::vector<std::size_t> starts = RowStarts(spacing_.longest);
    // Rows of about equal length look better than full rows and a short last one.
    const double share = layout_.total.along / static_cast<double>(starts.size());
    for (double limit = share; limit < spacing_.longest; limit += 10.0) {
      const auto tighter = RowStarts(limit);
      if (tighter.size() == starts.size()) {
        starts = tighter;
        break;
      }
    }
    for (std::size_t row = 1; row < starts.size(); ++row) {
      for (std::size_t layer = starts[row]; layer < order_.size(); ++layer) layout_.row_of_layer[layer] = row;
    }
  }

  bool IsInOneRow(const Segment& segment) const {
    return layout_.row_of_layer[layout_.vertices[segment.lower].layer] ==
           layout_.row_of_layer[layout_.vertices[segment.upper].layer];
  }

  double Separation(const LayoutVertex& a, const LayoutVertex& b) const {
    const bool are_passages = !a.is_box && !a.is_label && !b.is_box && !b.is_label;
    const bool are_boxes = a.is_box && b.is_box;
    const double gap = are_passages ? spacing_.between_passages
                       : are_boxes  ? spacing_.between_boxes
                                    : 0.5 * (spacing_.between_boxes + spacing_.between_passages);
    return 0.5 * (a.size.across + b.size.across) + gap;
  }

  /// Moves the vertices of a layer as close as possible to the wanted positions, in order and with their distances.
  void Settle(const std::vector<std::size_t>& layer, const std::vector<double>& wanted,
              const std::vector<double>& weights) {
    struct Block {
      double sum = 0.0;
      double weight = 0.0;
      std::size_t count = 0;
      double Place() const { return sum / weight; }
    };
    std::vector<double> offsets(layer.size(), 0.0);
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < layer.size(); ++i) {
      if (i > 0) offsets[i] = offsets[i - 1] + Separation(layout_.vertices[layer[i - 1]], layout_.vertices[layer[i]]);
      blocks.push_back({(wanted[i] - offsets[i]) * weights[i], weights[i], 1});
      while (blocks.size() > 1 && blocks[blocks.size() - 2].Place() > blocks.back().Place()) {
        const Block last = blocks.back();
        blocks.pop_back();
        blocks.back().sum += last.sum;
        blocks.back().weight += last.weight;
        blocks.back().count += last.count;
      }
    }
    std::size_t i = 0;
    for (const Block& block : blocks) {
      for (std::size_t k = 0; k < block.count; ++k, ++i) layout_.vertices[layer[i]].across = block.Place() + offsets[i];
    }
  }

  /// Finds the vertices that no box of their row fixes: passages between other rows, and the turns of loops.
  std::vector<bool> FindLoose() const {
    std::vector<bool> is_held(layout_.vertices.size(), false);
    std::vector<std::size_t> next;
    for (std::size_t vertex = 0; vertex < layout_.vertices.size(); ++vertex) {
      if (layout_.vertices[vertex].is_box) {
        is_held[vertex] = true;
        next.push_back(vertex);
      }
    }
    while (!next.empty()) {
      const std::size_t vertex = next.back();
      next.pop_back();
      const auto hold = [&](const Segment& segment, std::size_t other) {
        if (IsInOneRow(segment) && !is_held[other]) {
          is_held[other] = true;
          next.push_back(other);
        }
      };
      for (const Segment& segment : downward_[vertex]) hold(segment, segment.lower);
      for (const Segment& segment : upward_[vertex]) hold(segment, segment.upper);
    }
    is_held.flip();
    return is_held;
  }

  /// The position of a vertex directly after the one before it in its layer; of the first one, directly before the
  /// next.
  double ClosePlace(const std::vector<std::size_t>& layer, std::size_t index) const {
    const LayoutVertex& self = layout_.vertices[layer[index]];
    if (index > 0) {
      const LayoutVertex& before = layout_.vertices[layer[index - 1]];
      return before.across + Separation(before, self);
    }
    if (layer.size() > 1) {
      const LayoutVertex& after = layout_.vertices[layer[1]];
      return after.across - Separation(self, after);
    }
    return self.across;
  }

  void PlaceAcross() {
    const std::vector<bool> is_loose = FindLoose();
    for (const auto& layer : order_) {
      Settle(layer, std::vector<double>(layer.size(), 0.0), std::vector<double>(layer.size(), 1.0));
    }
    // Each sweep aligns neighbours better; large diagrams get fewer sweeps.
    const std::size_t count = layout_.vertices.size();
    const int rounds = count > 5000 ? 8 : count > 1000 ? 40 : 200;
    for (int sweep = 0; sweep < rounds; ++sweep) {
      for (std::size_t i = 0; i < order_.size(); ++i) {
        const auto& layer = order_[sweep % 2 == 0 ? i : order_.size() - 1 - i];
        std::vector<double> wanted;
        std::vector<double> weights;
        for (const std::size_t vertex : layer) {
          const LayoutVertex& self = layout_.vertices[vertex];
          double sum = 0.0;
          double neighbours = 0.0;
          const auto pull = [&](const Segment& segment, double place) {
            if (IsInOneRow(segment)) {
              sum += place;
              neighbours += 1.0;
            }
          };
          for (const Segment& segment : downward_[vertex]) {
            pull(segment, layout_.vertices[segment.lower].across + segment.lower_port - segment.upper_port);
          }
          for (const Segment& segment : upward_[vertex]) {
            pull(segment, layout_.vertices[segment.upper].across + segment.upper_port - segment.lower_port);
          }
          if (is_loose[vertex]) {
            constexpr double closeness = 0.1;
            sum += closeness * ClosePlace(layer, wanted.size());
            neighbours += closeness;
          }
          wanted.push_back(neighbours > 0.0 ? sum / neighbours : self.across);
          weights.push_back(self.is_box ? 1.0 + neighbours : 2.0 + neighbours);
        }
        Settle(layer, wanted, weights);
      }
    }
    double first = std::numeric_limits<double>::infinity();
    double last = -first;
    for (const LayoutVertex& vertex : layout_.vertices) {
      first = std::min(first, vertex.across - 0.5 * vertex.size.across);
      last = std::max(last, vertex.across + 0.5 * vertex.size.across);
    }
    if (layout_.vertices.empty()) return;
    for (LayoutVertex& vertex : layout_.vertices) vertex.across += spacing_.margin - first;
    layout_.total.across = last - first + 2.0 * spacing_.margin;
  }

  const std::vector<LayoutEdge>& edges_;
  LayoutSpacing spacing_;
  GraphRanks ranks_;
  GraphLayout layout_;
  std::vector<std::vector<std::size_t>> order_;  // vertices of each layer
  std::vector<std::vector<Segment>> segments_;   // from each layer to the next
  std::vector<std::vector<Segment>> upward_;     // of each vertex, to higher layers
  std::vector<std::vector<Segment>> downward_;   // of each vertex, to lower layers
  std::vector<double> position_;                 // of each vertex in its layer
};

using Adjacency = std::vector<std::vector<std::size_t>>;  // of each box, the numbers of its outgoing edges

std::vector<bool> FindBackward(std::size_t boxes, const std::vector<LayoutEdge>& edges, const Adjacency& outgoing) {
  enum class Mark : char { New, Open, Done };
  std::vector<Mark> marks(boxes, Mark::New);
  std::vector<bool> is_backward(edges.size(), false);
  std::vector<bool> has_provider(boxes, false);
  for (const LayoutEdge& edge : edges) has_provider[edge.to] = has_provider[edge.to] || edge.from != edge.to;
  std::vector<std::size_t> starts;
  for (const bool wanted : {false, true}) {
    for (std::size_t box = 0; box < boxes; ++box) {
      if (has_provider[box] == wanted) starts.push_back(box);
    }
  }
  std::vector<std::pair<std::size_t, std::size_t>> path;  // a box, and the next of its outgoing edges
  for (const std::size_t start : starts) {
    if (marks[start] != Mark::New) continue;
    marks[start] = Mark::Open;
    path.emplace_back(start, 0);
    while (!path.empty()) {
      auto& [box, next] = path.back();
      if (next == outgoing[box].size()) {
        marks[box] = Mark::Done;
        path.pop_back();
        continue;
      }
      const std::size_t edge = outgoing[box][next++];
      const std::size_t to = edges[edge].to;
      if (marks[to] == Mark::Open) {
        is_backward[edge] = true;
      } else if (marks[to] == Mark::New) {
        marks[to] = Mark::Open;
        path.emplace_back(to, 0);
      }
    }
  }
  return is_backward;
}

}  // namespace

GraphLayout LayOutGraph(const std::vector<LayoutSize>& boxes, const std::vector<LayoutEdge>& edges,
                        const LayoutSpacing& spacing) {
  return Layouter(boxes, edges, spacing).Run();
}

GraphRanks RankGraph(std::size_t boxes, const std::vector<LayoutEdge>& edges) {
  Adjacency outgoing(boxes);
  for (std::size_t edge = 0; edge < edges.size(); ++edge) outgoing[edges[edge].from].push_back(edge);
  GraphRanks ranks;
  ranks.is_backward = FindBackward(boxes, edges, outgoing);
  ranks.rank.assign(boxes, 0);
  std::vector<std::size_t> providers(boxes, 0);
  for (std::size_t edge = 0; edge < edges.size(); ++edge) providers[edges[edge].to] += ranks.is_backward[edge] ? 0 : 1;
  const std::vector<std::size_t> all_providers = providers;
  std::vector<std::size_t> order;
  for (std::size_t box = 0; box < boxes; ++box) {
    if (providers[box] == 0) order.push_back(box);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const std::size_t edge : outgoing[order[i]]) {
      if (ranks.is_backward[edge]) continue;
      const std::size_t to = edges[edge].to;
      ranks.rank[to] = std::max(ranks.rank[to], ranks.rank[order[i]] + 1);
      if (--providers[to] == 0) order.push_back(to);
    }
  }
  for (std::size_t box = 0; box < boxes; ++box) {
    if (all_providers[box] != 0) continue;
    std::size_t nearest = std::numeric_limits<std::size_t>::max();
    for (const std::size_t edge : outgoing[box]) {
      if (!ranks.is_backward[edge]) nearest = std::min(nearest, ranks.rank[edges[edge].to]);
    }
    if (nearest != std::numeric_limits<std::size_t>::max() && nearest > 0) ranks.rank[box] = nearest - 1;
  }
  return ranks;
}

}  // namespace openmi
