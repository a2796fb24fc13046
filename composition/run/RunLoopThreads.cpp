// The part of RunLoop that updates components side by side.

#include <algorithm>

#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/run/RunLoop.hpp"

namespace openmi {

void RunLoop::MakeLevels(std::size_t threads) {
  std::vector<const LoopGroup*> group_of(composition_.Instances().size(), nullptr);
  for (const auto& group : groups_) {
    for (const std::size_t member : group->Members()) group_of[member] = group.get();
  }
  if (threads <= 1 && std::ranges::count_if(nodes_, [](const Node& node) { return node.apart != nullptr; }) < 2) return;
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
  const bool is_worth_it = std::ranges::any_of(levels_, [&](const std::vector<Piece>& pieces) {
    return threads > 1 ? pieces.size() > 1 : HasSeveralProcesses(pieces);
  });
  if (is_worth_it) side_by_side_ = std::make_unique<SideBySide>(composition_, group_of, threads);
}

bool RunLoop::HasSeveralProcesses(std::span<const Piece> pieces) const {
  const IsolatedProcess* first = nullptr;
  for (const Piece& piece : pieces) {
    const Node& node = nodes_[piece.positions.front()];
    if (node.apart == nullptr || node.group != nullptr) continue;
    if (first != nullptr && first != &node.apart->Process()) return true;
    first = &node.apart->Process();
  }
  return false;
}

bool RunLoop::BringSideBySide() {
  bool moved = false;
  for (const std::vector<Piece>& pieces : levels_) {
    pieces_.clear();
    for (const Piece& piece : pieces) {
      const bool is_behind = std::ranges::any_of(piece.positions, [this](std::size_t position) {
        Node& node = nodes_[position];
        node.time = node.Time();  // others may have pulled it on
        return Before(node.time, node.required) && node.CanUpdate();
      });
      if (is_behind) pieces_.push_back(&piece);
    }
    if (pieces_.empty()) continue;
    moved = true;
    piece_members_.clear();
    for (const Piece* piece : pieces_) piece_members_.emplace_back(piece->members);
    side_by_side_->BeginQuiet(piece_members_);
    BringPieces();
    side_by_side_->EndQuiet(piece_members_);
    const auto error = std::ranges::find_if(piece_errors_, [](const auto& one) { return one != nullptr; });
    if (error == piece_errors_.end()) continue;
    const Piece& piece = *pieces_[static_cast<std::size_t>(error - piece_errors_.begin())];
    failed_ = nodes_[piece.positions.front()].number;
    for (const std::size_t position : piece.positions) {
      if (nodes_[position].component->Status() == LinkableComponentStatus::Failed) failed_ = nodes_[position].number;
    }
    std::rethrow_exception(*error);
  }
  return moved;
}

void RunLoop::BringPieces() {
  piece_errors_.assign(pieces_.size(), nullptr);
  here_.clear();
  here_members_.clear();
  waiting_apart_.clear();
  posted_.clear();
  posted_processes_.clear();
  for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
    const Node& node = nodes_[pieces_[piece]->positions.front()];
    if (node.apart != nullptr && node.group == nullptr) {
      waiting_apart_.push_back(piece);
    } else {
      here_.push_back(piece);
      here_members_.push_back(piece_members_[piece]);
    }
  }
  PostApart();
  const auto errors = side_by_side_->Run(here_members_, [this](std::size_t number) {
    for (const std::size_t position : pieces_[here_[number]]->positions) Bring(nodes_[position]);
  });
  for (std::size_t number = 0; number < errors.size(); ++number) piece_errors_[here_[number]] = errors[number];
  while (!posted_.empty()) {
    const std::size_t place = posted_.size() == 1 ? 0 : IsolatedProcess::WaitForAny(posted_processes_);
    const std::size_t piece = posted_[place];
    posted_.erase(posted_.begin() + static_cast<std::ptrdiff_t>(place));
    posted_processes_.erase(posted_processes_.begin() + static_cast<std::ptrdiff_t>(place));
    if (EndApart(piece)) waiting_apart_.insert(waiting_apart_.begin(), piece);
    PostApart();
  }
}

void RunLoop::PostApart() {
  const bool is_failing = std::ranges::any_of(piece_errors_, [](const auto& error) { return error != nullptr; });
  if (is_failing) return;  // the run ends
  std::erase_if(waiting_apart_, [this](std::size_t piece) {
    Node& node = nodes_[pieces_[piece]->positions.front()];
    IsolatedProcess* process = &node.apart->Process();
    if (std::ranges::find(posted_processes_, process) != posted_processes_.end()) return false;
    bool is_posted = false;
    node.posted = TimeKeeper::Ticks();
    try {
      static_cast<void>(UpdateBy(node, [&] { is_posted = node.apart->BeginUpdate(); }));
    } catch (...) {
      piece_errors_[piece] = std::current_exception();
    }
    if (is_posted) posted_.push_back(piece);
    if (is_posted) posted_processes_.push_back(process);
    return true;
  });
}

bool RunLoop::EndApart(std::size_t piece) {
  Node& node = nodes_[pieces_[piece]->positions.front()];
  const Stamp before = node.time;
  try {
    if (!UpdateBy(node, [&] { node.apart->EndUpdate(); })) return false;
    if (!node.is_watched && is_timed_) times_.Add(node.number, TimeKeeper::Ticks() - node.posted);
  } catch (...) {
    piece_errors_[piece] = std::current_exception();
    return false;
  }
  if (after_update_) after_update_(node.number);
  node.time = node.Time();
  return Before(before, node.time) && Before(node.time, node.required) && node.CanUpdate();
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
