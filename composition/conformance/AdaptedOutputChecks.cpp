#include "composition/conformance/AdaptedOutputChecks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "composition/conformance/ArgumentChecks.hpp"
#include "composition/conformance/IdentityChecks.hpp"
#include "composition/conformance/Probes.hpp"
#include "composition/conformance/ValueSetChecks.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/AdaptedOutput.hpp"
#include "timespace/standard/ITimeSpaceAdaptedOutput.hpp"

namespace openmi::conformance {
namespace {

constexpr std::size_t kOutputs = 4;  // of one component
constexpr std::size_t kIds = 32;     // of one factory for one output
constexpr int kUpdates = 3;

bool IsRegistered(const IBaseOutput& output, const IBaseAdaptedOutput& adapted) {
  return std::ranges::any_of(output.AdaptedOutputs(), [&](const auto* one) { return one == &adapted; });
}

class AdaptedOutputCheck {
 public:
  AdaptedOutputCheck(Findings& findings, const Subject& subject) : findings_(findings), trial_(subject) {}
  ~AdaptedOutputCheck() { TakeAway(); }

  void Run() {
    trial_.Begin();
    const std::vector<IAdaptedOutputFactory*> factories = trial_.Component().AdaptedOutputFactories();
    if (factories.empty()) return;
    for (IAdaptedOutputFactory* factory : factories) {
      if (findings_.Expect("10.3", factory != nullptr, [] { return "expected factories, found a null among them"; })) {
        Factory(*factory);
      }
    }
    if (made_.empty()) return;
    if (findings_.HasFailed("12.1")) {  // Prepare fails, so adapted outputs cannot be used
      findings_.Hide("10.1", "12.1 failed");
      return;
    }
    Drive();
  }

 private:
  /// An adapted output of the component, with the objects that the harness has linked to it and to its adaptee.
  struct Made {
    IBaseOutput* adaptee;
    std::string who;
    std::unique_ptr<IBaseInput> target;  // the input it may have been made for
    std::unique_ptr<IBaseInput> consumer;
    AdaptedProbe above;
    std::size_t beside;  // index in beside_ of the probe on the same adaptee
    std::unique_ptr<IBaseAdaptedOutput> adapted;
  };

  void Factory(IAdaptedOutputFactory& factory) {
    const std::string who = fmt::format("factory '{}'", factory.Id());
    CheckDescribable(findings_, factory, who);
    const std::vector<IBaseOutput*>& outputs = trial_.Outputs();
    for (IBaseOutput* output : std::span(outputs).first(std::min(outputs.size(), kOutputs))) {
      findings_.Try("10.3", fmt::format("{} on output '{}'", who, output->Id()),
                    [&] { Offers(factory, *output, who); });
    }
  }

  void Offers(IAdaptedOutputFactory& factory, IBaseOutput& output, const std::string& who) {
    const std::vector<const IIdentifiable*> ids = factory.GetAvailableAdaptedOutputIds(output, nullptr);
    IdList list(findings_, "adapted output", who);
    beside_.emplace_back(output);
    const std::size_t beside = beside_.size() - 1;
    for (const IIdentifiable* id : std::span(ids).first(std::min(ids.size(), kIds))) {
      if (!findings_.Expect("10.3", id != nullptr, [&] { return who + ": expected ids, found a null among them"; })) {
        continue;
      }
      list.Add(*id);
      Create(factory, *id, output, who, beside);
    }
    const Identifier unknown("no adapted output has this id");
    findings_.MustThrow("10.3", fmt::format("CreateAdaptedOutput of {} for an id it does not offer", who), [&] {
      const auto adapted = factory.CreateAdaptedOutput(unknown, output, nullptr);
      if (adapted != nullptr && IsRegistered(output, *adapted)) output.RemoveAdaptedOutput(*adapted);
    });
  }

  static bool Fits(IBaseAdaptedOutput& adapted) {
    auto* own = dynamic_cast<AdaptedOutput*>(&adapted);
    if (own == nullptr) return true;
    try {
      own->Check();
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  void Create(IAdaptedOutputFactory& factory, const IIdentifiable& id, IBaseOutput& output,
              const std::string& factory_name, std::size_t beside) {
    const std::string who = fmt::format("adapted output '{}' of output '{}'", id.Id(), output.Id());
    std::unique_ptr<IBaseAdaptedOutput> adapted;
    std::unique_ptr<IBaseInput> target = MakeProbeInput(output);
    const std::string what = fmt::format("CreateAdaptedOutput('{}', '{}') of {}", id.Id(), output.Id(), factory_name);
    if (findings_.Skips("10.3", what)) return;
    findings_.Announce("10.3", what);
    try {
      adapted = factory.CreateAdaptedOutput(id, output, nullptr);
    } catch (const std::exception&) {  // an adaptor that needs a target is offered, and refuses to be made without one
      if (!findings_.Try("10.3", what, [&] { adapted = factory.CreateAdaptedOutput(id, output, target.get()); }))
        return;
    }
    if (!findings_.Expect("10.3", adapted != nullptr,
                          [&] { return fmt::format("expected {} to make an adapted output, found none", what); })) {
      return;
    }
    findings_.Expect("10.3", IsRegistered(output, *adapted), [&] {
      return fmt::format("expected {} to be registered on its adaptee when it is made, found that it is not", who);
    });
    if (!IsRegistered(output, *adapted)) output.AddAdaptedOutput(*adapted);
    // A warning that no source reaches a target concerns these elements, not the adapted output.
    for (IArgument* argument : adapted->Arguments()) {
      if (argument->Id() == "uncovered" && !argument->IsReadOnly()) argument->SetValueAsString("missing");
    }
    Sound(*adapted, output, who);
    const bool complete = std::ranges::none_of(adapted->Arguments(), [](const IArgument* argument) {
      return argument != nullptr && !argument->IsOptional() && argument->Value().IsEmpty();
    });
    // A required argument is not set, or it refuses these elements before the run: it cannot be driven.
    if (!complete || !Fits(*adapted)) {
      output.RemoveAdaptedOutput(*adapted);
      return;
    }
    findings_.Try("10.1", "linking to " + who, [&] {
      auto consumer = MakeProbeInput(*adapted);
      adapted->AddConsumer(*consumer);
      made_.push_back(
          {&output, who, std::move(target), std::move(consumer), AdaptedProbe(*adapted), beside, std::move(adapted)});
    });
    if (adapted != nullptr) output.RemoveAdaptedOutput(*adapted);
  }

  /// Checks an adapted output before it is initialized.
  void Sound(IBaseAdaptedOutput& adapted, IBaseOutput& output, const std::string& who) {
    findings_.Expect("10.1", &adapted.Adaptee() == &output, [&] {
      return fmt::format("{}: expected its adaptee to be the output it was made for, found '{}'", who,
                         adapted.Adaptee().Id());
    });
    if (dynamic_cast<ITimeSpaceOutput*>(&output) != nullptr) {
      findings_.Expect("10.2", dynamic_cast<ITimeSpaceAdaptedOutput*>(&adapted) != nullptr, [&] {
        return who + ": expected an ITimeSpaceAdaptedOutput on an output with times and places, found one that is not";
      });
    }
    CheckDescribable(findings_, adapted, who);
    CheckArguments(findings_, adapted.Arguments(), who);
    findings_.MustThrow("10.1", "Refresh before Initialize of " + who, [&] { adapted.Refresh(); });
  }

  void Drive() {
    static_cast<void>(trial_.Component().Validate());
    if (!findings_.Try("10.1", "Prepare with adapted outputs on the component",
                       [this] { trial_.Component().Prepare(); })) {
      return;
    }
    for (int i = 0; i < kUpdates && trial_.Status() == LinkableComponentStatus::Updated; ++i) {
      const auto counts = Counts();
      if (!findings_.Try("10.1", "Update with adapted outputs on the component", [this] { trial_.Update(1); })) return;
      for (std::size_t m = 0; m < made_.size(); ++m) {
        const Made& made = made_[m];
        if (beside_[made.beside].Counts().refreshed == counts.beside[made.beside]) continue;  // no refresh to pass on
        findings_.Expect("10.1", made.above.Counts().refreshed > counts.above[m], [&] {
          return made.who + ": expected Refresh to refresh the adapted outputs on it, found no call";
        });
      }
    }
    for (const Made& made : made_) Ask(made);
  }

  /// The requests are arbitrary; the answers must be complete.
  void Ask(const Made& made) {
    auto* adapted = dynamic_cast<ITimeSpaceAdaptedOutput*>(made.adapted.get());
    if (adapted == nullptr || adapted->TimeSet() == nullptr || adapted->TimeSet()->Times().empty()) return;
    auto& consumer = dynamic_cast<ProbeInput&>(*made.consumer);
    consumer.AskFor(*adapted->TimeSet());
    const std::size_t asked = consumer.TimeSet()->Times().size();
    const ITimeSpaceValueSet* answer = nullptr;
    try {
      answer = &adapted->GetValues(consumer);
    } catch (const std::exception&) {
      return;
    }
    findings_.Try("10.2", "reading the answer of " + made.who, [&] {
      findings_.Expect("10.2", answer->GetIndexCount({}) == asked, [&] {
        return fmt::format("{}: expected {} rows in its answer, one for each time asked for, found {}", made.who, asked,
                           answer->GetIndexCount({}));
      });
    });
  }

  struct RefreshCounts {
    std::vector<std::size_t> above;
    std::vector<std::size_t> beside;
  };
  RefreshCounts Counts() const {
    RefreshCounts counts;
    for (const Made& made : made_) counts.above.push_back(made.above.Counts().refreshed);
    for (const AdaptedProbe& probe : beside_) counts.beside.push_back(probe.Counts().refreshed);
    return counts;
  }

  /// Removes adapted outputs while their adaptees live, as their maker must.
  void TakeAway() {
    for (Made& made : made_) {
      try {
        made.above.Remove();
        made.adapted->RemoveConsumer(*made.consumer);
        made.adaptee->RemoveAdaptedOutput(*made.adapted);
        findings_.Expect("10.1", !IsRegistered(*made.adaptee, *made.adapted), [&] {
          return made.who + ": expected RemoveAdaptedOutput to take it off its adaptee, found it still there";
        });
      } catch (...) {
        findings_.Fail("10.1", "taking " + made.who + " away threw: " + SentenceOfException());
      }
    }
    made_.clear();
  }

  Findings& findings_;
  std::vector<AdaptedProbe> beside_;  // must outlive the component
  Trial trial_;
  std::vector<Made> made_;
};

}  // namespace

void CheckAdaptedOutputs(Findings& findings, const Subject& subject) {
  AdaptedOutputCheck(findings, subject).Run();
}

}  // namespace openmi::conformance
