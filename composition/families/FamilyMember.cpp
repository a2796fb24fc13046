#include "composition/families/FamilyMember.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "composition/loops/InitialValues.hpp"
#include "composition/state/ComponentState.hpp"
#include "openmi/sdk/ArgumentItem.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "openmi/sdk/Status.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

/// Does `work`; what it throws becomes an error of the engine's own that names the component.
template <class Work>
void Named(const std::string& component, const char* what, Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    Where where = error.Place();
    if (where.component.empty()) where.component = component;
    throw ModelError(where, error.Problem(), error.Remedy());
  } catch (const std::exception& error) {
    throw ModelError({.component = component}, fmt::format("expected {}, found '{}'", what, error.what()));
  } catch (...) {
    throw ModelError({.component = component},
                     fmt::format("expected {}, found an exception that is not a std::exception", what));
  }
}

bool HasTimesWithSpans(const ITimeSpaceOutput& output) {
  return output.TimeSet() != nullptr && output.TimeSet()->HasDurations();
}

}  // namespace

void KeptArguments::Keep(const Instance& instance) {
  values_.clear();
  ids_.clear();
  secret_ids_.clear();
  for (const IArgument* argument : instance.Component().Arguments()) {
    const std::string id = argument->Id();
    if (!argument->IsReadOnly()) ids_.push_back(id);
    if (IsSecret(*argument)) secret_ids_.push_back(id);
    const bool of_file =
        std::ranges::any_of(instance.spec->arguments, [&](const ArgumentSpec& given) { return given.key == id; }) ||
        instance.omi.Argument(id) != nullptr;
    // A default that was not changed belongs to the code: the new code may have another.
    if (argument->IsReadOnly() || (!of_file && argument->Value() == argument->DefaultValue())) continue;
    values_.push_back({.key = id, .value = argument->ValueAsString()});
  }
}

bool KeptArguments::Set(Instance& instance, const std::string& key, const std::string& value) {
  if (std::ranges::find(ids_, key) == ids_.end()) {
    throw ArgumentError({.component = instance.Id(), .item = key}, fmt::format("expected an argument, found '{}'", key),
                        Suggest(key, ids_));
  }
  instance.Change(key, value);
  const auto argument = std::ranges::find(values_, key, &OmiArgument::key);
  if (argument != values_.end()) {
    argument->value = value;
  } else {
    values_.push_back({.key = key, .value = value});
  }
  return std::ranges::find(secret_ids_, key) != secret_ids_.end();
}

FamilyMember::FamilyMember(Composition& composition, std::size_t number) : composition_(&composition), number_(number) {
  for (Link* link : composition.EveryLink()) {
    if (link->ToInstance() == number) (link->End() != nullptr ? inputs_ : direct_inputs_).push_back(link);
    if (link->FromInstance() == number) (link->End() != nullptr ? outputs_ : direct_outputs_).push_back(link);
  }
}

template <class Item>
Item& FamilyMember::Find(std::span<Item* const> items, const std::string& id, const char* kind) const {
  for (Item* item : items) {
    if (item->Id() == id) return *item;
  }
  std::vector<std::string> ids;
  for (const Item* item : items) ids.push_back(item->Id());
  throw LinkError(Place(), fmt::format("expected an {} '{}', found none in the new code", kind, id), Suggest(id, ids));
}

void FamilyMember::Freeze() {
  Named(Id(), "items that can be copied", [this] {
    const LinkableComponentStatus status = TheInstance().Component().Status();
    if (status != LinkableComponentStatus::Updated && status != LinkableComponentStatus::Done &&
        status != LinkableComponentStatus::WaitingForData && status != LinkableComponentStatus::Failed) {
      throw StateError(Place(),
                       fmt::format("expected a running component that is not computing, found it {}", NameOf(status)),
                       "disengage a family between two passes of the run");
    }
    for (const Link* link : outputs_) {
      if (!link->HasAdaptorsOfComponent()) continue;
      throw LinkError(
          Place(),
          fmt::format("expected adaptors of the SDK on the link {}, found one of the component's own, whose "
                      "code would go with it",
                      link->Spec().Text()),
          "take an adaptor of the SDK, or do not disengage this family");
    }
    places_ = PlaceCopies();
    frozen_outputs_.clear();
    frozen_inputs_.clear();
    frozen_values_.clear();
    for (auto& [id, proxy] : TheInstance().proxies) {
      if (!proxy->PassesOn() && HasTimesWithSpans(*proxy) && proxy->UseHistory()->Empty()) {
        throw StateError({.component = Id(), .item = id}, "expected a value to hold, found none yet",
                         "disengage the family after its first step");
      }
      frozen_outputs_[proxy.get()] = proxy->Freeze(places_);
    }
    for (Link* link : inputs_) frozen_inputs_[link] = link->End()->Freeze(places_);
    for (Link* link : direct_outputs_) frozen_values_[link] = HostCopyOf(link->DirectOutput()->Values());
  });
}

std::string FamilyMember::Keep() {
  Instance& instance = TheInstance();
  IBaseLinkableComponent& component = instance.Component();
  arguments_.Keep(instance);
  const auto* safety = dynamic_cast<const IThreadSafety*>(&component);
  may_start_beside_ =
      instance.spec->apart.isolation != Isolation::None || (safety != nullptr && safety->IsThreadSafe());
  has_state_ = false;
  why_no_state_.clear();
  if (!instance.spec->keep_state) return {};
  if (!KeepsState(component)) {
    why_no_state_ = "expected a component that keeps its state as bytes, found one that does not";
  } else {
    try {
      RunOn(instance.thread, [&] { state_ = StateBytesOf(component); });
      has_state_ = true;
      return {};
    } catch (const std::exception& error) {
      why_no_state_ = error.what();
    }
  }
  return fmt::format("{} will start anew: {}", Id(), why_no_state_);
}

std::string FamilyMember::Beginning() const {
  if (has_state_) return {};
  return fmt::format("started anew{}{}{}",
                     begins_at_present_ ? " at " + planned_.back().value : ", and stepped up to the present",
                     why_no_state_.empty() ? "" : ": ", why_no_state_);
}

void FamilyMember::ReplaceElements(const Link& link, const ISpatialDefinition* before,
                                   const ISpatialDefinition* after) {
  if (before == nullptr || after == nullptr || before == after) return;
  const bool moved = HasMoved(*before, *after);
  for (const auto& adaptor : link.Adaptors()) {
    if (auto* adapted = dynamic_cast<AdaptedOutput*>(adaptor.get())) adapted->ReplaceElements(*before, *after, moved);
  }
}

void FamilyMember::Detach() {
  // What a link stores about the elements of both ends is replaced while both exist.
  for (const Link* link : outputs_) {
    const auto* shown = link->Source()->SpatialDefinition();
    ReplaceElements(*link, shown, places_.Of(shown).get());
  }
  for (const Link* link : inputs_) {
    const auto* shown = link->Target()->SpatialDefinition();
    ReplaceElements(*link, shown, places_.Of(shown).get());
  }
  for (auto& [proxy, shown] : frozen_outputs_) proxy->Detach(std::move(shown));
  frozen_outputs_.clear();
  for (auto& [link, shown] : frozen_inputs_) link->End()->Detach(std::move(shown));
  frozen_inputs_.clear();
  for (Link* link : direct_inputs_) link->FreezeInput();
  for (auto& [link, values] : frozen_values_) link->FreezeOutput(std::move(values));
  frozen_values_.clear();
  // Consumers may hold a view of values that were passed on unchanged.
  for (const Link* link : outputs_) {
    const auto* proxy = link->Proxy();
    ITimeSpaceInput* target = link->Target();
    if (proxy != nullptr && proxy->PassesOn() && link->End()->IsAttached() && target->Values() != nullptr) {
      target->SetValues(&link->End()->Values());
    }
  }
}

std::string FamilyMember::Leave() {
  std::string complaint;
  LoadedComponent leaving;
  if (made_.component) {
    leaving = std::move(made_);
  } else {
    const auto lock = composition_->LockInstances();
    leaving = TheInstance().Detach();
  }
  library_ = leaving.library;
  RunOn(TheInstance().thread, [&] {
    const LinkableComponentStatus status = leaving.component->Status();
    if (status != LinkableComponentStatus::Created && status != LinkableComponentStatus::Finished) {
      try {
        leaving.component->Finish();
      } catch (const std::exception& error) {
        complaint = fmt::format("{}: expected the component to finish, found '{}'", Id(), error.what());
      } catch (...) {
        complaint = fmt::format("{}: expected the component to finish, found an exception", Id());
      }
    }
    leaving.Reset();
  });
  return complaint;
}

Stamp FamilyMember::BeginAfter(Stamp now) const {
  const Stamp last = TheInstance().CurrentTime();
  if (last == kFarPast || !Before(last, now)) return last == kFarPast ? now : last;
  // The difference of two stamps is accurate to a microsecond, so the step is rounded to whole microseconds. The
  // remainder, added up over many steps, must not move a step that ends at `now` away from it.
  constexpr double kMicrosecond = 1e-6 / kSecondsPerDay;
  const double step = std::round((TheInstance().NextTime() - last).count / kMicrosecond) * kMicrosecond;
  if (!(step > 0.0) || !std::isfinite(step)) return now;
  const double steps = std::round((now - last).count / step);
  const Stamp nearest = last + Days{step * steps};
  if (std::abs((nearest - now).count) <= kTimeTolerance.count + steps * kMicrosecond) return now;
  return Before(nearest, now) ? last + Days{step * (steps + 1.0)} : nearest;
}

void FamilyMember::Plan(Stamp now) {
  planned_ = arguments_.Values();
  thread_ = composition_->ThreadFor(TheInstance());
  if (has_state_) return;
  std::erase_if(planned_, [](const OmiArgument& argument) { return argument.key == "start-time"; });
  planned_.push_back({.key = "start-time", .value = FormatIsoTime(BeginAfter(now))});
}

void FamilyMember::Make() {
  Named(Id(), "the new code to load and initialize",
        [this] { made_ = composition_->MakeAgain(TheInstance(), thread_, planned_); });
}

void FamilyMember::RequireCodeOf(const std::string& key) const {
  namespace fs = std::filesystem;
  const fs::path made(FamilyKeyOf(made_));
  const fs::path before(key);
  std::error_code ignored;
  if (made == before || made.filename() != before.filename() || fs::exists(before, ignored)) return;
  for (const OmiArgument& argument : TheInstance().changed) {
    if (fs::path(argument.value).filename() == made.filename()) return;
  }
  throw LoadError(
      {.file = key, .component = Id()},
      fmt::format(
          "expected the file of the component's library, found no such file there, but a file of the same name at {}",
          made.string()),
      "put the file back, and engage the family again");
}

void FamilyMember::Connect() {
  Named(Id(), "inputs as they were", [this] {
    IBaseLinkableComponent& component = *made_.component;
    for (Link* link : inputs_) {
      auto& input = Find<IBaseInput>(component.Inputs(), link->Spec().to.item, "input");
      auto* item = dynamic_cast<ITimeSpaceInput*>(&input);
      if (item == nullptr) {
        throw LinkError({.component = Id(), .item = input.Id()}, "expected an input with times and places, found none");
      }
      std::unique_ptr<FrozenInput> shown = link->End()->Attach(*item);
      ReplaceElements(*link, shown->SpatialDefinition(), item->SpatialDefinition());
      frozen_inputs_[link] = std::move(shown);
    }
    for (Link* link : direct_inputs_) {
      link->ThawDirect(nullptr, &Find<IBaseInput>(component.Inputs(), link->Spec().to.item, "input"));
    }
    for (auto& [id, proxy] : TheInstance().proxies) {
      auto& output = Find<IBaseOutput>(component.Outputs(), id, "output");
      const auto* item = dynamic_cast<const ITimeSpaceOutput*>(&output);
      if (item == nullptr) {
        throw LinkError({.component = Id(), .item = id}, "expected an output with times and places, found none");
      }
      proxy->RequireFits(*item);
    }
    for (const Link* link : direct_outputs_) Find<IBaseOutput>(component.Outputs(), link->Spec().from.item, "output");
  });
}

void FamilyMember::Start(Stamp now) {
  const auto start = [this] {
    Named(Id(), "the new code to start", [this] {
      IBaseLinkableComponent& component = *made_.component;
      RunOn(TheInstance().thread, [&] {
        const std::vector<std::string> messages = component.Validate();
        if (component.Status() != LinkableComponentStatus::Valid) {
          throw ModelError(Place(), fmt::format("expected the component to be valid, found: {}",
                                                messages.empty() ? "no reason" : messages.front()));
        }
      });
      if (!has_state_) InitialValues(*composition_).GiveTo(number_, component);
      RunOn(TheInstance().thread, [&] {
        if (auto* resumes = dynamic_cast<IResumes*>(&component); has_state_ && resumes != nullptr) {
          resumes->ExpectRestore();
        }
        component.Prepare();
      });
    });
  };
  start();
  begins_at_present_ = std::ranges::any_of(made_.component->Arguments(), [](const IArgument* argument) {
    return argument->Id() == "start-time" && !argument->IsReadOnly();
  });
  if (!has_state_) return;
  try {
    if (!KeepsState(*made_.component)) {
      throw StateError(Place(), "expected new code that restores states, found code that does not");
    }
    RunOn(TheInstance().thread, [this] { RestoreStateBytes(*made_.component, state_); });
    return;
  } catch (const Error& error) {
    why_no_state_ = "the state was not restored, " + error.Problem();
  } catch (const std::exception& error) {
    why_no_state_ = fmt::format("the state was not restored, {}", error.what());
  }
  // The state is not one of the new code: the component starts again.
  has_state_ = false;
  Undo();
  Plan(now);
  Make();
  Connect();
  start();
}

void FamilyMember::Show() {
  Named(Id(), "outputs as they were", [this] {
    IBaseLinkableComponent& component = *made_.component;
    TheInstance().host->SetThread(TheInstance().thread);
    for (auto& [id, proxy] : TheInstance().proxies) {
      auto& output = dynamic_cast<ITimeSpaceOutput&>(Find<IBaseOutput>(component.Outputs(), id, "output"));
      frozen_outputs_[proxy.get()] = proxy->Attach(output);
    }
    for (const Link* link : outputs_) {
      const auto shown = frozen_outputs_.find(link->Proxy());
      if (shown == frozen_outputs_.end()) continue;
      ReplaceElements(*link, shown->second->SpatialDefinition(), link->Source()->SpatialDefinition());
    }
    for (Link* link : direct_outputs_) {
      link->ThawDirect(&Find<IBaseOutput>(component.Outputs(), link->Spec().from.item, "output"), nullptr);
    }
    {
      const auto lock = composition_->LockInstances();
      TheInstance().Attach(std::move(made_));
    }
    if (!has_state_) TheInstance().Change(planned_.back().key, planned_.back().value);
    for (auto& [id, proxy] : TheInstance().proxies) proxy->Refresh();
  });
}

void FamilyMember::CatchUp(Stamp now) {
  Instance& instance = TheInstance();
  if (!inputs_.empty() && inputs_.front()->End()->Consumer().IsIdle()) return;  // it makes no step in this run
  Named(Id(), "the new code to reach the present time", [&] { instance.CatchUp(now); });
}

void FamilyMember::Undo() {
  for (auto& [proxy, shown] : frozen_outputs_) {
    const ISpatialDefinition* live = proxy->SpatialDefinition();
    const ISpatialDefinition* copy = shown->SpatialDefinition();
    proxy->Detach(std::move(shown));
    for (const Link* link : outputs_) {
      if (link->Source() == proxy) ReplaceElements(*link, live, copy);
    }
  }
  frozen_outputs_.clear();
  for (auto& [link, shown] : frozen_inputs_) {
    ReplaceElements(*link, link->Target()->SpatialDefinition(), shown->SpatialDefinition());
    link->End()->Detach(std::move(shown));
  }
  frozen_inputs_.clear();
  for (Link* link : direct_inputs_) link->FreezeInput();
  if (TheInstance().IsThere()) {
    for (Link* link : direct_outputs_) link->FreezeOutput(HostCopyOf(link->DirectOutput()->Values()));
  }
  if (made_.component || TheInstance().IsThere()) Leave();
}

void FamilyMember::MoveHorizon(Stamp now) {
  if (has_state_) return;
  const Stamp begin = BeginAfter(now);
  for (Link* link : inputs_) link->End()->MoveHorizon(std::min(begin, now));
}

}  // namespace openmi
