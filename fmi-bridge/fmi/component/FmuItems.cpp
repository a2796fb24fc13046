#include "fmi-bridge/fmi/component/FmuItems.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "fmi-bridge/common/items/ItemDefinitions.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quality.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi::fmi {

described::DescribedUnit UnitOf(const ModelDescription& description, const Variable& variable) {
  const UnitDefinition* definition = description.UnitOf(variable);
  if (definition == nullptr) return {Unit("1", 1.0, 0.0, Dimension()), true, {}};
  return described::UnitOf(*definition, variable.attributes.relative_quantity);
}

std::unique_ptr<const IValueDefinition> DefinitionOf(const ModelDescription& description, const Variable& variable) {
  const std::string& caption = variable.attributes.quantity.empty() ? variable.name : variable.attributes.quantity;
  if (variable.type == VariableType::Clock) return std::make_unique<Quantity>(Unit::Parse("1"), "ticks so far");
  if (IsNumeric(variable.type)) return std::make_unique<Quantity>(UnitOf(description, variable).unit, caption);
  if (variable.type == VariableType::Boolean) {
    std::vector<Category> categories;
    categories.emplace_back(Value("false"));
    categories.emplace_back(Value("true"));
    return std::make_unique<Quality>(caption, std::move(categories), false);
  }
  if (variable.type == VariableType::Enumeration) {
    std::vector<Category> categories;
    if (const TypeDefinition* type = description.TypeOf(variable)) {
      for (const EnumerationItem& item : type->items) {
        categories.emplace_back(Value(item.name), item.name, item.description);
      }
    }
    return std::make_unique<Quality>(caption, std::move(categories), false);
  }
  return items::PlainDefinitionOf(caption,
                                  variable.type == VariableType::Binary ? ValueKind::Binary : ValueKind::String);
}

std::shared_ptr<const ISpatialDefinition> ElementsOf(const Variable& variable, const std::vector<std::size_t>& sizes) {
  return items::ArrayElements(variable.name, sizes);
}

InterfaceKind DefaultKind(const ModelDescription& description) {
  for (const InterfaceKind kind : {InterfaceKind::CoSimulation, InterfaceKind::ModelExchange}) {
    if (description.Of(kind)) return kind;
  }
  return InterfaceKind::ScheduledExecution;
}

double SecondsPerTimeUnit(const ModelDescription& description) {
  if (description.independent == kNowhere) return 1.0;
  const Variable& time = description.At(description.independent);
  const UnitDefinition* unit = description.UnitOf(time);
  if (unit == nullptr || !unit->has_base) return 1.0;
  constexpr std::array<int, 8> kSeconds = {0, 0, 1, 0, 0, 0, 0, 0};
  if (unit->exponents != kSeconds) {
    throw FormatError({.file = description.file, .line = time.line, .item = time.name},
                      fmt::format("expected an independent variable that is a time, found one in '{}'", unit->name),
                      "only FMUs that run in time can be components");
  }
  return unit->factor;
}

/// The shortest interval of the periodic input clocks, in units of the independent variable; 0 if none is given.
static double ShortestInterval(const ModelDescription& description) {
  double shortest = 0.0;
  for (const Variable& variable : description.variables) {
    if (variable.type != VariableType::Clock || variable.causality != Causality::Input) continue;
    const ClockAttributes& clock = description.ClockOf(variable);
    const bool is_periodic = clock.interval_variability <= IntervalVariability::Tunable;
    const double interval = is_periodic ? clock.interval_decimal.value_or(0.0) : 0.0;
    if (interval > 0.0 && (shortest == 0.0 || interval < shortest)) shortest = interval;
  }
  return shortest;
}

double DefaultStepSeconds(const ModelDescription& description, InterfaceKind kind) {
  const auto& experiment = description.experiment;
  double step = experiment.step.value_or(0.0);
  if (const auto& offers = description.Of(kind); step <= 0.0 && offers) {
    step = offers->fixed_internal_step.value_or(0.0);
  }
  if (step <= 0.0 && kind == InterfaceKind::ScheduledExecution) step = ShortestInterval(description);
  if (step <= 0.0 && experiment.stop) step = (*experiment.stop - experiment.start.value_or(0.0)) / 500.0;
  return step > 0.0 ? step * SecondsPerTimeUnit(description) : 0.0;
}

}  // namespace openmi::fmi
