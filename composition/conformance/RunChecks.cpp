#include "composition/conformance/RunChecks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "composition/conformance/DefinitionChecks.hpp"
#include "composition/conformance/ItemChecks.hpp"
#include "composition/conformance/OutputWatch.hpp"
#include "composition/conformance/StatusLog.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IStateAbility.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"
#include "timespace/standard/ITimeExtension.hpp"
#include "timespace/standard/ITimeSpaceComponent.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"

namespace openmi::conformance {
namespace {

using S = LinkableComponentStatus;
constexpr int kStandstill = 10;  // updates in a row without progress in time

class Run {
 public:
  Run(Findings& findings, const Subject& subject)
      : findings_(findings), subject_(subject), trial_(subject), log_(findings, trial_.Component()) {}

  bool Whole() {
    if (!findings_.Expect("12.1", trial_.Status() == S::Created, [this] {
          return fmt::format("expected a new component to be Created, found {}", StatusText(trial_.Status()));
        })) {
      return Stop();
    }
    findings_.Try("7.1", "reading the arguments",
                  [this] { CheckArguments(findings_, trial_.Component().Arguments(), "the component"); });
    findings_.Try("7.1", "setting start-time and end-time", [this] { trial_.SetTimes(); });
    if (!Initialize()) return Stop();
    ids_ = Ids();
    categories_ = Categories();
    CheckItems(findings_, trial_);
    CheckExtent();
    if (!Compute()) return Stop();
    return is_left_ || Over() || Stop();
  }

 private:
  bool Stop() {
    for (const char* number : {"12.1", "8.1", "8.2", "8.3"}) {
      if (!findings_.HasFailed(number)) continue;
      findings_.Stop(number);
      return false;
    }
    findings_.Stop("12.1");
    return false;
  }

  bool Initialize() {
    const std::string missing = MissingArguments();
    if (!log_.Call("Initialize" + run_, S::Initializing, {S::Initialized},
                   [this] { trial_.Component().Initialize(); })) {
      if (!missing.empty()) {
        findings_.Fail(
            "12.1", fmt::format("arguments without a value: {}; give them in the OMI file, or pass them to this check",
                                missing));
      }
      return false;
    }
    return findings_.Try("12.1", "Inputs and Outputs after Initialize", [this] { trial_.TakeItems(); });
  }

  /// The arguments that must be set before Initialize and are not.
  std::string MissingArguments() {
    std::string names;
    for (const IArgument* argument : trial_.Component().Arguments()) {
      if (argument == nullptr || argument->IsOptional() || argument->IsReadOnly()) continue;
      if (argument->Value().IsEmpty()) names += (names.empty() ? "'" : ", '") + argument->Id() + "'";
    }
    return names;
  }

  /// Runs from the links to the last update, and Finish.
  bool Compute() {
    for (IBaseOutput* output : trial_.Outputs()) {
      watches_.push_back(std::make_unique<OutputWatch>(findings_, *output));
      watches_.back()->Link();
    }
    findings_.Try("9.2", "linking the inputs", [this] { trial_.FeedInputs(&findings_); });
    if (!Validate()) return false;
    if (!log_.Call("Prepare" + run_, S::Preparing, {S::Updated}, [this] { trial_.Component().Prepare(); }))
      return false;
    for (auto& watch : watches_) watch->AfterPrepare();
    trace_.push_back(Fingerprints());
    if (!Updates()) return false;
    findings_.Expect("2.2", Ids() == ids_, "expected ids to stay during a run, found that they changed");
    if (!categories_.empty()) {
      findings_.Expect("3.4", Categories() == categories_,
                       "expected the categories to stay during a run, found that they changed");
    }
    findings_.Try("9.3", "taking links away", [this] {
      for (auto& watch : watches_) watch->Unlink();
      trial_.Unlink();
    });
    std::ranges::move(watches_, std::back_inserter(retired_));
    watches_.clear();
    if (findings_.Skips("12.1", "Finish" + run_)) {
      is_left_ = true;
      return true;
    }
    return log_.Call("Finish" + run_, S::Finishing, {S::Finished, S::Created}, [this] { trial_.Component().Finish(); });
  }

  bool Validate() {
    std::vector<std::string> messages;
    const bool ended = log_.Call("Validate" + run_, S::Validating, {S::Valid, S::Invalid},
                                 [&] { messages = trial_.Component().Validate(); });
    if (!ended) return false;
    if (trial_.Status() == S::Valid) return true;
    findings_.Fail("12.1",
                   messages.empty()
                       ? "expected a message that says why the component is Invalid, found none"
                       : fmt::format("expected Valid with every input linked to constant values, found Invalid: "
                                     "{}",
                                     messages.front()));
    return false;
  }

  bool Updates() {
    Stamp before = Reached();
    int standstill = 0;
    const std::string update = "Update" + run_;
    const int most = subject_.options.max_updates;
    for (int i = 0; i < most && trial_.Status() != S::Done; ++i) {
      if (!log_.Call(update, S::Updating, {S::Updated, S::Done, S::WaitingForData},
                     [this] { trial_.Component().Update({}); })) {
        return false;
      }
      const bool last = trial_.Status() == S::Done || i + 1 == most;
      for (auto& watch : watches_) watch->AfterUpdate(i == 0 || last);
      trace_.push_back(Fingerprints());
      const Stamp now = Reached();
      CheckWithinExtent(before, now);
      const bool waits = trial_.Status() == S::WaitingForData;
      const bool stands = now > kFarPast && !(before < now) && trial_.Status() == S::Updated;
      standstill = waits || stands ? standstill + 1 : 0;
      if (standstill >= kStandstill) {
        findings_.Fail("12.1", waits ? fmt::format("expected an update to compute when every input can be had, found "
                                                   "the component WaitingForData {} times in a row",
                                                   standstill)
                                     : fmt::format("expected the time to advance or the component to be Done, found {} "
                                                   "updates in a row that stay at {}",
                                                   standstill, TextOf(now)));
        return false;
      }
      before = std::max(before, now);
    }
    if (trial_.Status() == S::Done) {
      AfterDone();
    } else if (!subject_.options.ends_after_updates.empty()) {
      findings_.Fail("12.1", subject_.options.ends_after_updates);
    }
    return true;
  }

  void AfterDone() {
    const std::vector<std::uint64_t> before = Fingerprints();
    findings_.Try("12.1", "Update when Done", [this] { trial_.Component().Update({}); });
    findings_.Expect("12.1", trial_.Status() == S::Done && Fingerprints() == before, [this] {
      return fmt::format("expected Update to change nothing when the component is Done, found {}",
                         trial_.Status() == S::Done ? "other values" : "status " + StatusText(trial_.Status()));
    });
  }

  /// Checks that no call is possible any more; or repeats the run, with the same result.
  bool Over() {
    IBaseLinkableComponent& component = trial_.Component();
    if (trial_.Status() == S::Finished) {
      // A component that accepts one of these may be in any status afterwards.
      static_cast<void>(
          findings_.MustThrow("12.1", "Initialize after Finished", [&] { component.Initialize(); }) &&
          findings_.MustThrow("12.1", "Validate after Finished", [&] { static_cast<void>(component.Validate()); }) &&
          findings_.MustThrow("12.1", "Prepare after Finished", [&] { component.Prepare(); }) &&
          findings_.MustThrow("12.1", "Update after Finished", [&] { component.Update({}); }) &&
          findings_.MustThrow("12.1", "Finish after Finished", [&] { component.Finish(); }));
      return true;
    }
    const std::vector<std::vector<std::uint64_t>> first = std::exchange(trace_, {});
    run_ = " of the second run";
    if (!Initialize() || !Compute()) return false;
    const auto [a, b] = std::ranges::mismatch(first, trace_);
    const auto update = a - first.begin();
    findings_.Expect(
        "12.1", a == first.end() && b == trace_.end(),
        "expected a component that ends Created to give the same when it runs again, found other "
        "values after update {}{}",
        update,
        update == 0 ? ": before its first update it may show memory that nothing was written to (of a BMI library, "
                      "name such outputs in the argument unset-at-start)"
                    : "");
    return true;
  }

  /// The time that the component has reached: the latest that it gave or requested.
  Stamp Reached() const { return std::max(trial_.LatestGiven(), trial_.LatestAsked()); }

  bool DependsOnTime() const {
    const auto has_times = [](const auto* item) {
      const auto* time_space = dynamic_cast<const ITimeSpaceExchangeItem*>(item);
      return time_space != nullptr && time_space->TimeSet() != nullptr;
    };
    return std::ranges::any_of(trial_.Inputs(), has_times) || std::ranges::any_of(trial_.Outputs(), has_times);
  }

  void CheckExtent() {
    const auto* extension = dynamic_cast<const ITimeExtension*>(&trial_.Component());
    if (DependsOnTime()) {
      findings_.Expect("12.2", dynamic_cast<const ITimeSpaceComponent*>(&trial_.Component()) != nullptr,
                       "expected a component whose items have times to be an ITimeSpaceComponent, found one "
                       "that is not");
      if (extension == nullptr) findings_.Hide("12.3", "12.2 failed");
    } else if (dynamic_cast<const ITimeSpaceComponent*>(&trial_.Component()) != nullptr) {
      findings_.See("12.2");
    }
    if (extension == nullptr) return;
    findings_.See("12.3");
    findings_.Try("12.3", "TimeExtent", [&] {
      const ITimeSet& extent = extension->TimeExtent();
      CheckTimeSet(findings_, extent, "the time extent");
      const ITime& horizon = extent.TimeHorizon();
      const Days offset = Hours(extent.OffsetFromUtcInHours());
      extent_ = {Stamp{horizon.StampAsModifiedJulianDay()} - offset, EndOf(horizon) - offset};
    });
  }

  /// A step may end after the end of the run, but must not start there.
  void CheckWithinExtent(Stamp before, Stamp now) {
    if (!extent_ || !(now > kFarPast)) return;
    findings_.Expect("12.3", !Before(now, extent_->first), [&] {
      return fmt::format("expected no time before the time extent, which begins {}, found {}", TextOf(extent_->first),
                         TextOf(now));
    });
    findings_.Expect("12.3", !(before > kFarPast) || Before(before, extent_->second) || !Before(before, now), [&] {
      return fmt::format("expected no step after the end of the time extent, {}, found one from {} to {}",
                         TextOf(extent_->second), TextOf(before), TextOf(now));
    });
  }

  std::vector<std::uint64_t> Fingerprints() {
    std::vector<std::uint64_t> prints;
    findings_.Try("6.1", "reading the values of the outputs", [&] { prints = trial_.Fingerprints(); });
    return prints;
  }

  std::vector<std::string> Ids() const {
    std::vector<std::string> ids;
    for (const IBaseInput* input : trial_.Inputs()) ids.push_back(input->Id());
    for (const IBaseOutput* output : trial_.Outputs()) ids.push_back(output->Id());
    return ids;
  }

  std::vector<std::vector<Value>> Categories() const {
    std::vector<std::vector<Value>> all;
    const auto add = [&all](const IBaseExchangeItem* item) {
      if (const auto* quality = dynamic_cast<const IQuality*>(&item->ValueDefinition())) {
        all.push_back(CategoriesOf(*quality));
      }
    };
    std::ranges::for_each(trial_.Inputs(), add);
    std::ranges::for_each(trial_.Outputs(), add);
    return all;
  }

  Findings& findings_;
  const Subject& subject_;
  // These outlive the component, which may still point to objects that could not be unlinked.
  std::vector<std::unique_ptr<OutputWatch>> retired_;
  std::vector<std::unique_ptr<OutputWatch>> watches_;
  Trial trial_;
  StatusLog log_;
  bool is_left_ = false;  // whether Finish was skipped because it ends the process
  std::string run_;       // appended to the names of calls; empty in the first run
  std::vector<std::string> ids_;
  std::vector<std::vector<Value>> categories_;
  std::optional<std::pair<Stamp, Stamp>> extent_;
  std::vector<std::vector<std::uint64_t>> trace_;  // of the outputs, after Prepare and each update
};

constexpr const char* kCallOrder = "12.1";

/// \returns whether the call was refused and the status stayed
template <class Work>
bool Refuses(Findings& findings, Trial& trial, const std::string& what, Work&& work) {
  const LinkableComponentStatus before = trial.Status();
  return findings.MustThrow(kCallOrder, what, work) && findings.Expect(kCallOrder, trial.Status() == before, [&] {
    return fmt::format("expected {} to be refused and change nothing, found status {} instead of {}", what,
                       StatusText(trial.Status()), StatusText(before));
  });
}

constexpr int kSteps = 3;

using Trace = std::vector<std::vector<std::uint64_t>>;

Trace Continue(Trial& trial) {
  Trace trace;
  for (int i = 0; i < kSteps; ++i) {
    trial.Update(1);
    trace.push_back(trial.Fingerprints());
  }
  return trace;
}

void CheckKeeping(Findings& findings, Trial& trial, IManageState& states) {
  const char* const number = "11.1";
  const Identifier unknown("no state has this id");
  const auto refuses_unknown = [&](const char* when) {
    findings.MustThrow(number, fmt::format("RestoreState of an unknown id {}", when),
                       [&] { states.RestoreState(unknown); });
    findings.MustThrow(number, fmt::format("ClearState of an unknown id {}", when),
                       [&] { states.ClearState(unknown); });
  };
  refuses_unknown("without any state");
  const std::vector<std::uint64_t> present = trial.Fingerprints();
  const IIdentifiable& kept = states.KeepCurrentState();
  const std::string id = kept.Id();
  findings.Expect(number, !id.empty(), "expected an id of the kept state, found an empty one");
  findings.Expect(number, trial.Fingerprints() == present,
                  "expected KeepCurrentState to change nothing, found other values");
  refuses_unknown("beside a kept one");
  const Trace first = Continue(trial);
  for (int time = 0; time < 2; ++time) {  // the state is still kept after it was restored
    states.RestoreState(kept);
    const Trace again = Continue(trial);
    findings.Expect(number, again == first, "expected the same values after state '{}' was restored, found others", id);
  }
  const Identifier same_id(id);
  states.ClearState(kept);
  findings.MustThrow(number, "RestoreState of a state that was cleared", [&] { states.RestoreState(same_id); });
}

void CheckBytes(Findings& findings, Trial& trial, IManageState& states, IByteStateConverter& converter) {
  const char* const number = "11.2";
  const Identifier unknown("no state has this id");
  findings.MustThrow(number, "ConvertToByteArray of an unknown id",
                     [&] { static_cast<void>(converter.ConvertToByteArray(unknown)); });
  const IIdentifiable& kept = states.KeepCurrentState();
  const Bytes bytes = converter.ConvertToByteArray(kept);
  const Trace first = Continue(trial);
  const std::vector<std::uint64_t> before = trial.Fingerprints();
  const IIdentifiable& read = converter.ConvertFromByteArray(bytes);
  findings.Expect(number, trial.Fingerprints() == before,
                  "expected ConvertFromByteArray to leave the current state alone, found other values");
  findings.Expect(number, read.Id() != kept.Id(), [&] {
    return fmt::format("expected a new id of the state made of bytes, found '{}', which is that of the kept one",
                       read.Id());
  });
  states.RestoreState(read);
  const Trace again = Continue(trial);
  findings.Expect(number, again == first,
                  "expected the same values after a state was restored from bytes, found others");
  states.ClearState(read);
  states.ClearState(kept);
}

}  // namespace

bool CheckRun(Findings& findings, const Subject& subject) {
  return Run(findings, subject).Whole();
}

void CheckCallOrder(Findings& findings, const Subject& subject, bool prepares) {
  // A component that accepts a call may be in any status afterwards: the trial ends there.
  findings.Try(kCallOrder, "calls before Initialize", [&] {
    Trial trial(subject);
    IBaseLinkableComponent& component = trial.Component();
    static_cast<void>(
        Refuses(findings, trial, "Inputs before Initialize", [&] { static_cast<void>(component.Inputs()); }) &&
        Refuses(findings, trial, "Outputs before Initialize", [&] { static_cast<void>(component.Outputs()); }) &&
        Refuses(findings, trial, "Validate before Initialize", [&] { static_cast<void>(component.Validate()); }) &&
        Refuses(findings, trial, "Prepare before Initialize", [&] { component.Prepare(); }) &&
        Refuses(findings, trial, "Update before Initialize", [&] { component.Update({}); }));
  });
  findings.Try(kCallOrder, "calls between Initialize and Prepare", [&] {
    Trial trial(subject);
    trial.Begin();
    IBaseLinkableComponent& component = trial.Component();
    if (!Refuses(findings, trial, "a second Initialize", [&] { component.Initialize(); })) return;
    if (!Refuses(findings, trial, "Update before Prepare", [&] { component.Update({}); })) return;
    if (!prepares) return;
    static_cast<void>(component.Validate());
    component.Prepare();
    static_cast<void>(Refuses(findings, trial, "a second Prepare", [&] { component.Prepare(); }) &&
                      Refuses(findings, trial, "Initialize after Prepare", [&] { component.Initialize(); }));
  });
}

void CheckStates(Findings& findings, const Subject& subject) {
  Trial trial(subject);
  auto* states = dynamic_cast<IManageState*>(&trial.Component());
  auto* converter = dynamic_cast<IByteStateConverter*>(&trial.Component());
  if (states == nullptr) {
    if (converter != nullptr) {
      findings.Fail("11.2", "expected an IByteStateConverter to be an IManageState too, found one that is not");
    }
    return;
  }
  trial.Start();
  const StateAbility ability = AbilityOf(trial.Component());
  if (!ability.in_memory) return;
  trial.Update(2);
  findings.Try("11.1", "keeping and restoring a state", [&] { CheckKeeping(findings, trial, *states); });
  if (converter == nullptr || !ability.as_bytes) return;
  if (findings.HasFailed("11.1")) {
    findings.Hide("11.2", "11.1 failed");
    return;
  }
  Trial other(subject);
  other.Start();
  other.Update(2);
  findings.Try("11.2", "turning a state into bytes", [&] {
    CheckBytes(findings, other, dynamic_cast<IManageState&>(other.Component()),
               dynamic_cast<IByteStateConverter&>(other.Component()));
  });
}

}  // namespace openmi::conformance
