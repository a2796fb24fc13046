#include "components/GatherElements.hpp"

#include <fmt/format.h>

#include <memory>

#include "components/ArgumentUnit.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/elements/ElementCopies.hpp"

namespace openmi {

GatherElements::GatherElements() : StatefulSteppingComponent("gather", "PT1H") {
  SetDescription("single values gathered into one item with elements");
  SetRestartable(true);
  item_ = ArgumentItems().AddPlain("item", {.caption = "id of the output", .value = "values"});
  unit_ = ArgumentItems().AddPlain("unit", {.caption = "unit of all values", .value = "1"});
  asks_ = AddArgument<std::string>("asks", {.caption = "what is asked for and given",
                                            .description = "span: means over each step; instant: the values at its end",
                                            .value = "span",
                                            .possible_values = {"span", "instant"}});
  elements_.AddTo(ArgumentItems());
}

void GatherElements::Setup() {
  const auto where = elements_.Elements("elements", [this](const std::string& path) { return PathOf(path); });
  if (where == nullptr) {
    throw ArgumentError({.component = Caption(), .item = "elements"},
                        "expected elements to gather values for, found none",
                        "set the argument elements to their ids, or elements-file to a file of them");
  }
  const bool spans = asks_.Value() == "span";
  const std::string unit = ArgumentUnit(unit_.Value(), Caption(), "unit");
  inputs_.clear();
  for (int element = 0; element < where->ElementCount(); ++element) {
    const std::string& id = where->IdOf(element);
    if (id.empty()) {
      throw ArgumentError({.component = Caption(), .item = "elements-file"},
                          fmt::format("expected an id of each element, found none of element {}", element + 1),
                          "name the inputs by ids of the elements; see the argument id-property");
    }
    auto alone = std::make_shared<const ElementSet>(SubsetOf(*where, std::span(&element, 1)));
    inputs_.emplace_back(
        AddInput(id, unit, std::move(alone), {.asks = spans ? InputTime::Span : InputTime::Instant}).Item());
  }
  output_ = AddOutput(item_.Value(), unit, where,
                      {.caption = item_.Value(),
                       .description = "what the inputs are given, by element",
                       .gives = spans ? OutputTime::Span : OutputTime::Instant,
                       // inputs are asked for the first time in a step
                       .initial = kNotANumber});
}

void GatherElements::Step(Stamp, Stamp) {
  const std::span<double> row = output_.Next();
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = inputs_[i].Get();
}

}  // namespace openmi

OPENMI_EXPORT_COMPONENT_AS("openmi.Gather", openmi::GatherElements)
