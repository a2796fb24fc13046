#include "composition/run/SideBySide.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <tuple>

#include "composition/isolation/IsolatedProcess.hpp"
#include "timespace/optional/ILiveSource.hpp"

namespace openmi {

/// What one thread does at each point of a pass. After a component failed in this pass, nothing that asks it is done;
/// everything else is, so that the state afterwards does not depend on the threads.
class SideBySide::Tasks final : public ParallelUpdate::IWork {
 public:
  Tasks(SideBySide& owner, const std::function<bool()>& is_enough)
      : owner_(owner), nodes_(owner.nodes_), is_enough_(is_enough), is_broken_(owner.broken_) {
    is_broken_.assign(owner.composition_.Instances().size(), 0);
  }

  void Do(std::size_t task, std::size_t round) override {
    if (IsBroken(task)) return Break(task);
    for (const std::size_t position : owner_.task_positions_[task]) {
      RunNode& node = nodes_.All()[position];
      node.failed = node.number;
      try {
        if (owner_.BringOrStep(round, position)) moved_ = true;
      } catch (...) {
        return Fail(task, round, node);
      }
    }
  }

  bool Begin(std::size_t task, std::size_t round) override {
    RunNode& node = NodeOf(task);
    if (IsBroken(task)) {
      Break(task);
      return false;
    }
    node.required = owner_.RequiredAt(round, owner_.task_positions_[task].front());
    node.time = node.Time();  // others may have pulled it further
    if (!Before(node.time, node.required) || !node.CanUpdate()) return false;
    moved_ = true;
    node.failed = node.number;
    bool is_posted = false;
    node.posted = TimeKeeper::Ticks();
    try {
      static_cast<void>(nodes_.UpdateBy(node, [&] { is_posted = node.apart->BeginUpdate(); }));
    } catch (...) {
      Fail(task, round, node);
    }
    return is_posted;
  }

  bool End(std::size_t task, std::size_t round) override {
    RunNode& node = NodeOf(task);
    const Stamp before = node.time;
    try {
      if (!nodes_.UpdateBy(node, [&] { node.apart->EndUpdate(); })) return false;
      PassTimes& times = nodes_.Times();
      if (!node.is_watched && times.IsTimed()) times.Keeper().Add(node.number, TimeKeeper::Ticks() - node.posted);
      nodes_.CallAfterUpdate(node.number);
      node.time = node.Time();
      return Before(before, node.time) && Begin(task, round);
    } catch (...) {
      Fail(task, round, node);
      return false;
    }
  }

  bool IsEnough() override { return is_enough_ && is_enough_(); }

  bool HasMoved() const { return moved_; }
  /// Throws what the first failed task threw, in the order of one thread.
  void Rethrow() const {
    if (error_ == nullptr) return;
    nodes_.SetFailed(failed_);
    std::rethrow_exception(error_);
  }

 private:
  RunNode& NodeOf(std::size_t task) const { return nodes_.All()[owner_.task_positions_[task].front()]; }
  bool IsBroken(std::size_t task) const {
    const auto any = [this](const std::vector<std::size_t>& things) {
      return std::ranges::any_of(
          things, [this](std::size_t thing) { return thing < is_broken_.size() && is_broken_[thing] != 0; });
    };
    const TaskOrder::Uses& uses = owner_.parallel_update_->UsesOf(task);
    return any(uses.reads) || any(uses.changes);
  }
  void Break(std::size_t task) {
    for (const std::size_t thing : owner_.parallel_update_->UsesOf(task).changes) {
      if (thing < is_broken_.size()) is_broken_[thing] = 1;
    }
  }
  void Fail(std::size_t task, std::size_t round, const RunNode& node) {
    Break(task);
    const std::lock_guard lock(mutex_);
    if (error_ != nullptr && std::tuple(round_, task_) < std::tuple(round, task)) return;
    error_ = std::current_exception();
    failed_ = node.failed;
    round_ = round;
    task_ = task;
  }

  SideBySide& owner_;
  RunNodes& nodes_;
  const std::function<bool()>& is_enough_;
  std::vector<unsigned char>& is_broken_;  // by instance: failed, or not done because one it depends on failed
  std::atomic<bool> moved_ = false;
  std::mutex mutex_;  // guards the members below
  std::exception_ptr error_;
  std::size_t failed_ = 0;
  std::size_t round_ = 0;
  std::size_t task_ = 0;
};

void SideBySide::MakeTasks() {
  parallel_update_.reset();
  std::vector<RunNode>& nodes = nodes_.All();
  task_positions_.clear();
  can_foresee_ = false;
  std::vector<IsolatedProcess*> processes;
  for (RunNode& node : nodes) {
    node.is_order_kept = false;
    if (node.apart != nullptr) node.apart->AddProcesses(processes);
  }
  std::ranges::sort(processes);
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  if (threads_ <= 1 && processes.size() < 2) return;

  // The members of a loop that is not iterated are updated by the component that asks one of them.
  const LinkGraph& graph = composition_.Graph();
  std::vector<const std::vector<std::size_t>*> loop_of(graph.Count(), nullptr);
  const std::vector<std::vector<std::size_t>> loops = graph.Loops();
  for (const auto& loop : loops) {
    const bool is_iterated = std::ranges::all_of(loop, [&](std::size_t member) {
      const std::size_t position = nodes_.PositionOf(member);
      return position < nodes.size() && nodes[position].group != nullptr;
    });
    for (const std::size_t member : loop) loop_of[member] = is_iterated ? nullptr : &loop;
  }
  std::vector<bool> asks_directly(graph.Count(), false);
  for (const Link& link : composition_.Links()) {
    if (link.IsMade() && link.End() == nullptr) asks_directly[link.ToInstance()] = true;
  }

  can_foresee_ = mode_ == RunMode::Pull && threads_ > 1 && processes.empty() && !composition_.IsAnyFreezing();
  std::vector<ParallelUpdate::Task> tasks;
  std::vector<bool> is_taken(nodes.size(), false);
  for (std::size_t position = 0; position < nodes.size(); ++position) {
    const RunNode& node = nodes[position];
    if (node.steps == nullptr || node.instance->IsOut() || loop_of[node.number] != nullptr ||
        dynamic_cast<const ILiveSource*>(&node.instance->Component()) != nullptr) {
      can_foresee_ = false;
    }
    const bool is_done = node.IsSwept() || node.group != nullptr || node.is_trigger || mode_ == RunMode::Step;
    if (is_taken[position] || !is_done || (mode_ == RunMode::Step && node.IsTimeless())) continue;
    std::vector<std::size_t>& positions = task_positions_.emplace_back();
    ParallelUpdate::Task task;
    for (std::size_t other = position; other < nodes.size(); ++other) {
      if (other != position && (node.group == nullptr || nodes[other].group != node.group)) continue;
      positions.push_back(other);
      task.updates.push_back(nodes[other].number);
      is_taken[other] = true;
      if (node.group == nullptr) break;
    }
    AddAsked(task.updates, loop_of, asks_directly);
    if (task.updates.size() == 1 && node.group == nullptr) task.apart = node.apart;
    tasks.push_back(std::move(task));
  }
  for (const auto& loop : loops) {
    if (loop_of[loop.front()] != nullptr && DependsOnWhoAsks(loop)) KeepOrderBelow(loop, tasks);
  }
  parallel_update_ = std::make_unique<ParallelUpdate>(composition_, std::move(tasks), threads_);
}

bool SideBySide::DependsOnWhoAsks(const std::vector<std::size_t>& loop) const {
  const auto is_asked = [&](std::size_t member) {
    const std::size_t position = nodes_.PositionOf(member);
    const std::vector<std::size_t>& consumers = composition_.Graph().ConsumersOf(member);
    return (mode_ == RunMode::Pull && position < nodes_.All().size() && nodes_.All()[position].is_trigger) ||
           std::ranges::any_of(consumers, [&](std::size_t one) { return std::ranges::find(loop, one) == loop.end(); });
  };
  return std::ranges::count_if(loop, is_asked) > 1;
}

void SideBySide::KeepOrderBelow(const std::vector<std::size_t>& loop, std::vector<ParallelUpdate::Task>& tasks) {
  std::vector<bool> is_below(composition_.Graph().Count(), false);
  std::vector<std::size_t> open = loop;
  while (!open.empty()) {
    const std::size_t instance = open.back();
    open.pop_back();
    for (const std::size_t consumer : composition_.Graph().ConsumersOf(instance)) {
      if (!is_below[consumer]) open.push_back(consumer);
      is_below[consumer] = true;
    }
  }
  for (RunNode& node : nodes_.All()) node.is_order_kept = node.is_order_kept || is_below[node.number];
  for (ParallelUpdate::Task& task : tasks) {
    if (std::ranges::none_of(task.updates, [&](std::size_t one) { return is_below[one]; })) continue;
    task.updates.insert(task.updates.end(), loop.begin(), loop.end());
    task.apart = nullptr;
  }
}

void SideBySide::AddAsked(std::vector<std::size_t>& updates,
                          const std::vector<const std::vector<std::size_t>*>& loop_of,
                          const std::vector<bool>& asks_directly) const {
  const LinkGraph& graph = composition_.Graph();
  const auto add = [&updates](std::size_t instance) {
    if (std::ranges::find(updates, instance) == updates.end()) updates.push_back(instance);
  };
  const auto add_loop = [&](std::size_t instance) {
    if (loop_of[instance] == nullptr) return;
    for (const std::size_t member : *loop_of[instance]) add(member);
  };
  for (const std::size_t instance : std::vector<std::size_t>(updates)) add_loop(instance);
  for (std::size_t i = 0; i < updates.size(); ++i) {
    const std::size_t instance = updates[i];
    // A component with its own thread must not stand still there; one without a proxy cannot.
    if (composition_.Instances()[instance].thread != nullptr || asks_directly[instance]) {
      const std::vector<bool> upstream = graph.UpstreamOf({instance});
      for (std::size_t other = 0; other < upstream.size(); ++other) {
        if (upstream[other]) add(other);
      }
    }
    for (const std::size_t provider : graph.ProvidersOf(instance)) {
      add_loop(provider);
      const std::size_t position = nodes_.PositionOf(provider);
      const bool is_pulled = position < nodes_.All().size() && nodes_.All()[position].is_pulled_only;
      if (is_pulled) add(provider);                                   // the question makes it compute
      if (composition_.Instances()[provider].IsOut()) add(provider);  // others ask for its last values
    }
  }
}

bool SideBySide::BringOrStep(std::size_t round, std::size_t position) {
  RunNode& node = nodes_.All()[position];
  const Stamp required = RequiredAt(round, position);
  bool moved = false;
  if (std::ranges::binary_search(batch_, position) && node.CanUpdate() && !Before(batch_time_, node.Time())) {
    nodes_.Update(node);
    nodes_.RequireProgress(node, batch_time_);
    moved = true;
    node.time = node.Time();
  }
  const bool is_pulled = (!node.IsSwept() && node.group == nullptr) || node.is_order_kept;
  if (mode_ == RunMode::Step && is_pulled) return moved;  // a pulled component goes further only when others ask
  node.required = required;
  return nodes_.Bring(node) || moved;
}

std::size_t SideBySide::Foresee(std::size_t most, std::span<const std::size_t> triggers) {
  foreseen_.clear();
  if (most <= 1 || !can_foresee_) return 1;
  std::vector<RunNode>& nodes = nodes_.All();
  const Stamp end = nodes_.End();
  for (RunNode& node : nodes) {
    node.time = node.Time();
    node.next = node.Next();
  }
  std::size_t rounds = 0;
  while (rounds < most) {
    Stamp target = kFarFuture;
    for (const std::size_t trigger : triggers) {
      const RunNode& node = nodes[trigger];
      if (Before(node.time, node.next) && Before(node.time, end) && node.CanUpdate())
        target = std::min(target, node.next);
    }
    if (target == kFarFuture) break;
    for (RunNode& node : nodes) node.required = node.is_trigger ? target : kFarPast;
    nodes_.RequireUpstream(true);
    for (const RunNode& node : nodes) foreseen_.push_back(node.required);
    ++rounds;
    for (RunNode& node : nodes) {
      if (!Before(node.time, node.required)) continue;
      const Days step = node.next - node.time;
      if (!Before(node.time, node.next) || node.next == kFarFuture) most = rounds;  // it does not report its next time
      node.time =
          node.time + step * std::max(1.0, std::ceil((node.required - node.time) / step - kTimeTolerance / step));
      if (Before(end, node.time)) node.time = end;
      node.next = node.time + step;
      if (Before(end, node.next)) node.next = end;
    }
  }
  for (RunNode& node : nodes) node.time = node.Time();
  if (rounds <= 1) foreseen_.clear();
  return std::max<std::size_t>(rounds, 1);
}

bool SideBySide::Bring(std::size_t rounds, const std::function<bool()>& is_enough, std::size_t& made) {
  Tasks tasks(*this, is_enough);
  made = parallel_update_->Run(rounds, tasks);
  tasks.Rethrow();
  return tasks.HasMoved();
}

void SideBySide::Step(std::span<const std::size_t> batch, Stamp now, const std::function<bool()>& is_enough,
                      std::size_t& made) {
  batch_ = batch;
  batch_time_ = now;
  for (RunNode& node : nodes_.All()) {
    node.required = kFarPast;
    node.time = node.Time();
  }
  for (const std::size_t position : batch) nodes_.All()[position].required = nodes_.All()[position].Next();
  nodes_.RequireUpstream();
  Bring(1, is_enough, made);
  batch_ = {};
}

}  // namespace openmi
