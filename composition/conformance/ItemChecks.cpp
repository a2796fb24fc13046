#include "composition/conformance/ItemChecks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "composition/conformance/DefinitionChecks.hpp"
#include "composition/conformance/Probes.hpp"
#include "composition/conformance/ValueSetChecks.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/items/AdaptedOutput.hpp"
#include "timespace/standard/ITimeSpaceAdaptedOutput.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"

namespace openmi::conformance {
namespace {

void CheckItem(Findings& findings, const IBaseLinkableComponent& component, IBaseExchangeItem& item,
               const std::string& who) {
  CheckDescribable(findings, item, who);
  findings.Try("9.1", "the component of " + who, [&] {
    findings.Expect("9.1", item.Component() == nullptr || item.Component() == &component, [&] {
      return fmt::format("{}: expected the component it belongs to, or none, found another ('{}')", who,
                         item.Component()->Id());
    });
  });
  findings.Try("3.1", "the value definition of " + who,
               [&] { CheckDefinition(findings, item.ValueDefinition(), who); });
  const auto* time_space = dynamic_cast<const ITimeSpaceExchangeItem*>(&item);
  if (time_space == nullptr) return;
  findings.See("9.4");
  if (const ISpatialDefinition* where = time_space->SpatialDefinition()) {
    findings.Try("4.1", "the places of " + who, [&] { CheckPlace(findings, *where, who); });
  }
  if (const ITimeSet* times = time_space->TimeSet()) {
    findings.Try("5.2", "the time set of " + who, [&] { CheckTimeSet(findings, *times, who); });
  }
}

void CheckInput(Findings& findings, IBaseInput& input, const Subject& subject) {
  const std::string who = "input '" + input.Id() + "'";
  auto* time_space = dynamic_cast<ITimeSpaceInput*>(&input);
  findings.Expect("9.2", input.Provider() == nullptr, "{}: expected no provider before it is linked, found one", who);
  Feed feed(input, nullptr, subject.options.core_values);
  feed.Link();
  findings.Expect("9.2", input.Provider() == &feed.Output(),
                  "{}: expected the provider that was set, found another or none", who);
  feed.Unlink();
  findings.Expect("9.2", input.Provider() == nullptr,
                  "{}: expected no provider after it was taken away, found it still there", who);

  const char* const number = time_space != nullptr ? "9.6" : "9.2";
  findings.Try(number, "giving values to " + who, [&] {
    const IBaseValueSet& values = feed.Output().Values();
    input.SetValues(&values);
    findings.Expect(number, input.Values() == &values, "{}: expected the values that were set, found others or none",
                    who);
    input.SetValues(nullptr);
    findings.Expect(number, input.Values() == nullptr, "{}: expected no values after null was set, found some", who);
  });
}

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
      if (findings_.Expect("10.3", factory != nullptr, "expected factories, found a null among them")) {
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
      if (!findings_.Expect("10.3", id != nullptr, "{}: expected ids, found a null among them", who)) {
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
    if (!findings_.Expect("10.3", adapted != nullptr, "expected {} to make an adapted output, found none", what)) {
      return;
    }
    findings_.Expect("10.3", IsRegistered(output, *adapted),
                     "expected {} to be registered on its adaptee when it is made, found that it is not", who);
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
      findings_.Expect(
          "10.2", dynamic_cast<ITimeSpaceAdaptedOutput*>(&adapted) != nullptr,
          "{}: expected an ITimeSpaceAdaptedOutput on an output with times and places, found one that is not", who);
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

void CheckDescribable(Findings& findings, IDescribable& object, const std::string& who) {
  const char* const number = "2.1";
  findings.Try(number, "describing " + who, [&] {
    const std::string caption = object.Caption();
    const std::string description = object.Description();
    object.SetCaption("a caption of the harness");
    object.SetDescription("a description of the harness");
    findings.Expect(number, object.Caption() == "a caption of the harness", [&] {
      return fmt::format("{}: expected the caption that was set, found '{}'", who, object.Caption());
    });
    findings.Expect(number, object.Description() == "a description of the harness", [&] {
      return fmt::format("{}: expected the description that was set, found '{}'", who, object.Description());
    });
    object.SetCaption(caption);
    object.SetDescription(description);
  });
}

void IdList::Add(const IIdentifiable& member) {
  const char* const number = "2.2";
  findings_.Try(number, "asking an " + kind_ + " of " + whose_ + " for its id", [&] {
    const std::string id = member.Id();
    findings_.Expect(number, !id.empty(), "expected an id for each {} of {}, found an empty one", kind_, whose_);
    findings_.Expect(number, id.empty() || seen_.insert(id).second,
                     "expected an id of its own for each {} of {}, found '{}' twice", kind_, whose_, id);
    findings_.Expect(number, member.Id() == id, [&] {
      return fmt::format("expected {} '{}' of {} to keep its id, found '{}' the next time", kind_, id, whose_,
                         member.Id());
    });
  });
}

void CheckItems(Findings& findings, Trial& trial) {
  IBaseLinkableComponent& component = trial.Component();
  CheckDescribable(findings, component, "the component");
  findings.Expect("2.2", !component.Id().empty(), "expected an id of the component, found an empty one");
  IdList inputs(findings, "input", "the component");
  for (IBaseInput* input : trial.Inputs()) {
    inputs.Add(*input);
    CheckItem(findings, component, *input, "input '" + input->Id() + "'");
  }
  IdList outputs(findings, "output", "the component");
  for (IBaseOutput* output : trial.Outputs()) {
    outputs.Add(*output);
    CheckItem(findings, component, *output, "output '" + output->Id() + "'");
  }
  IdList factories(findings, "adapted output factory", "the component");
  for (const IAdaptedOutputFactory* factory : component.AdaptedOutputFactories()) {
    if (factory != nullptr) factories.Add(*factory);
  }
}

void CheckInputs(Findings& findings, const Subject& subject) {
  Trial trial(subject);
  trial.SetTimes();
  trial.Component().Initialize();
  trial.TakeItems();
  for (IBaseInput* input : trial.Inputs()) {
    findings.Try("9.2", "linking input '" + input->Id() + "'", [&] { CheckInput(findings, *input, subject); });
  }
}

void CheckAdaptedOutputs(Findings& findings, const Subject& subject) {
  AdaptedOutputCheck(findings, subject).Run();
}

}  // namespace openmi::conformance
