#include "bmi-bridge/solver/SolverComponent.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <typeinfo>
#include <utility>

#include "bmi-bridge/component/Variable.hpp"
#include "bmi-bridge/component/WorkingDirectory.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace openmi {
namespace {

constexpr double kTimeNoise = 2e-6;  // seconds: possible error of a stamp

/// The classes with global data of which a component is open. By name, because the type is unloaded with its library.
struct Turns {
  std::mutex mutex;
  std::set<std::string> taken;
};

Turns& AllTurns() {
  static Turns turns;
  return turns;
}

}  // namespace

SolverComponent::SolverComponent(std::string id, const std::string& time_step)
    : SteppingComponent(std::move(id), time_step) {
  SetRestartable(true);
  SetThreadSafe(false);
  working_directory_ = ArgumentItems().AddText(
      "working-directory", {.description = "the folder in which the solver works; without: that of the process",
                            .meaning = ArgumentMeaning::Path});
}

SolverComponent::~SolverComponent() {
  // Close belongs to the derived class, which is already destroyed: without Finish the solver stays open.
  GiveTurn();
}

void SolverComponent::Require(int code, const char* function, const std::string& text) const {
  if (code == 0) return;
  std::string missing;
  for (const IArgument* argument : Arguments()) {
    const std::string value = argument->ValueAsString();
    std::error_code error;
    if (value.empty() || MeaningOf(*argument) != ArgumentMeaning::Path) continue;
    if (!std::filesystem::exists(PathOf(value), error)) {
      missing += fmt::format("; the argument '{}' names '{}', which does not exist (yet)", argument->Id(), value);
    }
  }
  throw ModelError({.component = Caption()},
                   fmt::format("expected {} of the solver to succeed, found {}{}{}{}", function, code,
                               text.empty() ? "" : ": ", text, missing),
                   "look at what the solver prints and writes");
}

void SolverComponent::TakeTurn() {
  if (has_many_ || !turn_.empty()) return;
  const std::lock_guard lock(AllTurns().mutex);
  const std::string turn = typeid(*this).name();
  if (!AllTurns().taken.insert(turn).second) {
    throw StateError(
        {.component = Caption()},
        fmt::format("expected the only '{}' of this process, found another: the solver's data are global", Id()),
        "give each a process of its own: Isolation=\"instance\"");
  }
  turn_ = turn;
}

void SolverComponent::GiveTurn() {
  if (turn_.empty()) return;
  const std::lock_guard lock(AllTurns().mutex);
  AllTurns().taken.erase(std::exchange(turn_, {}));
}

void SolverComponent::Setup() {
  End();
  TakeTurn();
  inputs_.clear();
  outputs_.clear();
  folder_ = !TextOf(working_directory_).empty() ? std::filesystem::absolute(PathOf(working_directory_.Value())).string()
                                                : std::string();
  if (moves_about_ && folder_.empty()) folder_ = std::filesystem::current_path().string();
  const bmi::WorkingDirectory here(folder_, moves_about_);
  is_open_ = true;
  Open();
}

std::shared_ptr<const ISpatialDefinition> SolverComponent::Places(
    const std::string& id, const Memory& memory, std::shared_ptr<const ISpatialDefinition> where) const {
  if (where != nullptr) {
    if (static_cast<std::size_t>(where->ElementCount()) != memory.count) {
      throw RangeError({.component = Caption(), .item = id},
                       fmt::format("expected {} elements, as many as the solver has values, found {}", memory.count,
                                   where->ElementCount()),
                       "bind the array whose elements these are");
    }
    return where;
  }
  if (memory.count == 1) return nullptr;
  std::vector<std::string> ids;
  for (std::size_t i = 1; i <= memory.count; ++i) ids.push_back(std::to_string(i));
  return std::make_shared<ElementSet>(ElementSet::IdBased(id, ids));
}

NumericInput& SolverComponent::BindInput(std::string id, const std::string& unit, Memory memory,
                                         const InputOptions& options, std::shared_ptr<const ISpatialDefinition> where) {
  where = Places(id, memory, std::move(where));
  NumericInput& item = AddInput(std::move(id), unit, std::move(where), options).Item();
  inputs_.push_back({&item, memory});
  return item;
}

NumericOutput& SolverComponent::BindOutput(std::string id, const std::string& unit, Memory memory,
                                           const OutputOptions& options,
                                           std::shared_ptr<const ISpatialDefinition> where) {
  where = Places(id, memory, std::move(where));
  NumericOutput& item = AddOutput(std::move(id), unit, std::move(where), options).Item();
  outputs_.push_back({&item, memory});
  return item;
}

void SolverComponent::Start(Stamp) {
  const bmi::WorkingDirectory here(folder_, moves_about_);
  now_ = 0.0;
  Begin();
  length_ = NextStepLength();
  for (const auto& [item, memory] : outputs_) {
    if (item->Gives() == OutputTime::Instant) ReadNumbers(memory.kind, memory.data, item->NextRow());
  }
}

Stamp SolverComponent::StepEnd(Stamp now) const {
  if (length_ == ToSeconds(TimeStep())) return WholeStepEnd();
  const Stamp end = StartTime() + Seconds(now_ + length_);
  return Before(now, end) ? end : WholeStepEnd();
}

void SolverComponent::Step(Stamp from, Stamp to) {
  const bmi::WorkingDirectory here(folder_, moves_about_);
  // The length of a whole step, and of a step of the solver, is known more exactly than from stamps.
  const double asked = ToSeconds(to - StartTime());
  const double own = now_ + length_;
  const double until = std::abs(asked - own) <= kTimeNoise ? own : asked;
  if (!(now_ < until - kTimeNoise)) return;  // the step before went further, and its rows are published
  for (const auto& [item, memory] : inputs_) {
    if (item->Row().empty()) continue;
    try {
      bmi::GiveValues(memory.kind, item->Row(), memory.data);
    } catch (const RangeError& error) {
      throw RangeError({.component = Caption(), .item = item->Id()}, error.Problem(), error.Remedy());
    }
  }
  while (now_ < until - kTimeNoise) {
    const double before = now_;
    now_ = Advance(before, until);
    if (!(now_ > before)) {
      throw ModelError(
          {.component = Caption()},
          now_ < before ? fmt::format("expected the solver to continue from {} s, found it {:g} s before that, at {} s",
                                      before, before - now_, now_)
                        : fmt::format("expected the solver to continue from {} s, found it still there", before),
          "let the run end with the solver; one that says at its end that nothing is left, after a step "
          "that it has computed, returns the end of that step");
    }
  }
  length_ = NextStepLength();
  const bool overshot = now_ > until + kTimeNoise;
  const Stamp end = overshot ? StartTime() + Seconds(now_) : to;
  for (const auto& [item, memory] : outputs_) {
    ReadNumbers(memory.kind, memory.data, item->NextRow());
    if (overshot && item->Gives() == OutputTime::Span) item->PublishAt(from, end - from);
    if (overshot && item->Gives() == OutputTime::Instant) item->PublishAt(end, Days{});
  }
}

void SolverComponent::End() {
  if (std::exchange(is_open_, false)) {
    try {
      const bmi::WorkingDirectory here(folder_, moves_about_);
      Close();
    } catch (...) {
      GiveTurn();
      throw;
    }
  }
  GiveTurn();
}

}  // namespace openmi
