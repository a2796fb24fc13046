#include "components/population/Network.hpp"

#include <algorithm>

namespace openmi::population {

Upstream::Upstream(std::size_t rows, std::span<const Edge> edges) : begin_(rows + 1, 0), sources_(edges.size()) {
  for (const Edge& edge : edges) ++begin_[edge.to + 1];
  for (std::size_t row = 0; row < rows; ++row) begin_[row + 1] += begin_[row];
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (const Edge& edge : edges) sources_[next[edge.to]++] = {edge.from, edge.weight};
}

std::pair<StepOrder, std::vector<std::size_t>> StepOrder::Of(std::size_t members, std::span<const Edge> edges,
                                                             std::size_t pieces) {
  StepOrder order;
  order.members_.reserve(members);
  const Upstream upstream(members, edges);
  // Depth first, what feeds a member before the member: what belongs to one branch is together.
  enum class Mark : char { None, Open, Done };
  std::vector<Mark> marks(members, Mark::None);
  std::vector<std::pair<std::size_t, std::size_t>> path;  // member, and its next source
  std::vector<bool> is_source(members, false);
  for (const Edge& edge : edges) is_source[edge.from] = true;
  const auto visit = [&](std::size_t root) -> std::vector<std::size_t> {
    if (marks[root] != Mark::None) return {};
    path.assign(1, {root, 0});
    marks[root] = Mark::Open;
    while (!path.empty()) {
      auto& [member, next] = path.back();
      const auto sources = upstream.Of(member);
      if (next == sources.size()) {
        marks[member] = Mark::Done;
        order.members_.push_back(member);
        path.pop_back();
        continue;
      }
      const std::size_t source = sources[next++].first;
      if (marks[source] == Mark::Open) {
        std::vector<std::size_t> cycle;
        const auto begin = std::ranges::find(path, source, &std::pair<std::size_t, std::size_t>::first);
        // The path leads upstream: its end feeds what is before it.
        for (auto at = path.end(); at != begin;) cycle.push_back((--at)->first);
        return cycle;
      }
      if (marks[source] == Mark::Done) continue;
      marks[source] = Mark::Open;
      path.emplace_back(source, 0);
    }
    return {};
  };
  for (const bool only_ends : {true, false}) {  // the second pass finds cycles that feed nothing else
    for (std::size_t member = 0; member < members; ++member) {
      if (only_ends && !edges.empty() && is_source[member]) continue;
      if (std::vector<std::size_t> cycle = visit(member); !cycle.empty()) return {StepOrder(), std::move(cycle)};
    }
  }

  const std::size_t each = std::max<std::size_t>(1, (members + pieces - 1) / std::max<std::size_t>(1, pieces));
  std::vector<std::size_t> piece_of(members);
  for (std::size_t begin = 0; begin < members; begin += each) {
    Piece piece{.begin = begin, .end = std::min(begin + each, members), .waits_for = {}};
    for (std::size_t at = piece.begin; at < piece.end; ++at) piece_of[order.members_[at]] = order.pieces_.size();
    for (std::size_t at = piece.begin; at < piece.end; ++at) {
      for (const auto& [source, weight] : upstream.Of(order.members_[at])) {
        if (piece_of[source] != order.pieces_.size()) piece.waits_for.push_back(piece_of[source]);
      }
    }
    std::ranges::sort(piece.waits_for);
    piece.waits_for.erase(std::unique(piece.waits_for.begin(), piece.waits_for.end()), piece.waits_for.end());
    order.pieces_.push_back(std::move(piece));
  }
  return {std::move(order), {}};
}

Upstream Upstream::InOrder(std::span<const std::size_t> rows) const {
  Upstream ordered;
  ordered.begin_.reserve(rows.size() + 1);
  ordered.sources_.reserve(sources_.size());
  ordered.begin_.push_back(0);
  for (const std::size_t row : rows) {
    const auto sources = Of(row);
    ordered.sources_.insert(ordered.sources_.end(), sources.begin(), sources.end());
    ordered.begin_.push_back(ordered.sources_.size());
  }
  return ordered;
}

}  // namespace openmi::population
