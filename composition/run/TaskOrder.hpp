#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace openmi {

/// Which tasks wait for which, so that tasks on several threads find and leave everything as they would one after the
/// other.
///
/// Tasks use things: some only read a thing, others change it. A task waits for those before it that change what it
/// uses, or use what it changes. The same tasks may be done again, round after round; then a task of the next round may
/// begin while others are still in this one.
class TaskOrder {
 public:
  struct Uses {
    std::vector<std::size_t> reads;
    std::vector<std::size_t> changes;
  };

  TaskOrder() = default;
  /// \param tasks   what each uses, in the order in which one thread does them
  /// \param things  how many there are, numbered from 0
  TaskOrder(std::span<const Uses> tasks, std::size_t things);

  std::size_t Count() const { return waiting_.size(); }
  /// The tasks that wait for `task` of the same round.
  const std::vector<std::size_t>& WaitingFor(std::size_t task) const { return waiting_[task]; }
  /// Those of the next round.
  const std::vector<std::size_t>& WaitingNext(std::size_t task) const { return waiting_next_[task]; }
  /// For how many others `task` waits in the first round.
  std::size_t FirstWaits(std::size_t task) const { return first_waits_[task]; }
  /// For how many others, beside itself, it waits in any later round.
  std::size_t LaterWaits(std::size_t task) const { return later_waits_[task]; }
  /// The tasks in another order that keeps to this one: one that waited for the task just done comes next where it can,
  /// so that those that have to do with each other stand together.
  std::vector<std::size_t> Grouped() const;

 private:
  std::vector<std::vector<std::size_t>> waiting_, waiting_next_;
  std::vector<std::size_t> first_waits_, later_waits_;
};

}  // namespace openmi
