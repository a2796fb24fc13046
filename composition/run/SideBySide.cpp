#include "composition/run/SideBySide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/run/CallLine.hpp"
#include "composition/run/LoopGroup.hpp"
#include "composition/run/TimeKeeper.hpp"
#include "openmi/sdk/IThreadSafety.hpp"

namespace openmi {

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
    CallLine& line = CallLine::Current();
    if (line.manner != CallLine::Manner::Shared) return Inside(time);
    const RowHistory& history = *output_.UseHistory();
    if (history.IsTimeless() || !Before(history.LatestEnd(), time)) return Advance::Reached;
    if (group_ != nullptr && group_->IsIterating()) return Inside(time);  // one member asks another: their own affair
    owner_.sharing_.BecomeAlone();
    line.manner = CallLine::Manner::Alone;
    struct Back {
      SharedOrAlone& sharing;
      CallLine& line;
      ~Back() {
        line.manner = CallLine::Manner::Shared;
        sharing.ShareAgain();
      }
    } back{owner_.sharing_, line};
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
    locks_of_.push_back(NumberOf(LocksOf(i)));
  }
}

SideBySide::~SideBySide() = default;

std::mutex* SideBySide::LockOf(std::size_t number) {
  const Instance& instance = composition_.Instances()[number];
  if (const auto* apart = dynamic_cast<const IsolatedComponent*>(&instance.Component())) {
    return &families_[fmt::format("process {}", apart->Process().Id())];
  }
  const auto* safety = dynamic_cast<const IThreadSafety*>(&instance.Component());
  if (safety != nullptr && safety->IsThreadSafe()) return nullptr;
  return &families_[FamilyKeyOf(instance.loaded)];
}

SideBySide::Locks SideBySide::LocksOf(std::size_t number) {
  Locks locks;
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
  return locks;
}

std::size_t SideBySide::NumberOf(Locks locks) {
  std::ranges::sort(locks);
  locks.erase(std::unique(locks.begin(), locks.end()), locks.end());
  const auto found = std::ranges::find(lock_sets_, locks);
  if (found != lock_sets_.end()) return static_cast<std::size_t>(found - lock_sets_.begin());
  lock_sets_.push_back(std::move(locks));
  return lock_sets_.size() - 1;
}

std::size_t SideBySide::LocksOfPiece(std::span<const std::size_t> members) {
  if (members.size() == 1) return locks_of_[members.front()];
  const auto [place, is_new] = of_loops_.try_emplace(members.front(), 0);
  if (is_new) {
    Locks all;
    for (const std::size_t member : members) {
      const Locks& own = lock_sets_[locks_of_[member]];
      all.insert(all.end(), own.begin(), own.end());
    }
    place->second = NumberOf(std::move(all));
  }
  return place->second;
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

template <class Call>
void SideBySide::ForEachOutput(Members members, const Call& call) {
  for (const auto& piece : members) {
    for (const std::size_t member : piece) {
      for (auto& [id, stand_in] : composition_.Instances()[member].stand_ins) call(*stand_in);
    }
  }
}

void SideBySide::BeginQuiet(Members members) {
  CallLine::Current().team = this;
  ForEachOutput(members, [](StandIn& output) { output.SetQuiet(true); });
}

void SideBySide::EndQuiet(Members members) {
  ForEachOutput(members, [](StandIn& output) { output.SetQuiet(false); });
  CallLine::Current().team = nullptr;
}

void SideBySide::MakeChunks(Members members) {
  set_of_piece_.clear();
  for (const auto& piece : members) set_of_piece_.push_back(LocksOfPiece(piece));
  next_of_set_.assign(lock_sets_.size() + 1, 0);
  for (const std::size_t set : set_of_piece_) ++next_of_set_[set + 1];
  for (std::size_t set = 1; set < next_of_set_.size(); ++set) next_of_set_[set] += next_of_set_[set - 1];
  chunks_.clear();
  for (std::size_t set = 0; set < lock_sets_.size(); ++set) {
    const std::size_t begin = next_of_set_[set];
    const std::size_t end = next_of_set_[set + 1];
    // Those that need no locks are shared out: several for each thread, since they do not all take as long.
    constexpr std::size_t kChunksAThread = 8;
    const std::size_t chunks = kChunksAThread * pool_.Threads();
    const std::size_t most = set == 0 ? (end - begin + chunks - 1) / chunks : end - begin;
    for (std::size_t first = begin; first < end; first += most)
      chunks_.push_back({first, std::min(first + most, end), set});
  }
  order_.resize(members.size());
  for (std::size_t piece = 0; piece < members.size(); ++piece) order_[next_of_set_[set_of_piece_[piece]]++] = piece;
}

void SideBySide::Do(std::size_t piece, const std::function<void(std::size_t)>& work) {
  try {
    work(piece);
  } catch (...) {
    errors_[piece] = std::current_exception();
  }
}

void SideBySide::Work(const Chunk& chunk, std::size_t worker, const std::function<void(std::size_t)>& work) {
  const Locks& locks = lock_sets_[chunk.locks];
  for (std::mutex* lock : locks) lock->lock();  // all in one order
  sharing_.EnterShared();
  CallLine& line = CallLine::Current();
  const void* team = std::exchange(line.team, this);
  line.manner = CallLine::Manner::Shared;
  TimeKeeper::EnterLane(worker);
  for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
    if (i > chunk.begin && sharing_.IsAskedFor()) {
      sharing_.LeaveShared();
      sharing_.EnterShared();
    }
    Do(order_[i], work);
  }
  TimeKeeper::EnterLane(0);
  line.manner = CallLine::Manner::Plain;
  line.team = team;
  sharing_.LeaveShared();
  for (std::mutex* lock : locks) lock->unlock();
}

std::span<const std::exception_ptr> SideBySide::Run(Members members, const std::function<void(std::size_t)>& work) {
  errors_.assign(members.size(), nullptr);
  if (members.empty()) return errors_;
  if (pool_.Threads() == 1) {
    for (std::size_t piece = 0; piece < members.size(); ++piece) Do(piece, work);
    return errors_;
  }
  MakeChunks(members);
  pool_.Run(chunks_.size(), [&](std::size_t chunk, std::size_t worker) { Work(chunks_[chunk], worker, work); });
  return errors_;
}

}  // namespace openmi
