#include "composition/run/ParallelUpdate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "composition/isolation/IsolatedProcess.hpp"
#include "composition/threads/CallLine.hpp"
#include "composition/threads/TimeKeeper.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {
namespace {

std::vector<bool> ApartOf(const std::vector<ParallelUpdate::Task>& tasks) {
  std::vector<bool> is_apart;
  for (const ParallelUpdate::Task& task : tasks) is_apart.push_back(task.apart != nullptr);
  return is_apart;
}

}  // namespace

/// Intercepts the questions to an output: rows that exist are read side by side. Any other question is a matter of the
/// task, or waits until no other task runs.
class ParallelUpdate::Gate final : public IHistoryProvider {
 public:
  Gate(ParallelUpdate& owner, OutputProxy& output, std::size_t instance)
      : owner_(owner), output_(output), instance_(instance), inner_(output.Stepper()) {
    output_.SetStepper(this);
  }
  ~Gate() override { output_.SetStepper(inner_); }
  const RowHistory* UseHistory() override { return output_.UseHistory(); }
  Advance AdvanceTo(Stamp time) override {
    CallLine& line = CallLine::Current();
    if (line.manner != CallLine::Manner::Shared) return Inside(time);
    if (IsThere(time)) return Advance::Reached;
    if (owner_.Owns(line.task, instance_)) return Inside(time);
    // Tasks that stand still in the middle of what would be asked next have to finish first.
    std::vector<bool> upstream;
    owner_.sharing_.BecomeAlone(line.task, [&](std::size_t other) {
      if (upstream.empty()) upstream = owner_.composition_.Graph().UpstreamOf({instance_});
      return std::ranges::any_of(owner_.tasks_[other].updates, [&](std::size_t one) { return upstream[one]; });
    });
    line.manner = CallLine::Manner::Alone;
    owner_.unforeseen_.push_back(line.task);
    owner_.has_unforeseen_ = true;
    struct Back {
      SharedOrAlone& sharing;
      CallLine& line;
      ~Back() {
        line.manner = CallLine::Manner::Shared;
        sharing.ShareAgain(line.task);
      }
    } back{owner_.sharing_, line};
    return Inside(time);
  }

 private:
  bool IsThere(Stamp time) const {
    if (output_.PassesOn()) {
      const ITimeSet* times = output_.TimeSet();
      return times == nullptr || !Before(LastEndOf(*times), time);
    }
    const RowHistory& history = *output_.UseHistory();
    return history.IsTimeless() || !Before(history.LatestEnd(), time);
  }
  Advance Inside(Stamp time) { return inner_ != nullptr ? inner_->AdvanceTo(time) : output_.AdvanceComponent(time); }
  ParallelUpdate& owner_;
  OutputProxy& output_;
  std::size_t instance_;
  IHistoryProvider* inner_;
};

ParallelUpdate::ParallelUpdate(Composition& composition, std::vector<Task> tasks, std::size_t threads)
    : composition_(composition),
      tasks_(std::move(tasks)),
      links_to_(composition.Instances().size()),
      chunks_(ApartOf(tasks_), std::max<std::size_t>(1, threads)),
      pool_(threads) {
  for (const Link& link : composition_.Links()) {
    if (link.IsMade()) links_to_[link.ToInstance()].push_back(&link);
  }
  for (std::size_t i = 0; i < composition_.Instances().size(); ++i) {
    for (auto& [id, proxy] : composition_.Instances()[i].proxies) {
      gates_.push_back(std::make_unique<Gate>(*this, *proxy, i));
    }
  }
  std::vector<IsolatedProcess*> processes;
  for (const Task& task : tasks_) {
    if (task.apart != nullptr) task.apart->AddProcesses(processes);
  }
  std::ranges::sort(processes);
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  processes_ = processes.size();
  uses_.resize(tasks_.size());
  for (std::size_t task = 0; task < tasks_.size(); ++task) MakeUses(task);
  chunks_.Arrange(uses_, ThingCount());
}

ParallelUpdate::~ParallelUpdate() = default;

std::size_t ParallelUpdate::ThingOf(const std::string& name) {
  return things_.try_emplace(name, ThingCount()).first->second;
}

void ParallelUpdate::AddFamily(std::size_t number, std::vector<std::size_t>& things) {
  const Instance& instance = composition_.Instances()[number];
  if (const auto* apart = dynamic_cast<const IUpdatesApart*>(&instance.Component())) {
    std::vector<IsolatedProcess*> processes;
    apart->AddProcesses(processes);
    for (const IsolatedProcess* process : processes) {
      things.push_back(ThingOf(fmt::format("process {}", process->Id())));
    }
    return;
  }
  const auto* safety = dynamic_cast<const IThreadSafety*>(&instance.Component());
  if (safety == nullptr || !safety->IsThreadSafe()) things.push_back(ThingOf(FamilyKeyOf(instance.loaded)));
}

void ParallelUpdate::AddUpstream(std::vector<std::size_t>& instances) const {
  const std::vector<bool> upstream = composition_.Graph().UpstreamOf(instances);
  for (std::size_t i = 0; i < upstream.size(); ++i) {
    if (upstream[i]) instances.push_back(i);
  }
}

void ParallelUpdate::AddShared(std::size_t number, TaskOrder::Uses& uses) {
  AddFamily(number, uses.changes);
  for (const Link* link : links_to_[number]) {
    uses.reads.push_back(link->FromInstance());
    const auto* output = link->Proxy();
    if (output == nullptr || output->PassesOn()) {  // the component's own item answers, one question at a time
      uses.changes.push_back(ThingOf(fmt::format("values of {}", link->FromInstance())));
    }
    // The code that answers here may be the provider's: its items, unless its rows are kept here, and its adaptors.
    Instance& provider = composition_.Instances()[link->FromInstance()];
    const bool is_ours = output != nullptr && output->HoldsRows() &&
                         (link->Spec().adaptors.empty() || provider.Component().AdaptedOutputFactories().empty());
    if (!is_ours) AddFamily(link->FromInstance(), uses.changes);
  }
}

void ParallelUpdate::MakeUses(std::size_t task) {
  std::vector<std::size_t>& updates = tasks_[task].updates;
  SortOut(updates);
  TaskOrder::Uses& uses = uses_[task];
  uses = {};
  uses.changes = updates;
  for (const std::size_t instance : updates) AddShared(instance, uses);
  uses.Sort();
}

bool ParallelUpdate::Pays() {
  if (processes_ > 1 || (pool_.Threads() > 1 && chunks_.Count() > 1)) return true;
  return ++runs_ >= 4 * last_made_;
}

bool ParallelUpdate::Owns(std::size_t task, std::size_t instance) const {
  return std::ranges::binary_search(tasks_[task].updates, instance);
}

/// Gives tasks to the pool, some of them together.
class ParallelUpdate::Chunks final : public IPoolTasks {
 public:
  Chunks(ParallelUpdate& owner, IWork& work) : owner_(owner), work_(work), begun_(owner.begun_) { begun_.clear(); }

  bool Do(std::size_t number, std::size_t round, std::size_t worker) override {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    bool is_done = true;
    bool is_first = true;
    const Shared shared(owner_, worker);
    for (const std::size_t task : owner_.chunks_.TasksOf(number)) {
      if (!std::exchange(is_first, false)) shared.GiveWay();
      shared.Line().task = task;
      if (owner_.tasks_[task].apart == nullptr) {
        work_.Do(task, round);
      } else if (work_.Begin(task, round)) {
        begun_.push_back({number, round});
        is_done = false;
      }
    }
    owner_.chunks_.Note(number, std::chrono::duration<double>(Clock::now() - begin).count());
    return is_done;
  }

  bool IsForCaller(std::size_t chunk) const override {
    return owner_.tasks_[owner_.chunks_.TasksOf(chunk).front()].apart != nullptr;
  }

  std::optional<std::size_t> Await(bool is_other_at_work) override {
    constexpr std::chrono::milliseconds kSoon{1};
    const Shared shared(owner_, 0);  // nothing else exchanges messages with these processes meanwhile
    std::optional<std::size_t> place = 0;
    if (is_other_at_work || begun_.size() > 1) {
      thread_local std::vector<IsolatedProcess*> processes;  // used again, so that nothing is allocated
      thread_local std::vector<std::size_t> places;          // in begun_, of each of them
      processes.clear();
      places.clear();
      for (std::size_t i = 0; i < begun_.size(); ++i) {
        owner_.tasks_[owner_.chunks_.TasksOf(begun_[i].first).front()].apart->AddProcesses(processes);
        places.resize(processes.size(), i);
      }
      place = IsolatedProcess::WaitForAny(processes, is_other_at_work ? kSoon : std::chrono::milliseconds::max());
      if (place) place = places[*place];
    }
    if (!place) return std::nullopt;
    const auto at = static_cast<std::ptrdiff_t>(*place);
    const auto [chunk, round] = begun_[*place];
    const std::size_t task = owner_.chunks_.TasksOf(chunk).front();
    shared.Line().task = task;
    if (work_.End(task, round)) return std::nullopt;
    begun_.erase(begun_.begin() + at);
    return chunk;
  }

  /// After a question that was not foreseen, the next passes are made in another order.
  bool IsEnough() override { return owner_.has_unforeseen_ || work_.IsEnough(); }

 private:
  /// Marks, as long as it lives, that this thread's line runs beside others.
  class Shared {
   public:
    Shared(ParallelUpdate& owner, std::size_t worker)
        : owner_(owner), line_(CallLine::Current()), team_(std::exchange(line_.team, &owner)) {
      owner_.sharing_.EnterShared();
      line_.manner = CallLine::Manner::Shared;
      TimeKeeper::EnterLane(worker);
    }
    ~Shared() {
      TimeKeeper::EnterLane(0);
      line_.manner = CallLine::Manner::Plain;
      line_.team = team_;
      owner_.sharing_.LeaveShared();
    }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;
    CallLine& Line() const { return line_; }
    /// Lets a line that waits to be alone run.
    void GiveWay() const {
      if (!owner_.sharing_.IsAskedFor()) return;
      owner_.sharing_.LeaveShared();
      owner_.sharing_.EnterShared();
    }

   private:
    ParallelUpdate& owner_;
    CallLine& line_;
    const void* team_;
  };

  ParallelUpdate& owner_;
  IWork& work_;
  std::vector<std::pair<std::size_t, std::size_t>>& begun_;  // chunk, round
};

std::size_t ParallelUpdate::Run(std::size_t rounds, IWork& work) {
  if (!unforeseen_.empty()) {
    SortOut(unforeseen_);
    for (const std::size_t task : unforeseen_) {
      AddUpstream(tasks_[task].updates);
      MakeUses(task);
    }
    unforeseen_.clear();
    has_unforeseen_ = false;
    chunks_.Arrange(uses_, ThingCount());
  }
  Chunks chunks(*this, work);
  const std::size_t made = pool_.Run(chunks_.Order(), rounds, chunks);
  // Tasks are grouped again by their times now and then, and less often the longer the run takes.
  chunks_.CountRounds(made);
  runs_ += made;
  if (runs_ >= 4 * last_made_ && chunks_.IsMeasured()) {
    last_made_ = runs_;
    chunks_.Regroup(uses_, ThingCount());
  }
  return made;
}

}  // namespace openmi
