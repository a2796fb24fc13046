#include "composition/loops/LoopGroup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IStateAbility.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

constexpr std::size_t kMostUpdates = 100'000;  // of one member in one step
constexpr int kMostHalvings = 12;

std::string MethodText(const IterateSpec& spec) {
  constexpr std::array kMethods{"fixed point", "relaxation", "Aitken", "Anderson", "quasi-Newton"};
  return fmt::format("{}, {}", kMethods.at(static_cast<std::size_t>(spec.method)),
                     spec.order == LoopOrder::Jacobi ? "Jacobi" : "Gauss-Seidel");
}

}  // namespace

/// Intercepts the questions to an output of a member: a question from outside steps all members; a question from inside
/// is answered with the present values.
class LoopGroup::Gate final : public IHistoryProvider {
 public:
  Gate(LoopGroup& group, OutputProxy& output) : group_(group), output_(output) { output_.SetStepper(this); }
  ~Gate() override { output_.SetStepper(nullptr); }
  const RowHistory* UseHistory() override { return output_.UseHistory(); }
  Advance AdvanceTo(Stamp time) override {
    if (!output_.IsAttached() || group_.IsBroken()) return output_.AdvanceComponent(time);  // or the last values
    const RowHistory& history = *output_.UseHistory();
    const auto is_there = [&] {
      return output_.IsNumeric() ? history.IsTimeless() || !Before(history.LatestEnd(), time)
                                 : !Before(group_.CurrentTime(), time);
    };
    if (is_there()) return Advance::Reached;
    if (group_.iterating_) return Advance::Busy;
    while (!is_there()) {
      if (!group_.Step()) return Advance::Ended;
      if (group_.IsBroken()) return output_.AdvanceComponent(time);
    }
    return Advance::Reached;
  }

 private:
  LoopGroup& group_;
  OutputProxy& output_;
};

bool LoopGroup::Member::CanUpdate() const {
  const LinkableComponentStatus status = instance->Component().Status();
  return status == LinkableComponentStatus::Updated || status == LinkableComponentStatus::WaitingForData;
}

LoopGroup::LoopGroup(Composition& composition, const IterateSpec& spec)
    : composition_(composition), spec_(spec), iterate_(spec) {
  for (const std::string& id : spec.components) numbers_.push_back(composition.IndexOf(id).value());
  for (const std::size_t number : numbers_) {
    Member member;
    member.instance = &composition.Instances()[number];
    for (auto& [id, proxy] : member.instance->proxies) {
      member.outputs.push_back(proxy.get());
      gates_.push_back(std::make_unique<Gate>(*this, *proxy));
    }
    members_.push_back(std::move(member));
  }
  AddLinks(spec);
  std::vector<std::size_t> sorted = numbers_;
  std::ranges::sort(sorted);
  figures_.cycle = composition.LoopText(sorted);
  figures_.method = MethodText(spec);
}

LoopGroup::~LoopGroup() = default;

void LoopGroup::AddLinks(const IterateSpec& spec) {
  const auto place_of = [this](std::size_t number) {
    return static_cast<std::size_t>(std::ranges::find(numbers_, number) - numbers_.begin());
  };
  for (Link& link : composition_.Links()) {
    const std::size_t to = place_of(link.ToInstance());
    if (to == numbers_.size() || link.End() == nullptr) continue;
    const std::size_t from = place_of(link.FromInstance());
    const auto* output = link.Proxy();
    if (output == nullptr || !output->IsNumeric()) continue;  // not numbers: asked directly
    const LoopLink::Kind kind = from == numbers_.size()                         ? LoopLink::Kind::Outside
                                : from >= to || spec.order == LoopOrder::Jacobi ? LoopLink::Kind::Cut
                                                                                : LoopLink::Kind::Inside;
    links_.push_back(std::make_unique<LoopLink>(link, kind, spec.guess, ToleranceOf(link)));
    if (kind == LoopLink::Kind::Cut) iterate_.AddLink(*links_.back());
  }
}

LoopTolerance LoopGroup::ToleranceOf(const Link& link) const {
  LoopTolerance tolerance{.absolute = spec_.absolute_tolerance, .relative = spec_.relative_tolerance};
  for (const ToleranceSpec& own : spec_.tolerances) {
    if (own.item.Text() != link.Spec().to.Text()) continue;
    tolerance.absolute = own.absolute.value_or(tolerance.absolute);
    tolerance.relative = own.relative.value_or(tolerance.relative);
  }
  return tolerance;
}

Stamp LoopGroup::CurrentTime() const {
  Stamp time = kFarFuture;
  for (const Member& member : members_) {
    if (!member.instance->IsFrozen()) time = std::min(time, member.Now());
  }
  return time;
}

Stamp LoopGroup::PlannedEnd() const {
  Stamp end = kFarPast;
  for (const Member& member : members_) {
    if (member.CanUpdate()) end = std::max(end, member.instance->NextTime());
  }
  return end;
}

void LoopGroup::ComputeMember(Member& member, Stamp& end) {
  Stamp now = member.Now();
  // A member that does not report its next time makes one step.
  bool goes = Before(now, end) || (member.instance->steps == nullptr && now == member.begin);
  for (std::size_t updates = 0; goes && member.CanUpdate(); ++updates) {
    if (updates == kMostUpdates) {
      throw ModelError({.component = member.instance->Id()},
                       fmt::format("expected steps of the loop {} with a common end, found none from {} to {}",
                                   figures_.cycle, FormatIsoTime(member.begin), FormatIsoTime(end)),
                       "give its components steps that are multiples of each other");
    }
    if (member.limit != nullptr && member.limit->CanShortenSteps() && goal_ != kFarPast &&
        Before(end, member.instance->NextTime())) {
      member.limit->ShortenNextStep(end);
    }
    CallComponent(*member.instance->conduct, [&member] { member.instance->Runner().Update({}); });
    const Stamp before = now;
    now = member.Now();
    if (!Before(before, now)) break;
    goes = Before(now, end);
  }
  end = std::max(end, now);
}

void LoopGroup::ComputeTo(Stamp& end) {
  for (auto& link : links_) link->BeginIteration();
  Stamp reached = kFarPast;
  while (Before(reached, end)) {  // repeated while the step of a member goes further than those of the others
    reached = end;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      failed_ = static_cast<std::ptrdiff_t>(numbers_[i]);
      ComputeMember(members_[i], end);
    }
  }
  for (auto& link : links_) link->EndIteration();
  failed_ = -1;
}

bool LoopGroup::HaveConverged() const {
  return std::ranges::all_of(
      members_, [](const Member& member) { return member.solver == nullptr || member.solver->HasConverged(); });
}

void LoopGroup::KeepStates() {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    failed_ = static_cast<std::ptrdiff_t>(numbers_[i]);
    Member& member = members_[i];
    member.begin = member.Now();
    if (!member.CanUpdate()) continue;
    // Another component may have replaced it since the last step.
    member.states = ManagedStates(member.instance->Component());
    member.limit = dynamic_cast<IStepLimit*>(&member.instance->Component());
    member.solver = dynamic_cast<IConverges*>(&member.instance->Component());
    if (member.states == nullptr) {
      throw StateError({.component = member.instance->Id()},
                       fmt::format("expected every component of the loop {} to keep states (IManageState), found that "
                                   "'{}' does not",
                                   figures_.cycle, member.instance->Id()),
                       "let it keep states, or remove Iterate");
    }
    member.kept = &member.states->KeepCurrentState();
  }
  failed_ = -1;
}

void LoopGroup::RestoreStates() {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    failed_ = static_cast<std::ptrdiff_t>(numbers_[i]);
    Member& member = members_[i];
    if (member.kept == nullptr) continue;
    member.states->RestoreState(*member.kept);
    for (OutputProxy* output : member.outputs) output->Rewind(member.begin);
  }
  failed_ = -1;
}

void LoopGroup::ClearStates() {
  for (Member& member : members_) {
    if (member.kept != nullptr) member.states->ClearState(*member.kept);
    member.kept = nullptr;
  }
}

bool LoopGroup::Iterate(Stamp& end) {
  const Stamp begin = CurrentTime();
  for (auto& link : links_) link->BeginStep(begin);
  iterate_.BeginStep();
  for (int iteration = 1;; ++iteration) {
    const Stamp planned = end;
    ComputeTo(end);
    const bool meet = !Before(planned, end);  // else members asked for times that others had not reached
    ++figures_.iterations;
    figures_.most = std::max(figures_.most, static_cast<std::uint64_t>(iteration));
    const bool is_same = iterate_.Agrees();
    const bool agrees = is_same && meet && HaveConverged();
    if (agrees || iteration == spec_.max_iterations) {
      iterate_.EndStep();
      return agrees;
    }
    if (meet && !is_same) iterate_.MakeNext();
    RestoreStates();
  }
}

bool LoopGroup::IsBroken() const {
  return std::ranges::any_of(members_, [](const Member& member) { return member.instance->IsOut(); });
}

void LoopGroup::SetQuiet(bool quiet) {
  for (Member& member : members_) {
    for (OutputProxy* output : member.outputs) output->SetQuiet(quiet);
  }
}

void LoopGroup::TakeBack() noexcept {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    Member& member = members_[i];
    if (member.kept == nullptr) continue;
    bool is_back = false;
    try {
      // The member that failed is not called again: it stays Failed.
      if (static_cast<std::ptrdiff_t>(numbers_[i]) != failed_) {
        member.states->RestoreState(*member.kept);
        is_back = true;
      }
      member.states->ClearState(*member.kept);
    } catch (...) {  // NOLINT(bugprone-empty-catch): its process may have ended
    }
    member.kept = nullptr;
    for (OutputProxy* output : member.outputs) is_back ? output->Rewind(member.begin) : output->TakeBack(member.begin);
  }
  iterate_.Forget();
  goal_ = kFarPast;
}

bool LoopGroup::Step() {
  if (IsBroken()) return false;
  const bool moves = std::ranges::any_of(members_, [](const Member& member) { return member.CanUpdate(); });
  if (iterating_ || !moves) return false;
  iterating_ = true;
  struct Over {
    bool& flag;
    ~Over() { flag = false; }
  } over{iterating_};
  SetQuiet(true);
  try {
    Compute();
  } catch (const std::exception& error) {
    TakeBack();
    SetQuiet(false);
    Instance* failed = failed_ >= 0 ? &composition_.Instances()[static_cast<std::size_t>(failed_)] : nullptr;
    if (failed == nullptr || failed->host == nullptr || !failed->host->Freezes()) throw;
    failed->host->Hold(error.what());
    iterate_.Clear();  // the members ask each other from now on
    links_.clear();
    return true;
  } catch (...) {
    TakeBack();
    SetQuiet(false);
    throw;
  }
  SetQuiet(false);
  return true;
}

void LoopGroup::Compute() {
  const Stamp begin = CurrentTime();
  KeepStates();
  if (!Before(begin, goal_)) goal_ = kFarPast;
  Stamp end = goal_ != kFarPast ? goal_ : PlannedEnd();
  int halvings = 0;
  while (!Iterate(end)) {
    if (spec_.on_failure == LoopFailure::Fail) Fail(end);
    if (spec_.on_failure == LoopFailure::Warn) {
      ++figures_.unconverged;
      break;
    }
    if (++halvings > kMostHalvings) Fail(end);
    if (goal_ == kFarPast) goal_ = end;
    ++figures_.shortened;
    iterate_.Forget();
    RestoreStates();
    end = begin + (end - begin) * 0.5;
  }
  Take();
}

void LoopGroup::Take() {
  ClearStates();
  ++figures_.steps;
  if (iterate_.HasMissing()) ++figures_.missing;
  for (auto& link : links_) link->EndStep();
}

void LoopGroup::SaveState(StateWriter& writer) const {
  writer.Write(goal_.mjd);
  iterate_.SaveState(writer);
  for (const auto& link : links_) link->SaveState(writer);
  for (const std::uint64_t figure : {figures_.steps, figures_.iterations, figures_.most, figures_.unconverged,
                                     figures_.shortened, figures_.missing}) {
    writer.Write(static_cast<std::int64_t>(figure));
  }
}

void LoopGroup::LoadState(StateReader& reader) {
  goal_ = Stamp{reader.ReadDouble()};
  iterate_.LoadState(reader);
  for (const auto& link : links_) link->LoadState(reader);
  for (std::uint64_t* figure : {&figures_.steps, &figures_.iterations, &figures_.most, &figures_.unconverged,
                                &figures_.shortened, &figures_.missing}) {
    *figure = static_cast<std::uint64_t>(reader.ReadInteger());
  }
}

void LoopGroup::Fail(Stamp end) const {
  const std::string shorter = spec_.on_failure == LoopFailure::Shorten
                                  ? fmt::format(", the step having been halved {} times", kMostHalvings)
                                  : "";
  const auto behind = std::ranges::find_if(
      members_, [](const Member& member) { return member.solver != nullptr && !member.solver->HasConverged(); });
  const std::string found =
      behind != members_.end()
          ? fmt::format("that the solver of '{}' has not", behind->instance->Id())
          : fmt::format("a residual of {:.3g} at '{}' where {:.3g} is asked for", iterate_.WorstResidual().largest,
                        iterate_.Worst() != nullptr ? iterate_.Worst()->Of().Spec().to.Text() : "",
                        iterate_.WorstResidual().limit);
  throw ModelError({.file = composition_.File().path.string(), .line = spec_.line},
                   fmt::format("expected the loop {} to converge within {} iterations at {}{}, found {}",
                               figures_.cycle, spec_.max_iterations, FormatIsoTime(end), shorter, found),
                   behind != members_.end()
                       ? "look at what goes into it, and at its settings; or give more iterations"
                       : "take Method=\"quasi-newton\", more iterations, a shorter step or a wider tolerance");
}

}  // namespace openmi
