#include "components/Constant.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "components/ArgumentUnit.hpp"
#include "components/CellNumber.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi {

Constant::Constant() : StatefulSteppingComponent("constant", "P1D") {
  SetDescription("the same values at all times");
  SetRestartable(true);
  item_ = ArgumentItems().AddPlain("item", {.caption = "id of the output", .value = "value"});
  value_ = AddArgument<std::string>(
      "value", {.caption = "value",
                .description = "one for all elements, or one each between commas; 'nan' is missing",
                .meaning = ArgumentMeaning::Plain});
  unit_ = ArgumentItems().AddPlain("unit", {.caption = "unit", .value = "1"});
  gives_ = AddArgument<std::string>("gives", {.caption = "what the values are",
                                              .description = "span: a mean over any span; instant: at any time",
                                              .value = "span",
                                              .possible_values = {"span", "instant"}});
  elements_.AddTo(ArgumentItems());
}

void Constant::Setup() {
  const auto where = elements_.Elements(item_.Value(), [this](const std::string& path) { return PathOf(path); });
  const std::size_t count = where ? static_cast<std::size_t>(where->ElementCount()) : 1;
  values_.clear();
  for (const std::string& part : Split(value_.Value(), kCommasAndBlanks)) {
    const std::optional<double> number = ParseNumber(part);
    if (!number) {
      throw ArgumentError({.component = Caption(), .item = "value"}, fmt::format("expected a number, found '{}'", part),
                          "write it with a decimal point");
    }
    values_.push_back(*number);
  }
  if (values_.size() == 1) values_.resize(count, values_[0]);
  if (values_.size() != count) {
    throw ArgumentError({.component = Caption(), .item = "value"},
                        fmt::format("expected 1 or {} values, found {}", count, values_.size()),
                        "give one for all elements, or one each");
  }
  const bool spans = gives_.Value() == "span";
  output_ = AddOutput(item_.Value(), ArgumentUnit(unit_.Value(), Caption(), "unit"), where,
                      {.description = "constant", .gives = spans ? OutputTime::Span : OutputTime::Instant});
  output_.Item().SetTimeless(true);
}

void Constant::Start(Stamp) {
  if (output_.Item().Gives() == OutputTime::Instant) std::ranges::copy(values_, output_.Next().begin());
}

void Constant::Step(Stamp, Stamp) {
  std::ranges::copy(values_, output_.Next().begin());
}

}  // namespace openmi

OPENMI_EXPORT_COMPONENT_AS("openmi.Constant", openmi::Constant)
