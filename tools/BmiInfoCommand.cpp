#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "bmi-bridge/component/BmiComponent.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/times/Iso8601.hpp"
#include "tools/BmiModel.hpp"
#include "tools/Commands.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;

struct BmiInfoArguments {
  BmiModelOptions model;
  bool json = false;
};

Json OrNull(const std::optional<double>& number) {
  return number ? Json(*number) : Json();
}

Json ToJson(const bmi::ModelFacts& facts) {
  Json json = {{"name", facts.name},
               {"library", facts.library},
               {"handOver", facts.hand_over},
               {"models", facts.has_one_model ? "one" : "many"},
               {"updateUntil", facts.has_update_until},
               {"solve", facts.has_solve},
               {"states", bmi::kStateWays.NameOf(facts.states)},
               {"time",
                {{"units", facts.time_units},
                 {"start", OrNull(facts.start)},
                 {"now", facts.now},
                 {"end", OrNull(facts.end)},
                 {"step", OrNull(facts.step)}}},
               {"variables", Json::array()}};
  for (const bmi::VariableFacts& fact : facts.variables) {
    const bmi::Variable& variable = fact.variable;
    json["variables"].push_back({{"name", variable.name},
                                 {"input", fact.is_input},
                                 {"output", fact.is_output},
                                 {"type", variable.type},
                                 {"units", variable.units},
                                 {"count", variable.count},
                                 {"grid", variable.grid ? Json(*variable.grid) : Json()},
                                 {"gridType", fact.grid_type},
                                 {"location", variable.location}});
  }
  return json;
}

void Print(const bmi::ModelFacts& facts) {
  const auto line = [](const std::string& text) { PrintLine(stdout, PrintableText(text)); };
  const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : "none"; };
  line(facts.name.empty() ? "a model without a name" : facts.name);
  line("  library: " + facts.library);
  line(fmt::format("  handed over: {}; {} at a time", facts.hand_over,
                   facts.has_one_model ? "one model" : "many models"));
  line(fmt::format("  time: from {} to {}, now {}, steps of {} {}{}", number(facts.start), number(facts.end), facts.now,
                   number(facts.step), facts.time_units, facts.has_update_until ? "" : ", whole steps only"));
  if (facts.epoch_now_mjd) line("  now by its epoch: " + FormatIsoTime(Stamp{*facts.epoch_now_mjd}));
  line(fmt::format("  states: {}", bmi::kStateWays.NameOf(facts.states)));
  if (facts.has_solve) line("  solve: iterates within its time steps (XMI)");
  if (facts.variables.empty()) return;
  std::vector<std::array<std::string, 6>> rows = {{"variable", "use", "type", "units", "values", "grid"}};
  for (const bmi::VariableFacts& fact : facts.variables) {
    const bmi::Variable& variable = fact.variable;
    std::string grid = fact.grid_type.empty() ? "-" : fmt::format("{} {}", *variable.grid, fact.grid_type);
    if (!variable.location.empty() && !fact.grid_type.empty()) grid += ", " + variable.location;
    rows.push_back({variable.name,
                    fact.is_input && fact.is_output ? "in, out"
                    : fact.is_input                 ? "in"
                                                    : "out",
                    variable.type, variable.units.empty() ? "-" : variable.units, std::to_string(variable.count),
                    grid});
  }
  std::array<std::size_t, 5> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  line("");
  for (const auto& row : rows) {
    std::string text;
    for (std::size_t i = 0; i < widths.size(); ++i) text += fmt::format("{:<{}}  ", row[i], widths[i]);
    line(text + row.back());
  }
}

int Execute(const BmiInfoArguments& arguments) {
  bmi::BmiComponent component;
  arguments.model.ApplyTo(component);
  component.Initialize();
  const bmi::ModelFacts facts = component.Facts();
  component.Finish();
  if (arguments.json) {
    PrintLine(stdout, JsonText(ToJson(facts)));
  } else {
    Print(facts);
  }
  return kSuccess;
}

}  // namespace

void AddBmiInfo(CLI::App& bmi, Invocation& invocation) {
  auto arguments = std::make_shared<BmiInfoArguments>();
  CLI::App* info = bmi.add_subcommand("info", "Describe a BMI model: how it is handed over, times, variables, states");
  arguments->model.AddTo(*info);
  info->add_flag("--json", arguments->json, "Print JSON");
  info->footer(
      "The library is loaded and the model is initialized, because it does not say before what it has.\n\n"
      "Examples:\n"
      "  openmi bmi info libcfebmi.so --config cat-27.txt\n"
      "  openmi bmi info heat-c.omi --json | jq '.variables[].name'");
  info->callback([arguments, &invocation] {
    invocation.execute = [arguments] { return CallModel([&] { return Execute(*arguments); }); };
  });
}

}  // namespace openmi::tools
