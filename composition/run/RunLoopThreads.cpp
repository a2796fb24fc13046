// The part of RunLoop that updates components side by side.

#include <algorithm>

#include "composition/run/RunLoop.hpp"

namespace openmi {

void RunLoop::MakeLevels(std::size_t threads) {
  std::vector<const LoopGroup*> group_of(composition_.Instances().size(), nullptr);
  for (const auto& group : groups_) {
    for (const std::size_t member : group->Members()) group_of[member] = group.get();
  }
  const std::vector<bool> fits = SideBySide::FitFor(composition_, group_of);
  std::vector<std::size_t> level(nodes_.size(), 0);
  is_side_by_side_.assign(nodes_.size(), false);
  const auto below_providers = [&](std::size_t position) {
    std::size_t lowest = 0;
    for (const std::size_t provider : nodes_[position].providers) lowest = std::max(lowest, level[provider] + 1);
    return lowest;
  };
  for (std::size_t position = 0; position < nodes_.size(); ++position) {
    if (!fits[nodes_[position].number] || is_side_by_side_[position]) continue;
    Piece piece;
    for (std::size_t other = position; other < nodes_.size(); ++other) {
      // The members of a loop stand together, and their providers before them.
      const bool is_member = nodes_[position].group != nullptr && nodes_[other].group == nodes_[position].group;
      if (other == position || is_member) piece.positions.push_back(other);
      if (nodes_[position].group == nullptr) break;
    }
    std::size_t own = 0;
    for (const std::size_t member : piece.positions) own = std::max(own, below_providers(member));
    for (const std::size_t member : piece.positions) {
      level[member] = own;
      is_side_by_side_[member] = true;
      piece.members.push_back(nodes_[member].number);
    }
    if (levels_.size() <= own) levels_.resize(own + 1);
    levels_[own].push_back(std::move(piece));
  }
  const bool is_worth_it = std::ranges::any_of(levels_, [](const auto& pieces) { return pieces.size() > 1; });
  if (is_worth_it) side_by_side_ = std::make_unique<SideBySide>(composition_, group_of, threads);
}

bool RunLoop::BringSideBySide() {
  bool moved = false;
  for (const std::vector<Piece>& pieces : levels_) {
    pieces_.clear();
    piece_members_.clear();
    for (const Piece& piece : pieces) {
      const bool is_behind = std::ranges::any_of(piece.positions, [this](std::size_t position) {
        Node& node = nodes_[position];
        node.time = node.Time();  // others may have pulled it on
        return Before(node.time, node.required) && node.CanUpdate();
      });
      if (!is_behind) continue;
      pieces_.push_back(&piece);
      piece_members_.emplace_back(piece.members);
    }
    if (pieces_.empty()) continue;
    moved = true;
    try {
      side_by_side_->Run(piece_members_, [this](std::size_t piece) {
        for (const std::size_t position : pieces_[piece]->positions) Bring(nodes_[position]);
      });
    } catch (...) {
      const Piece& piece = *pieces_[side_by_side_->Failed()];
      failed_ = nodes_[piece.positions.front()].number;
      for (const std::size_t position : piece.positions) {
        if (nodes_[position].component->Status() == LinkableComponentStatus::Failed) failed_ = nodes_[position].number;
      }
      throw;
    }
  }
  return moved;
}

bool RunLoop::StepSideBySide() {
  if (timeless_.size() == nodes_.size()) return StepTimeless();
  batch_.clear();
  Stamp now = kFarFuture;
  while (!queue_.empty() && (batch_.empty() || queue_.top().first <= now.mjd)) {
    const auto [time, position] = queue_.top();
    queue_.pop();
    const Node& node = nodes_[position];
    const Stamp there = node.Time();
    if (!node.CanUpdate() || !Before(there, end_)) continue;
    if (Before(Stamp{time}, there)) {  // it went on meanwhile, pulled by another
      queue_.emplace(there.mjd, position);
      continue;
    }
    now = there;
    batch_.push_back(position);
  }
  if (batch_.empty()) return false;
  if (Before(round_, now)) {
    round_ = now;
    StepTimeless();
  }
  for (Node& node : nodes_) {
    node.required = kFarPast;
    node.time = node.Time();
  }
  for (const std::size_t position : batch_) {
    Node& node = nodes_[position];
    if (is_side_by_side_[position]) node.required = node.Next();
  }
  RequireUpstream();
  BringSideBySide();
  std::ranges::sort(batch_);  // providers first
  for (const std::size_t position : batch_) {
    Node& node = nodes_[position];
    if (is_side_by_side_[position]) {
      RequireProgress(node, now);
    } else if (node.CanUpdate() && !Before(now, node.Time())) {
      StepNode(node, now);
    }
    queue_.emplace(node.Time().mjd, position);
  }
  return true;
}

}  // namespace openmi
