// The part of RunLoop that updates components side by side.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <tuple>

#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/run/RunLoop.hpp"
#include "timespace/ILiveSource.hpp"

namespace openmi {

/// What one thread does at each point of a pass. After a component failed in this pass, nothing that asks it is done;
/// everything else is, so that the state afterwards does not depend on the threads.
class RunLoop::Tasks final : public ParallelUpdate::IWork {
 public:
  explicit Tasks(RunLoop& loop) : loop_(loop), is_broken_(loop.composition_.Instances().size(), 0) {}

  void Do(std::size_t task, std::size_t round) override {
    if (IsBroken(task)) return Break(task);
    for (const std::size_t position : loop_.task_positions_[task]) {
      Node& node = loop_.nodes_[position];
      node.failed = node.number;
      try {
        if (loop_.BringOrStep(node, loop_.RequiredAt(round, position), loop_.IsInBatch(position))) moved_ = true;
      } catch (...) {
        return Fail(task, round, node);
      }
    }
  }

  bool Begin(std::size_t task, std::size_t round) override {
    const std::size_t position = loop_.task_positions_[task].front();
    Node& node = loop_.nodes_[position];
    if (IsBroken(task)) {
      Break(task);
      return false;
    }
    node.required = loop_.RequiredAt(round, position);
    node.time = node.Time();  // others may have pulled it further
    if (!Before(node.time, node.required) || !node.CanUpdate()) return false;
    moved_ = true;
    node.failed = node.number;
    bool is_posted = false;
    node.posted = TimeKeeper::Ticks();
    try {
      static_cast<void>(loop_.UpdateBy(node, [&] { is_posted = node.apart->BeginUpdate(); }));
    } catch (...) {
      Fail(task, round, node);
    }
    return is_posted;
  }

  bool End(std::size_t task, std::size_t round) override {
    Node& node = loop_.nodes_[loop_.task_positions_[task].front()];
    const Stamp before = node.time;
    try {
      if (!loop_.UpdateBy(node, [&] { node.apart->EndUpdate(); })) return false;
      if (!node.is_watched && loop_.is_timed_) loop_.times_.Add(node.number, TimeKeeper::Ticks() - node.posted);
      if (loop_.after_update_) loop_.after_update_(node.number);
      node.time = node.Time();
      return Before(before, node.time) && Begin(task, round);
    } catch (...) {
      Fail(task, round, node);
      return false;
    }
  }

  bool IsEnough() override { return loop_.is_enough_ && loop_.is_enough_(); }

  bool HasMoved() const { return moved_; }
  /// Throws what the first failed task threw, in the order of one thread.
  void Rethrow() const {
    if (error_ == nullptr) return;
    loop_.failed_ = failed_;
    std::rethrow_exception(error_);
  }

 private:
  bool IsBroken(std::size_t task) const {
    const auto any = [this](const std::vector<std::size_t>& things) {
      return std::ranges::any_of(
          things, [this](std::size_t thing) { return thing < is_broken_.size() && is_broken_[thing] != 0; });
    };
    const TaskOrder::Uses& uses = loop_.parallel_update_->UsesOf(task);
    return any(uses.reads) || any(uses.changes);
  }
  void Break(std::size_t task) {
    for (const std::size_t thing : loop_.parallel_update_->UsesOf(task).changes) {
      if (thing < is_broken_.size()) is_broken_[thing] = 1;
    }
  }
  void Fail(std::size_t task, std::size_t round, const Node& node) {
    Break(task);
    const std::lock_guard lock(mutex_);
    if (error_ != nullptr && std::tuple(round_, task_) < std::tuple(round, task)) return;
    error_ = std::current_exception();
    failed_ = node.failed;
    round_ = round;
    task_ = task;
  }

  RunLoop& loop_;
  std::vector<unsigned char> is_broken_;  // by instance: failed, or not done because one it depends on failed
  std::atomic<bool> moved_ = false;
  std::mutex mutex_;  // guards the members below
  std::exception_ptr error_;
  std::size_t failed_ = 0;
  std::size_t round_ = 0;
  std::size_t task_ = 0;
};

void RunLoop::MakeTasks() {
  parallel_update_.reset();
  task_positions_.clear();
  can_foresee_ = false;
  std::vector<const IsolatedProcess*> processes;
  for (Node& node : nodes_) {
    node.is_order_kept = false;
    if (node.apart != nullptr) processes.push_back(&node.apart->Process());
  }
  std::ranges::sort(processes);
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  if (threads_ <= 1 && processes.size() < 2) return;

  // The members of a loop that is not iterated are updated by the component that asks one of them.
  const LinkGraph& graph = composition_.Graph();
  std::vector<const std::vector<std::size_t>*> loop_of(graph.Count(), nullptr);
  const std::vector<std::vector<std::size_t>> loops = graph.Loops();
  for (const auto& loop : loops) {
    const bool is_iterated = std::ranges::all_of(loop, [this](std::size_t member) {
      return position_[member] < nodes_.size() && nodes_[position_[member]].group != nullptr;
    });
    for (const std::size_t member : loop) loop_of[member] = is_iterated ? nullptr : &loop;
  }
  std::vector<bool> asks_directly(graph.Count(), false);
  for (const Link& link : composition_.Links()) {
    if (link.IsMade() && link.End() == nullptr) asks_directly[link.ToInstance()] = true;
  }

  can_foresee_ = mode_ == RunMode::Pull && threads_ > 1 && processes.empty() && !composition_.IsAnyFreezing();
  std::vector<ParallelUpdate::Task> tasks;
  std::vector<bool> is_taken(nodes_.size(), false);
  for (std::size_t position = 0; position < nodes_.size(); ++position) {
    const Node& node = nodes_[position];
    if (node.steps == nullptr || node.instance->IsOut() || loop_of[node.number] != nullptr ||
        dynamic_cast<const ILiveSource*>(&node.instance->Component()) != nullptr) {
      can_foresee_ = false;
    }
    const bool is_done = node.is_swept || node.group != nullptr || node.is_trigger || mode_ == RunMode::Step;
    if (is_taken[position] || !is_done || (mode_ == RunMode::Step && node.IsTimeless())) continue;
    std::vector<std::size_t>& positions = task_positions_.emplace_back();
    ParallelUpdate::Task task;
    for (std::size_t other = position; other < nodes_.size(); ++other) {
      if (other != position && (node.group == nullptr || nodes_[other].group != node.group)) continue;
      positions.push_back(other);
      task.updates.push_back(nodes_[other].number);
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

bool RunLoop::DependsOnWhoAsks(const std::vector<std::size_t>& loop) const {
  const auto is_asked = [&](std::size_t member) {
    const std::vector<std::size_t>& consumers = composition_.Graph().ConsumersOf(member);
    return (mode_ == RunMode::Pull && position_[member] < nodes_.size() && nodes_[position_[member]].is_trigger) ||
           std::ranges::any_of(consumers, [&](std::size_t one) { return std::ranges::find(loop, one) == loop.end(); });
  };
  return std::ranges::count_if(loop, is_asked) > 1;
}

void RunLoop::KeepOrderBelow(const std::vector<std::size_t>& loop, std::vector<ParallelUpdate::Task>& tasks) {
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
  for (Node& node : nodes_) node.is_order_kept = node.is_order_kept || is_below[node.number];
  for (ParallelUpdate::Task& task : tasks) {
    if (std::ranges::none_of(task.updates, [&](std::size_t one) { return is_below[one]; })) continue;
    task.updates.insert(task.updates.end(), loop.begin(), loop.end());
    task.apart = nullptr;
  }
}

void RunLoop::AddAsked(std::vector<std::size_t>& updates, const std::vector<const std::vector<std::size_t>*>& loop_of,
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
      if (composition_.Instances()[provider].IsOut()) add(provider);  // others ask for its last values
    }
  }
}

Stamp RunLoop::RequiredAt(std::size_t round, std::size_t position) const {
  return foreseen_.empty() ? nodes_[position].required : foreseen_[round * nodes_.size() + position];
}

bool RunLoop::IsInBatch(std::size_t position) const {
  return std::ranges::binary_search(batch_, position);
}

bool RunLoop::BringOrStep(Node& node, Stamp required, bool is_in_batch) {
  bool moved = false;
  if (is_in_batch && node.CanUpdate() && !Before(batch_time_, node.Time())) {
    Update(node);
    RequireProgress(node, batch_time_);
    moved = true;
    node.time = node.Time();
  }
  const bool is_pulled = (!node.is_swept && node.group == nullptr) || node.is_order_kept;
  if (mode_ == RunMode::Step && is_pulled) return moved;  // a pulled component goes further only when others ask
  node.required = required;
  return Bring(node) || moved;
}

std::size_t RunLoop::Foresee(std::size_t most) {
  foreseen_.clear();
  if (most <= 1 || !can_foresee_) return 1;
  is_foreseeing_ = true;
  for (Node& node : nodes_) {
    node.time = node.Time();
    node.next = node.Next();
  }
  std::size_t rounds = 0;
  while (rounds < most) {
    Stamp target = kFarFuture;
    for (const std::size_t trigger : triggers_) {
      const Node& node = nodes_[trigger];
      if (Before(node.time, node.next) && Before(node.time, end_) && node.CanUpdate())
        target = std::min(target, node.next);
    }
    if (target == kFarFuture) break;
    for (Node& node : nodes_) node.required = node.is_trigger ? target : kFarPast;
    RequireUpstream();
    for (const Node& node : nodes_) foreseen_.push_back(node.required);
    ++rounds;
    for (Node& node : nodes_) {
      if (!Before(node.time, node.required)) continue;
      const Days step = node.next - node.time;
      if (!Before(node.time, node.next) || node.next == kFarFuture) most = rounds;  // it does not report its next time
      node.time =
          node.time + step * std::max(1.0, std::ceil((node.required - node.time) / step - kTimeTolerance / step));
      if (Before(end_, node.time)) node.time = end_;
      node.next = node.time + step;
      if (Before(end_, node.next)) node.next = end_;
    }
  }
  is_foreseeing_ = false;
  for (Node& node : nodes_) node.time = node.Time();
  if (rounds <= 1) foreseen_.clear();
  return std::max<std::size_t>(rounds, 1);
}

bool RunLoop::BringSideBySide(std::size_t rounds) {
  Tasks tasks(*this);
  rounds_made_ = parallel_update_->Run(rounds, tasks);
  tasks.Rethrow();
  return tasks.HasMoved();
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
    if (Before(Stamp{time}, there)) {  // another component has pulled it further meanwhile
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
  std::ranges::sort(batch_);
  batch_time_ = now;
  for (Node& node : nodes_) {
    node.required = kFarPast;
    node.time = node.Time();
  }
  for (const std::size_t position : batch_) nodes_[position].required = nodes_[position].Next();
  RequireUpstream();
  BringSideBySide(1);
  for (const std::size_t position : batch_) queue_.emplace(nodes_[position].Time().mjd, position);
  batch_.clear();
  return true;
}

}  // namespace openmi
