#include "composition/run/SideBySide.hpp"

#include <algorithm>
#include <exception>

#include "composition/run/LoopGroup.hpp"
#include "composition/run/TimeKeeper.hpp"
#include "openmi/sdk/IThreadSafety.hpp"

namespace openmi {
namespace {

/// What this thread is doing: a piece of work among others, or alone.
enum class Manner { Plain, Shared, Alone };
thread_local Manner manner = Manner::Plain;

}  // namespace

/// Stands between an output and whoever asks: a row that is there is read side by side, any other question waits until
/// nobody else is at work.
class SideBySide::Gate final : public IHistoryProvider {
 public:
  Gate(SideBySide& owner, StandIn& output, const LoopGroup* group)
      : owner_(owner), output_(output), group_(group), inner_(output.Stepper()) {
    output_.SetStepper(this);
  }
  ~Gate() override { output_.SetStepper(inner_); }
  const RowHistory* UseHistory() override { return output_.UseHistory(); }
  Advance AdvanceTo(Stamp time) override {
    if (manner != Manner::Shared) return Inside(time);
    const RowHistory& history = *output_.UseHistory();
    if (history.IsTimeless() || !Before(history.LatestEnd(), time)) return Advance::Reached;
    if (group_ != nullptr && group_->IsIterating()) return Inside(time);  // one member asks another: their own affair
    owner_.alone_.unlock_shared();
    owner_.alone_.lock();
    manner = Manner::Alone;
    struct Back {
      std::shared_mutex& alone;
      ~Back() {
        manner = Manner::Shared;
        alone.unlock();
        alone.lock_shared();
      }
    } back{owner_.alone_};
    return Inside(time);
  }

 private:
  Advance Inside(Stamp time) { return inner_ != nullptr ? inner_->AdvanceTo(time) : output_.AdvanceComponent(time); }
  SideBySide& owner_;
  StandIn& output_;
  const LoopGroup* group_;
  IHistoryProvider* inner_;
};

SideBySide::SideBySide(Composition& composition, std::span<const LoopGroup* const> group_of, std::size_t threads)
    : composition_(composition), pool_(threads) {
  for (std::size_t i = 0; i < composition_.Instances().size(); ++i) {
    for (auto& [id, stand_in] : composition_.Instances()[i].stand_ins) {
      gates_.push_back(std::make_unique<Gate>(*this, *stand_in, group_of[i]));
    }
    locks_.push_back(LocksOf(i));
  }
}

SideBySide::~SideBySide() = default;

std::mutex* SideBySide::LockOf(std::size_t number) {
  const Instance& instance = composition_.Instances()[number];
  const auto* safety = dynamic_cast<const IThreadSafety*>(&instance.Component());
  if (safety != nullptr && safety->IsThreadSafe()) return nullptr;
  return &families_[FamilyKeyOf(instance.loaded)];
}

std::vector<std::mutex*> SideBySide::LocksOf(std::size_t number) {
  std::vector<std::mutex*> locks;
  const auto add = [&](std::size_t instance) {
    if (std::mutex* lock = LockOf(instance)) locks.push_back(lock);
  };
  add(number);
  for (const Link& link : composition_.Links()) {
    if (link.ToInstance() != number || !link.IsMade()) continue;
    // What answers here may be code of the provider: its items, unless its rows are kept here, and its adaptors.
    const auto* output = dynamic_cast<const StandIn*>(link.Source());
    Instance& provider = composition_.Instances()[link.FromInstance()];
    const bool is_ours = output != nullptr && output->HoldsRows() &&
                         (link.Spec().adaptors.empty() || provider.Component().AdaptedOutputFactories().empty());
    if (!is_ours) add(link.FromInstance());
  }
  std::ranges::sort(locks);
  locks.erase(std::unique(locks.begin(), locks.end()), locks.end());
  return locks;
}

std::vector<bool> SideBySide::FitFor(const Composition& composition, std::span<const LoopGroup* const> group_of) {
  const LinkGraph& graph = composition.Graph();
  std::vector<bool> fits(graph.Count(), true);
  for (const auto& loop : graph.Loops()) {
    for (const std::size_t member : loop) fits[member] = group_of[member] != nullptr;
  }
  for (std::size_t i = 0; i < graph.Count(); ++i) {
    if (composition.Instances()[i].CurrentTime() == kFarPast) fits[i] = false;
  }
  for (const Link& link : composition.Links()) {
    const auto* output = dynamic_cast<const StandIn*>(link.Source());
    const bool has_rows = output != nullptr && output->IsNumeric() && output->TimeSet() != nullptr;
    if (!has_rows || link.End() == nullptr) fits[link.ToInstance()] = false;
  }
  // What stands below one that does not fit does not either; nor do the other members of its loop.
  const std::vector<std::size_t> order = graph.UpstreamFirst();
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::size_t i : order) {
      if (!fits[i]) continue;
      const auto& providers = graph.ProvidersOf(i);
      if (std::ranges::all_of(providers, [&](std::size_t provider) { return fits[provider]; })) continue;
      fits[i] = false;
      changed = true;
    }
  }
  return fits;
}

void SideBySide::Work(std::size_t piece, std::size_t worker, const std::function<void(std::size_t)>& work) {
  for (std::mutex* lock : piece_locks_[piece]) lock->lock();  // all in one order
  alone_.lock_shared();
  manner = Manner::Shared;
  TimeKeeper::EnterLane(worker);
  try {
    work(piece);
  } catch (...) {
    errors_[piece] = std::current_exception();
  }
  TimeKeeper::EnterLane(0);
  manner = Manner::Plain;
  alone_.unlock_shared();
  for (std::mutex* lock : piece_locks_[piece]) lock->unlock();
}

void SideBySide::Run(std::span<const std::span<const std::size_t>> members,
                     const std::function<void(std::size_t)>& work) {
  const auto for_each_output = [&](const auto& call) {
    for (const auto& piece : members) {
      for (const std::size_t member : piece) {
        for (auto& [id, stand_in] : composition_.Instances()[member].stand_ins) call(*stand_in);
      }
    }
  };
  for_each_output([](StandIn& output) { output.SetQuiet(true); });
  errors_.assign(members.size(), nullptr);
  if (piece_locks_.size() < members.size()) piece_locks_.resize(members.size());
  for (std::size_t piece = 0; piece < members.size(); ++piece) {
    std::vector<std::mutex*>& locks = piece_locks_[piece];
    locks.clear();
    for (const std::size_t member : members[piece]) {
      locks.insert(locks.end(), locks_[member].begin(), locks_[member].end());
    }
    if (members[piece].size() == 1) continue;
    std::ranges::sort(locks);
    locks.erase(std::unique(locks.begin(), locks.end()), locks.end());
  }
  pool_.Run(members.size(), [&](std::size_t piece, std::size_t worker) { Work(piece, worker, work); });
  for_each_output([](StandIn& output) { output.SetQuiet(false); });
  const auto error = std::ranges::find_if(errors_, [](const std::exception_ptr& one) { return one != nullptr; });
  if (error == errors_.end()) return;
  failed_ = static_cast<std::size_t>(error - errors_.begin());
  std::rethrow_exception(*error);
}

}  // namespace openmi
