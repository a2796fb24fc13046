// The part of CompositionRun that lets families leave and come back.

#include <fmt/format.h>

#include <algorithm>

#include "composition/families/Families.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/run/Overrides.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/Iso8601.hpp"

namespace openmi {

void CompositionRun::TellHeld() {
  told_held_ = composition_.HeldCount();
  for (const Instance& instance : composition_.Instances()) {
    if (instance.host == nullptr || !instance.host->IsHeld() || !told_failures_.insert(instance.Id()).second) continue;
    AddError(record_.problems,
             {.file = composition_.File().path.string(), .line = instance.spec->line, .component = instance.Id()},
             fmt::format("failed at {}: {}", FormatIsoTime(Now().mjd), instance.host->Failure()),
             "its last values stand for it; correct it, disengage its family and engage it again");
  }
}

const Families& CompositionRun::TheFamilies() const {
  if (families_ == nullptr) {
    throw StateError({.file = composition_.File().path.string()},
                     "expected a run that was begun, found one that was not", "call Begin");
  }
  return *families_;
}

void CompositionRun::Disengage(const std::string& family) {
  const Family& leaving = TheFamilies().Find(family);
  const bool is_out = leaving.status == FamilyStatus::Disengaged;
  const Problems told = families_->Disengage(family);
  if (is_out) return;
  const std::string text =
      fmt::format("family {} disengaged at {}", families_->TextOf(family), FormatIsoTime(Now().mjd));
  AddNote(record_.problems, {.file = composition_.File().path.string()}, text);
  WriteNote(text);
  record_.problems.insert(record_.problems.end(), told.begin(), told.end());
}

void CompositionRun::SetArgument(const std::string& component, const std::string& key, const std::string& value) {
  static_cast<void>(TheFamilies());  // begun?
  const bool is_secret = families_->SetArgument(component, key, value);
  TellChange(component, key,
             fmt::format("set to {} for when its family is engaged", is_secret ? "a secret" : Quoted(value)));
}

void CompositionRun::TellChange(const std::string& component, const std::string& item, const std::string& what) {
  constexpr std::size_t kMostTold = 1000;  // a program may change something in every step
  if (told_changes_ > kMostTold) return;
  const bool is_last = told_changes_++ == kMostTold;
  const std::string time = FormatIsoTime(Now().mjd);
  Where where{.file = composition_.File().path.string(), .component = component, .item = item};
  if (is_last) where.component = where.item = "";
  const std::string text = is_last ? fmt::format("more changes follow from {} on, and are not noted", time)
                                   : fmt::format("{} at {}", what, time);
  AddNote(record_.problems, where, text);
  WriteNote(is_last ? text : fmt::format("{}.{} {}", component, item, text));
}

void CompositionRun::TellOverrides() {
  for (const OverrideInfo& fixed : Overrides(composition_).All()) {
    const std::string text = fmt::format("overridden with {} where the run goes on, at {}, as it was at the checkpoint",
                                         RowText(fixed.row), FormatIsoTime(record_.resumed_mjd));
    AddWarning(record_.problems,
               {.file = composition_.File().path.string(),
                .line = fixed.link->line,
                .component = fixed.link->to.component,
                .item = fixed.link->to.item},
               text, "an operator set it; 'openmi control free' lets the link deliver again");
    WriteNote(fmt::format("{} {}", fixed.link->to.Text(), text));
  }
}

void CompositionRun::Engage(const std::string& family) {
  const Family& wanted = TheFamilies().Find(family);
  const bool is_any_held = std::ranges::any_of(wanted.members, [this](std::size_t member) {
    const Instance& instance = composition_.Instances()[member];
    return instance.host != nullptr && instance.host->IsHeld();
  });
  if (is_any_held && wanted.status == FamilyStatus::Engaged) Disengage(family);  // what failed is made anew
  if (TheFamilies().StatusOf(family) == FamilyStatus::Engaged) return;
  try {
    const Problems told = families_->Engage(family, Now());
    const std::string text =
        fmt::format("family {} engaged at {}", families_->TextOf(family), FormatIsoTime(Now().mjd));
    AddNote(record_.problems, {.file = composition_.File().path.string()}, text);
    WriteNote(text);
    record_.problems.insert(record_.problems.end(), told.begin(), told.end());
  } catch (const Error& error) {
    AddWarning(record_.problems, error.Place(),
               fmt::format("family {} not engaged at {}: {}", families_->TextOf(family), FormatIsoTime(Now().mjd),
                           error.Problem()),
               error.Remedy());
    throw;
  }
}

void CompositionRun::EngageBeside(const std::string& family, std::function<void(const Error*)> told) {
  const Family& wanted = TheFamilies().Find(family);
  const std::size_t threads = options_.threads.value_or(static_cast<std::size_t>(run_.threads));
  if (families_->BeginEngage(family, Now(), threads > 1, [this] { quiet_.Wake(); })) {
    engaging_.emplace_back(wanted.key, std::move(told));
    return;
  }
  try {
    Engage(family);
  } catch (const Error& error) {
    told(&error);
    return;
  }
  told(nullptr);
}

void CompositionRun::CompleteEngagements() {
  while (const Family* made = families_->NextMade()) {
    try {
      Engage(made->key);
    } catch (const Error&) {  // recorded, and in the family's problem
    }
  }
  const auto waiting = std::exchange(engaging_, {});
  for (const auto& [key, told] : waiting) {
    const Family& family = families_->Find(key);
    if (family.is_starting) {
      engaging_.emplace_back(key, told);
    } else if (family.status == FamilyStatus::Engaged) {
      told(nullptr);
    } else {
      const StateError error(
          {.file = key},
          family.problem.empty() ? "expected the family to be engaged, found that it was given up" : family.problem,
          "engage it again");
      told(&error);
    }
  }
}

}  // namespace openmi
