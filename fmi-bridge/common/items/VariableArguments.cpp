#include "fmi-bridge/common/items/VariableArguments.hpp"

#include <algorithm>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi::items {

ArgumentOptions<double> NumberOptions(double start, const described::Limits& limits,
                                      const described::UnitDefinition* unit) {
  ArgumentOptions<double> options{.value = start};
  if (unit != nullptr) {
    try {
      Unit::Parse(unit->name);
      options.unit = unit->name;
    } catch (const UnitError&) {  // a name that only the model knows: a bare number
    }
  }
  // Solvers may exceed the limits; users may not.
  if (limits.minimum && *limits.minimum <= start) options.minimum = limits.minimum;
  if (limits.maximum && *limits.maximum >= start) options.maximum = limits.maximum;
  return options;
}

ArgumentOptions<std::int64_t> IntegerOptions(std::int64_t start, const described::Limits& limits) {
  ArgumentOptions<std::int64_t> options{.value = start};
  if (limits.minimum && limits.integer_minimum <= start) options.minimum = limits.integer_minimum;
  if (limits.maximum && limits.integer_maximum >= start) options.maximum = limits.integer_maximum;
  return options;
}

std::optional<std::string> VariableArguments::NewId(const ArgumentList& list, const std::string& variable,
                                                    std::string_view prefix) const {
  constexpr std::size_t kMost = 5000;
  if (entries_.size() >= kMost || Find(variable) != nullptr) return std::nullopt;
  std::string id = list.Find(variable) == nullptr ? variable : std::string(prefix) + variable;
  if (list.Find(id) != nullptr) return std::nullopt;
  return id;
}

ArgumentItem* VariableArguments::Find(std::string_view variable) const {
  const auto found = std::ranges::find(entries_, variable, &Entry::variable);
  return found == entries_.end() ? nullptr : found->item;
}

}  // namespace openmi::items
