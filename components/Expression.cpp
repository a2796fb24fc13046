#include "components/Expression.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "components/ArgumentUnit.hpp"
#include "components/ColumnSpec.hpp"
#include "components/ElementArguments.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

/// One entry of the argument `outputs`: "speed = sqrt(u^2 + v^2) [m s-1]".
struct Entry {
  std::string id, formula, unit;
};

std::vector<Entry> ReadEntries(const std::string& text, const Where& place) {
  std::vector<Entry> entries;
  for (const std::string& whole : Split(text, ";")) {
    std::string_view entry = whole;
    std::string_view unit = "1";
    if (const std::size_t bracket = entry.rfind('['); entry.ends_with(']') && bracket != std::string::npos) {
      unit = Trimmed(entry.substr(bracket + 1, entry.size() - bracket - 2));
      entry = entry.substr(0, bracket);
    }
    auto [id, formula] = PairAt(entry, entry.find('='));
    if (id.empty()) {
      throw ArgumentError(place, fmt::format("expected name=formula[unit], found '{}'", whole),
                          "write it like 'speed=sqrt(u^2+v^2)[m s-1]; u-share=u/v'");
    }
    if (std::ranges::find(entries, id, &Entry::id) != entries.end()) {
      throw ArgumentError(place, fmt::format("expected different outputs, found '{}' twice", id), "rename one");
    }
    entries.push_back({std::move(id), std::move(formula), std::string(unit)});
  }
  if (entries.empty()) {
    throw ArgumentError(place, "expected at least one output, found none", "write it like 'sum=a+b[m3 s-1]'");
  }
  return entries;
}

}  // namespace

Expression::Expression() : StatefulSteppingComponent("expression", "PT1H") {
  SetDescription("outputs computed from several inputs by formulas");
  SetRestartable(true);
  inputs_text_ = AddArgument<std::string>(
      "inputs", {.caption = "inputs",
                 .description = "such as u[m s-1],v[m s-1]; letters, digits and _, a letter first",
                 .meaning = ArgumentMeaning::Plain});
  outputs_text_ = AddArgument<std::string>(
      "outputs", {.caption = "outputs",
                  .description = "name=formula[unit], such as speed=sqrt(u^2+v^2)[m s-1]; ratio=u/v",
                  .meaning = ArgumentMeaning::Plain});
  asks_ = AddArgument<std::string>("asks", {.caption = "what is asked for and given",
                                            .description = "span: means over each step; instant: the values at its end",
                                            .value = "span",
                                            .possible_values = {"span", "instant"}});
  elements_.AddTo(ArgumentItems());
}

void Expression::Setup() {
  const auto where = elements_.Elements("elements", [this](const std::string& path) { return PathOf(path); });
  const bool spans = asks_.Value() == "span";
  inputs_.clear();
  results_.clear();
  std::vector<std::string> names;
  try {
    for (const ColumnSpec& spec : ParseColumns(inputs_text_.Value())) {
      if (std::ranges::find(names, spec.item) != names.end()) {
        throw FormatError({}, fmt::format("expected different inputs, found '{}' twice", spec.item), "rename one");
      }
      names.push_back(spec.item);
      const InputOptions options{.asks = spans ? InputTime::Span : InputTime::Instant};
      inputs_.push_back(
          AddInput(spec.item, spec.has_unit ? ArgumentUnit(spec.unit, Caption(), "inputs") : "1", where, options));
    }
  } catch (const FormatError& error) {
    throw ArgumentError({.component = Caption(), .item = "inputs"}, error.Problem(), error.Remedy());
  }
  const Where place{.component = Caption(), .item = "outputs"};
  for (const Entry& entry : ReadEntries(outputs_text_.Value(), place)) {
    try {
      Formula formula(entry.formula, names);
      ArrayOutput output = AddOutput(entry.id, ArgumentUnit(entry.unit, Caption(), "outputs"), where,
                                     {.caption = entry.id,
                                      .description = entry.formula,
                                      .gives = spans ? OutputTime::Span : OutputTime::Instant,
                                      .initial = kNotANumber});  // inputs are asked for the first time at the end of
                                                                 // the first step
      results_.push_back({entry.id, entry.unit, std::move(formula), output});
    } catch (const FormatError& error) {
      throw ArgumentError(place, error.Problem(), error.Remedy());
    }
  }
  columns_.resize(inputs_.size());
}

void Expression::Step(Stamp, Stamp) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) columns_[i] = inputs_[i].Values();
  for (Result& result : results_) result.formula.Evaluate(columns_, result.output.Next());
}

}  // namespace openmi

OPENMI_EXPORT_COMPONENT_AS("openmi.Expression", openmi::Expression)
