#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace openmi {

/// Sorts numbers, and removes those that repeat.
void SortOut(std::vector<std::size_t>& numbers);

/// Which tasks wait for which others, so that tasks on several threads have the same effects as tasks done one after
/// the other.
///
/// Tasks use things: some only read a thing, others change it. A task waits for the tasks before it that change what it
/// uses, or use what it changes. The same tasks may be done again, in several rounds; a task of the next round may then
/// start while others are still in this one.
class TaskOrder {
 public:
  struct Uses {
    std::vector<std::size_t> reads;
    std::vector<std::size_t> changes;
    /// Sorts both; what is changed is not among what is read.
    void Sort();
  };

  TaskOrder() = default;
  /// \param tasks   what each task uses, in the order in which one thread does them
  /// \param things  number of things, numbered from 0
  TaskOrder(std::span<const Uses> tasks, std::size_t things);

  std::size_t Count() const { return waiting_.size(); }
  /// The tasks of the same round that wait for `task`.
  const std::vector<std::size_t>& WaitingFor(std::size_t task) const { return waiting_[task]; }
  /// The tasks of the next round that wait for `task`.
  const std::vector<std::size_t>& WaitingNext(std::size_t task) const { return waiting_next_[task]; }
  /// How many other tasks `task` waits for in the first round.
  std::size_t FirstWaits(std::size_t task) const { return first_waits_[task]; }
  /// How many other tasks `task` waits for in any later round.
  std::size_t LaterWaits(std::size_t task) const { return later_waits_[task]; }
  /// Makes tasks start first that begin a long chain of tasks, so that threads do not wait for it at the end.
  /// \param seconds  of each task
  void StartLongChainsFirst(std::span<const double> seconds);
  /// The tasks in the order in which they start where several may; at first that of one thread.
  std::size_t AtRank(std::size_t rank) const { return at_rank_[rank]; }
  std::size_t RankOf(std::size_t task) const { return rank_[task]; }
  /// The tasks in another order that respects this one: where possible, a task that waited for the task just done comes
  /// next, so that tasks that affect each other are adjacent.
  std::vector<std::size_t> Grouped() const;

 private:
  std::vector<std::vector<std::size_t>> waiting_, waiting_next_;
  std::vector<std::size_t> first_waits_, later_waits_;
  std::vector<std::size_t> at_rank_, rank_;
};

}  // namespace openmi
