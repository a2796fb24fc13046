#include "composition/threads/TaskOrder.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace openmi {

void SortOut(std::vector<std::size_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

void TaskOrder::Uses::Sort() {
  SortOut(changes);
  SortOut(reads);
  std::erase_if(reads, [this](std::size_t thing) { return std::ranges::binary_search(changes, thing); });
}

TaskOrder::TaskOrder(std::span<const Uses> tasks, std::size_t things)
    : waiting_(tasks.size()),
      waiting_next_(tasks.size()),
      first_waits_(tasks.size(), 0),
      later_waits_(tasks.size(), 0),
      at_rank_(tasks.size()),
      rank_(tasks.size()) {
  std::iota(at_rank_.begin(), at_rank_.end(), std::size_t{0});
  rank_ = at_rank_;
  // Two rounds, one after the other: which task changed each thing last, and which tasks have read it since. The
  // numbers of the tasks of the second round follow those of the first.
  const std::size_t count = tasks.size();
  struct Thing {
    std::size_t changed_by;
    std::vector<std::size_t> read_by;
  };
  std::vector<Thing> state(things, {2 * count, {}});
  const auto wait = [&](std::size_t task, std::size_t for_task) {
    if (for_task == task || for_task == 2 * count) return;
    if (task < count) {
      waiting_[for_task].push_back(task);
    } else if (for_task < count && for_task != task - count) {
      waiting_next_[for_task].push_back(task - count);
    }
  };
  for (std::size_t task = 0; task < 2 * count; ++task) {
    const Uses& uses = tasks[task % count];
    for (const std::size_t thing : uses.reads) {
      wait(task, state[thing].changed_by);
      state[thing].read_by.push_back(task);
    }
    for (const std::size_t thing : uses.changes) {
      Thing& changed = state[thing];
      wait(task, changed.changed_by);
      for (const std::size_t reader : changed.read_by) wait(task, reader);
      changed.changed_by = task;
      changed.read_by.clear();
    }
  }
  for (auto* lists : {&waiting_, &waiting_next_}) {
    for (auto& list : *lists) {
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
      for (const std::size_t task : list) {
        ++later_waits_[task];
        if (lists == &waiting_) ++first_waits_[task];
      }
    }
  }
}

void TaskOrder::StartLongChainsFirst(std::span<const double> seconds) {
  std::vector<double> chain(Count(), 0.0);
  for (std::size_t task = Count(); task-- > 0;) {
    for (const std::size_t next : waiting_[task]) chain[task] = std::max(chain[task], chain[next]);
    chain[task] += seconds[task];
  }
  std::ranges::stable_sort(at_rank_, std::greater<>(), [&](std::size_t task) { return chain[task]; });
  for (std::size_t rank = 0; rank < Count(); ++rank) rank_[at_rank_[rank]] = rank;
}

std::vector<std::size_t> TaskOrder::Grouped() const {
  std::vector<std::size_t> order;
  order.reserve(Count());
  std::vector<std::size_t> waits = first_waits_;
  std::vector<std::size_t> ready;  // the last one comes next
  for (std::size_t task = Count(); task-- > 0;) {
    if (waits[task] == 0) ready.push_back(task);
  }
  while (!ready.empty()) {
    const std::size_t task = ready.back();
    ready.pop_back();
    order.push_back(task);
    const std::size_t first = ready.size();
    for (const std::size_t next : waiting_[task]) {
      if (--waits[next] == 0) ready.push_back(next);
    }
    std::reverse(ready.begin() + static_cast<std::ptrdiff_t>(first), ready.end());
  }
  return order;
}

}  // namespace openmi
