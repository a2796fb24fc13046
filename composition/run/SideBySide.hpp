#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "composition/run/ParallelUpdate.hpp"
#include "composition/run/RunNodes.hpp"

namespace openmi {

/// The passes of a run in which components are updated side by side: which of them may be, and how far.
class SideBySide {
 public:
  /// \param composition  prepared; borrowed
  /// \param nodes        borrowed
  /// \param threads      the calling one included
  SideBySide(Composition& composition, RunNodes& nodes, RunMode mode, std::size_t threads)
      : composition_(composition), nodes_(nodes), mode_(mode), threads_(threads) {}

  /// Finds out which nodes may be updated side by side.
  void MakeTasks();
  /// Gives the outputs back. To be called before the components or their groups change, until MakeTasks.
  void Leave() { parallel_update_.reset(); }
  /// Whether to make this pass side by side; see ParallelUpdate::Pays.
  bool Pays() { return parallel_update_ != nullptr && parallel_update_->Pays(); }

  /// Foresees what the next passes require of each node, as long as the lengths of steps do not change.
  /// \param triggers  positions
  /// \returns the number of passes
  std::size_t Foresee(std::size_t most, std::span<const std::size_t> triggers);
  /// Brings all nodes to the times that are required of them, in each of `rounds` passes.
  /// \param is_enough  see RunLoop::Advance
  /// \param made       set to the number of passes made
  /// \returns whether anything moved
  bool Bring(std::size_t rounds, const std::function<bool()>& is_enough, std::size_t& made);
  /// Step mode: updates the nodes of a batch that are at `now`, once each.
  /// \param batch  positions, sorted
  void Step(std::span<const std::size_t> batch, Stamp now, const std::function<bool()>& is_enough, std::size_t& made);

 private:
  class Tasks;
  /// Adds the components that the update of these instances will update by asking, as far as that can be foreseen.
  /// \param loop_of  the loop, not iterated, that each instance belongs to; null: none
  void AddAsked(std::vector<std::size_t>& updates, const std::vector<const std::vector<std::size_t>*>& loop_of,
                const std::vector<bool>& asks_directly) const;
  /// Whether several members of a loop that is not iterated are asked from outside: its values then depend on which
  /// component asks first.
  bool DependsOnWhoAsks(const std::vector<std::size_t>& loop) const;
  /// Makes all components that may ask such a loop, also from far downstream, do so in the order of one thread.
  void KeepOrderBelow(const std::vector<std::size_t>& loop, std::vector<ParallelUpdate::Task>& tasks);
  /// Does what a pass does with one node.
  /// \returns whether it moved
  bool BringOrStep(std::size_t round, std::size_t position);
  Stamp RequiredAt(std::size_t round, std::size_t position) const {
    return foreseen_.empty() ? nodes_.All()[position].required : foreseen_[round * nodes_.All().size() + position];
  }

  Composition& composition_;
  RunNodes& nodes_;
  RunMode mode_;
  std::size_t threads_;
  std::unique_ptr<ParallelUpdate> parallel_update_;
  std::vector<std::vector<std::size_t>> task_positions_;  // of each of its tasks, in nodes_
  std::vector<unsigned char> broken_;                     // of one pass, see Tasks
  std::vector<Stamp> foreseen_;                           // what each pass requires of each node; empty: one pass
  bool can_foresee_ = false;
  std::span<const std::size_t> batch_;  // in Step: positions
  Stamp batch_time_;
};

}  // namespace openmi
