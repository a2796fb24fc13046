#include "composition/loops/InitialValues.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "composition/link/Composition.hpp"
#include "composition/loops/Acceleration.hpp"
#include "composition/threads/CurrentComponent.hpp"
#include "composition/threads/FamilyThread.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/ItemList.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {
namespace {

/// Asks a link for one instant, beside its input.
class Asker final : public InputOf<ITimeSpaceInput> {
 public:
  Asker(const ITimeSpaceInput& like, Stamp time) : InputOf(like.Id(), nullptr, like.Component()), like_(like) {
    times_.SetSingle(time);
  }
  const ITimeSpaceValueSet* Values() const override { return nullptr; }
  void SetValues(const IBaseValueSet*) override {}
  const openmi::ITimeSet* TimeSet() const override { return &times_; }
  const ISpatialDefinition* SpatialDefinition() const override { return like_.SpatialDefinition(); }
  const IValueDefinition& ValueDefinition() const override { return like_.ValueDefinition(); }

 private:
  const ITimeSpaceInput& like_;
  openmi::TimeSet times_;
};

/// Prevents steps before the run starts: a row that does not exist is not computed.
class NoSteps final : public IHistoryProvider {
 public:
  explicit NoSteps(OutputProxy* source) : source_(source), before_(source != nullptr ? source->Stepper() : nullptr) {
    if (source_ != nullptr) source_->SetStepper(this);
  }
  ~NoSteps() override {
    if (source_ != nullptr) source_->SetStepper(before_);
  }
  NoSteps(const NoSteps&) = delete;
  NoSteps& operator=(const NoSteps&) = delete;
  const RowHistory* UseHistory() override { return nullptr; }
  Advance AdvanceTo(Stamp) override { return Advance::Ended; }

 private:
  OutputProxy* source_;
  IHistoryProvider* before_;
};

bool TakesValues(const IBaseLinkableComponent& component) {
  const auto* values = dynamic_cast<const IInitialValues*>(&component);
  return values != nullptr && values->InitialLimits().rounds > 0;
}

/// The answer of a link at `time`; no value if it has no answer there, or too few values.
std::optional<std::vector<Value>> Answer(const Link& link, Stamp time) {
  auto* source = link.Proxy();
  if (source != nullptr && source->PassesOn() && source->TimeSet() != nullptr &&
      Before(LastEndOf(*source->TimeSet()), time)) {
    return std::nullopt;  // its component would answer by stepping
  }
  const Asker question(*link.Target(), time);
  const NoSteps no_steps(source);
  try {
    const ITimeSpaceValueSet& found = link.End()->Source().GetValues(question);
    const std::size_t times = found.GetIndexCount({});
    if (times == 0) return std::nullopt;
    const ISpatialDefinition* where = link.Target()->SpatialDefinition();
    std::vector<Value> values = found.GetElementValuesForTime(static_cast<int>(times - 1));
    const std::size_t elements = where != nullptr ? static_cast<std::size_t>(where->ElementCount()) : 1;
    const Value missing = link.End()->Source().ValueDefinition().MissingDataValue();
    const auto is_missing = [&missing](const Value& value) { return value.IsEmpty() || value == missing; };
    if (values.size() != elements || std::ranges::any_of(values, is_missing)) return std::nullopt;
    return values;
  } catch (const Error&) {
    return std::nullopt;  // no values exist at the start; any other error is reported by the first step
  }
}

}  // namespace

/// A linked input of a member, and the values that it received last.
struct InitialValues::Feed {
  const Link* link = nullptr;
  std::vector<double> row;
  std::vector<double> first;  // the row that it received first
  std::vector<Value> values;
  double size = 0.0;  // the largest magnitude of the numbers so far
  bool is_set = false;
};

struct InitialValues::Member {
  std::size_t number = 0;
  Instance* instance = nullptr;
  IBaseLinkableComponent* component = nullptr;
  IInitialValues* values = nullptr;
  IInitialValues::Limits limits;
  Stamp start;
  std::vector<Feed> feeds;
  bool is_shown = false;

  /// Calls the component on its thread. Its status does not show that it failed; the error names it.
  template <class Work>
  void Do(Work&& work) {
    try {
      CallComponent(*instance->conduct, [&] { RunOn(instance->thread, work); });
    } catch (const Error& error) {
      if (!error.Place().component.empty()) throw;
      Where where = error.Place();
      where.component = instance->Id();
      throw ModelError(where, error.Problem(), error.Remedy());
    }
  }
};

bool InitialValues::TakesPart(const Instance& instance) {
  return instance.spec->initial_state.empty() && TakesValues(instance.Component());
}

InitialValues::Member InitialValues::Enter(std::size_t number, IBaseLinkableComponent& component) {
  if (links_to_.empty()) {
    links_to_.resize(composition_.Instances().size());
    for (Link* link : composition_.EveryLink()) {
      if (link->End() != nullptr) links_to_[link->ToInstance()].push_back(link);
    }
  }
  Instance& instance = composition_.Instances()[number];
  Member member;
  member.number = number;
  member.instance = &instance;
  member.component = &component;
  const auto* steps = dynamic_cast<const ISteps*>(&component);
  member.start = steps != nullptr ? steps->CurrentTime() : kFarPast;
  member.values = dynamic_cast<IInitialValues*>(&component);
  member.limits = member.values->InitialLimits();
  for (const Link* link : links_to_[number]) member.feeds.emplace_back().link = link;
  member.Do([&] { member.values->EnterInitialization(); });
  return member;
}

bool InitialValues::TakeNumbers(Member& member, Feed& feed, std::vector<double> row, std::vector<std::string>& moving) {
  std::optional<std::size_t> most;  // the element that changes most
  double change = 0.0;
  const bool is_same = feed.is_set && std::memcmp(feed.row.data(), row.data(), row.size() * sizeof(double)) == 0;
  for (std::size_t i = 0; i < row.size() && feed.is_set && !is_same; ++i) {
    feed.size = std::max({feed.size, std::abs(feed.row[i]), std::abs(row[i])});
    if (const double own = std::abs(row[i] - feed.row[i]); !(own <= change)) {
      change = own;
      most = i;
    }
  }
  // Compared with the values for which the outputs were computed last.
  if (feed.is_set && !(change > member.limits.tolerance * feed.size)) return false;
  moving.push_back(feed.is_set ? fmt::format("{} (from {} to {})", feed.link->Spec().to.Text(), feed.row[most.value()],
                                             row[most.value()])
                               : feed.link->Spec().to.Text());
  member.Do([&] { member.values->SetInitialNumbers(feed.link->Spec().to.item, row); });
  if (!feed.is_set) feed.first = row;
  feed.row = std::move(row);
  feed.is_set = true;
  return true;
}

bool InitialValues::TakeValues(Member& member, Feed& feed, std::vector<Value> values,
                               std::vector<std::string>& moving) {
  if (feed.is_set && feed.values == values) return false;
  moving.push_back(feed.link->Spec().to.Text());
  member.Do([&] { member.values->SetInitialValues(feed.link->Spec().to.item, values); });
  feed.values = std::move(values);
  feed.is_set = true;
  return true;
}

bool InitialValues::Take(Member& member, const std::vector<Member>& all, std::vector<std::string>& moving) {
  bool is_moved = false;
  for (Feed& feed : member.feeds) {
    const auto source = std::ranges::find(all, feed.link->FromInstance(), &Member::number);
    if (source != all.end() && !source->is_shown) continue;
    auto values = Answer(*feed.link, member.start);
    if (!values) continue;
    if (!HoldsNumbers(feed.link->Target()->ValueDefinition())) {
      is_moved |= TakeValues(member, feed, *std::move(values), moving);
      continue;
    }
    std::vector<double> row;
    for (const Value& value : *values) row.push_back(value.Number().value_or(std::nan("")));
    if (std::ranges::any_of(row, [](double number) { return std::isnan(number); })) continue;
    is_moved |= TakeNumbers(member, feed, std::move(row), moving);
  }
  return is_moved;
}

void InitialValues::GiveTo(std::size_t number, IBaseLinkableComponent& component) {
  if (!TakesValues(component)) return;
  Member member = Enter(number, component);
  std::vector<std::string> moving;
  Take(member, {}, moving);
}

void InitialValues::Show(Member& member) {
  member.Do([&] { member.values->ShowInitialOutputs(); });
  member.is_shown = true;
  for (IBaseOutput* output : member.component->Outputs()) detail::InitializeAdaptedOutputs(*output);
}

bool InitialValues::Solve(std::vector<Member>& all, int rounds) {
  struct Cut {
    Member* member;
    Feed* feed;
  };
  std::vector<Cut> cuts;  // inputs of the loop that receive numbers from the loop itself
  std::vector<double> iterate, answers, weights, sizes;
  for (Member& member : all) {
    for (Feed& feed : member.feeds) {
      if (feed.first.empty() || std::ranges::find(all, feed.link->FromInstance(), &Member::number) == all.end())
        continue;
      cuts.push_back({&member, &feed});
      iterate.insert(iterate.end(), feed.first.begin(), feed.first.end());
    }
  }
  if (cuts.empty()) return false;
  for (const double value : iterate) weights.push_back(1.0 / std::max(std::abs(value), 1.0));
  const auto acceleration = MakeAcceleration({.method = LoopMethod::QuasiNewton});
  acceleration->BeginStep(weights);
  for (int round = 0; round < rounds; ++round) {
    std::span<const double> left(iterate);
    for (const auto& [member, feed] : cuts) {
      feed->row.assign(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(feed->first.size()));
      left = left.subspan(feed->first.size());
      member->Do([&member = *member, &feed = *feed] {
        member.values->SetInitialNumbers(feed.link->Spec().to.item, feed.row);
      });
    }
    for (Member& member : all) Show(member);
    answers.clear();
    bool agrees = true;
    for (const auto& [member, feed] : cuts) {
      const auto values = Answer(*feed->link, member->start);
      if (!values || values->size() != feed->row.size()) return false;
      for (std::size_t i = 0; i < values->size(); ++i) {
        const double answer = (*values)[i].Number().value_or(std::nan(""));
        if (!std::isfinite(answer)) return false;
        const double size = std::max(std::abs(answer), std::abs(feed->row[i]));
        agrees = agrees && std::abs(answer - feed->row[i]) <= member->limits.tolerance * size;
        answers.push_back(answer);
      }
    }
    if (agrees) return true;
    acceleration->Next(iterate, answers, iterate);
  }
  return false;
}

void InitialValues::Find(const std::vector<std::size_t>& members) {
  if (members.empty()) return;
  std::vector<Member> all;
  for (const std::size_t number : members) all.push_back(Enter(number, composition_.Instances()[number].Component()));
  std::vector<std::string> moving;
  const bool is_circle = std::ranges::any_of(all, [&](const Member& member) {
    return std::ranges::any_of(member.feeds, [&](const Feed& feed) {
      return std::ranges::find(members, feed.link->FromInstance()) != members.end();
    });
  });
  if (!is_circle) {
    for (Member& member : all) Take(member, all, moving);
    return;
  }
  int most = 0;
  for (const Member& member : all) most = std::max(most, member.limits.rounds);
  std::vector<std::string> moved;  // in the round before
  // Passing values from one member to the next settles most loops; a loop that does not settle is solved from its
  // first values.
  constexpr int kPlainRounds = 20;
  const int plain = std::min(most, kPlainRounds);
  for (int round = 1;; ++round) {
    bool is_settled = true;
    for (Member& member : all) {
      const bool is_moved = Take(member, all, moving);
      if (!is_moved && member.is_shown) continue;
      is_settled = false;
      if (round > plain) continue;
      Show(member);
    }
    if (is_settled) return;
    if (round > plain) break;
    moved = std::exchange(moving, {});
  }
  if (Solve(all, most - plain)) return;
  throw ModelError({.file = composition_.File().path.string(),
                    .line = all.front().instance->spec->line,
                    .component = all.front().instance->Id()},
                   fmt::format("expected the initial values in the loop {} to settle within {} rounds of "
                               "initialization, found that these still change: {}",
                               composition_.LoopText(members), most, fmt::join(moved, ", ")),
                   "raise initial-rounds or initial-tolerance of these components, or set initial-rounds=0 for one of "
                   "them, which then starts with its start values");
}

}  // namespace openmi
