#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "bmi-bridge/component/BmiComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IStateAbility.hpp"
#include "tools/BmiModel.hpp"
#include "tools/Commands.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

constexpr int kSteps = 3;

struct BmiCheckArguments {
  BmiModelOptions model;
  bool json = false;
};

void CheckSteps(bmi::BmiComponent& component, Problems& problems) {
  for (const std::string& message : component.Validate()) AddWarning(problems, {}, message, "");
  component.Prepare();
  for (int step = 0; step < kSteps && component.Status() == LinkableComponentStatus::Updated; ++step) {
    component.Update({});
  }
}

void Check(const BmiModelOptions& model, Problems& problems) {
  bmi::BmiComponent component;
  model.ApplyTo(component);
  // A model with an epoch starts at its own time; another one at any.
  const auto argument = [&](const char* id) {
    return *std::ranges::find(component.Arguments(), id, [](const IArgument* one) { return one->Id(); });
  };
  if (argument("epoch")->ValueAsString().empty() && argument("start-time")->ValueAsString().empty()) {
    argument("start-time")->SetValueAsString("2000-01-01T00:00Z");
  }
  component.Initialize();
  component.CheckModel(problems);
  const bmi::StateWay way = component.Facts().states;
  const StateAbility ability = component.AbilityOfStates();
  if (way == bmi::StateWay::None) {
    AddNote(problems, {.component = component.Caption()}, "it keeps no states: " + ability.why_not, "");
  } else if (ability.in_memory) {
    AddNote(problems, {.component = component.Caption()},
            fmt::format("its states ({}) hold all that it remembers, as a trial showed", bmi::kStateWays.NameOf(way)),
            "");
  } else {
    AddError(problems, {.component = component.Caption()},
             "expected states that hold all that it remembers, found others: " + ability.why_not,
             "do not rely on them: states = none");
  }
  CheckSteps(component, problems);
  component.Finish();
}

int Execute(const BmiCheckArguments& arguments) {
  Problems problems;
  try {
    Check(arguments.model, problems);
  } catch (const Error& error) {
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
  }
  if (arguments.json) {
    PrintLine(stdout, JsonText({{"file", arguments.model.file}, {"problems", ToJson(problems)}}));
  } else {
    PrintProblems(stdout, problems);
    PrintLine(stdout, CountText(problems));
  }
  return HasErrors(problems) ? kProblemsFound : kSuccess;
}

}  // namespace

void AddBmiCheck(CLI::App& bmi, Invocation& invocation) {
  auto arguments = std::make_shared<BmiCheckArguments>();
  CLI::App* check = bmi.add_subcommand("check", "Check the answers of a BMI model, its states and its first steps");
  arguments->model.AddTo(*check);
  check->add_flag("--json", arguments->json, "Print JSON");
  check->footer(
      "The model is initialized and makes a few steps. Its states are tried in a child process.\n\n"
      "Examples:\n"
      "  openmi bmi check libcfebmi.so --config cat-27.txt\n"
      "  openmi bmi check libcfebmi.so --config cat-27.txt --argument states=replay");
  check->callback([arguments, &invocation] {
    invocation.execute = [arguments] { return CallModel([&] { return Execute(*arguments); }); };
  });
}

}  // namespace openmi::tools
