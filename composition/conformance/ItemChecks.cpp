#include "composition/conformance/ItemChecks.hpp"

#include <fmt/format.h>

#include "composition/conformance/DefinitionChecks.hpp"
#include "composition/conformance/IdentityChecks.hpp"
#include "composition/conformance/PlaceChecks.hpp"
#include "composition/conformance/TimeChecks.hpp"
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
  findings.Expect("9.2", input.Provider() == nullptr,
                  [&] { return who + ": expected no provider before it is linked, found one"; });
  Feed feed(input, nullptr, subject.options.core_values);
  feed.Link();
  findings.Expect("9.2", input.Provider() == &feed.Output(),
                  [&] { return who + ": expected the provider that was set, found another or none"; });
  feed.Unlink();
  findings.Expect("9.2", input.Provider() == nullptr,
                  [&] { return who + ": expected no provider after it was taken away, found it still there"; });

  const char* const number = time_space != nullptr ? "9.6" : "9.2";
  findings.Try(number, "giving values to " + who, [&] {
    const IBaseValueSet& values = feed.Output().Values();
    input.SetValues(&values);
    findings.Expect(number, input.Values() == &values,
                    [&] { return who + ": expected the values that were set, found others or none"; });
    input.SetValues(nullptr);
    findings.Expect(number, input.Values() == nullptr,
                    [&] { return who + ": expected no values after null was set, found some"; });
  });
}

}  // namespace

void CheckItems(Findings& findings, Trial& trial) {
  IBaseLinkableComponent& component = trial.Component();
  CheckDescribable(findings, component, "the component");
  findings.Expect("2.2", !component.Id().empty(), [] { return "expected an id of the component, found an empty one"; });
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

}  // namespace openmi::conformance
