#include "fmi-bridge/dcp/master/component/SlaveArguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fmi-bridge/common/items/ArgumentText.hpp"
#include "fmi-bridge/dcp/protocol/description/IntegerTypes.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi::dcp {

namespace {

/// More arguments than this are of no use.
constexpr std::size_t kMostArguments = 5000;

/// Sets a variable from a text as a user writes it.
///
/// Numbers are separated by blanks or commas, bytes are hexadecimal digits, a string is taken as it is. One number
/// applies to all elements of an array.
/// \throws ArgumentError  not a value of the variable, or the wrong number of values
void SetFromText(const Variable& variable, const std::string& text, TypedValue& value) {
  const items::ArgumentText argument(variable.name, text);
  if (IsText(value.Type())) {
    const std::string bytes = value.Type() == DataType::binary ? argument.Bytes() : text;
    if (!value.SetText(bytes)) argument.Refuse(fmt::format("at most {} bytes", value.MaxSize()), text);
    return;
  }
  const std::vector<std::string> parts = argument.Parts(value.Elements());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (IsFloat(value.Type())) {
      value.SetNumber(argument.Number(parts[i]), i);
    } else {
      const std::optional<std::int64_t> number = described::ParseInteger(parts[i], RangeOf(value.Type()));
      if (!number) argument.Refuse(fmt::format("a value of type {}", ElementName(value.Type())), parts[i]);
      value.SetInteger(*number, i);
    }
  }
}

}  // namespace

void SlaveArguments::Add(ArgumentList& list, const SlaveDescription& description) {
  for (const Variable& variable : description.variables) {
    if (entries_.size() >= kMostArguments) break;
    if (variable.kind == VariableKind::Output || Find(variable.name) != nullptr) continue;
    const std::string id = list.Find(variable.name) == nullptr ? variable.name : "dcp:" + variable.name;
    if (list.Find(id) != nullptr) continue;
    const std::string text = StartText(variable);
    ArgumentItem* item = nullptr;
    const auto add = [&]<class T>(ArgumentOptions<T> options) {
      options.caption = variable.name;
      options.description = variable.description;
      options.optional = true;
      item = &list.Add<T>(id, options).Item();
    };
    const Limits& limits = variable.attributes.limits;
    const StartValues& start = variable.start;
    if (IsFloat(variable.Type()) && !variable.IsArray() && start.floats.size() == 1) {
      ArgumentOptions<double> options{.value = start.floats[0]};
      if (const UnitDefinition* unit = description.UnitOf(variable)) {
        try {
          Unit::Parse(unit->name);
          options.unit = unit->name;
        } catch (const UnitError&) {  // a name that only the slave knows: a bare number
        }
      }
      if (limits.minimum && *limits.minimum <= *options.value) options.minimum = limits.minimum;
      if (limits.maximum && *limits.maximum >= *options.value) options.maximum = limits.maximum;
      add(options);
    } else if (IsInteger(variable.Type()) && variable.Type() != DataType::uint64 && !variable.IsArray() &&
               start.integers.size() == 1) {
      ArgumentOptions<std::int64_t> options{.value = start.integers[0]};
      if (limits.minimum && limits.integer_minimum <= *options.value) options.minimum = limits.integer_minimum;
      if (limits.maximum && limits.integer_maximum >= *options.value) options.maximum = limits.integer_maximum;
      add(options);
    } else {
      add(ArgumentOptions<std::string>{.value = text});
    }
    entries_.push_back({variable.name, item});
  }
}

std::vector<Index> SlaveArguments::Apply(const SlaveDescription& description, SlaveValues& values) const {
  std::vector<Index> set;
  for (const bool structural : {true, false}) {
    for (const Entry& entry : entries_) {
      if (!entry.item->IsSet()) continue;
      const Variable* variable = description.Find(entry.name);
      if (variable == nullptr) {
        std::vector<std::string> all;
        for (const Variable& one : description.variables) all.push_back(one.name);
        throw ArgumentError({.file = description.file, .item = entry.name},
                            "expected a variable of the slave, found none of that name", Suggest(entry.name, all));
      }
      if ((variable->kind == VariableKind::StructuralParameter) != structural) continue;
      const auto index = static_cast<Index>(variable - description.variables.data());
      SetFromText(*variable, entry.item->ValueAsString(), values.At(index));
      if (variable->kind != VariableKind::Input) set.push_back(index);
    }
    if (structural && !values.FollowStructure()) {
      throw ArgumentError({.file = description.file},
                          "expected structural parameters that give arrays of a size that fits into memory, found "
                          "larger ones",
                          "give them smaller values");
    }
  }
  return set;
}

const ArgumentItem* SlaveArguments::Find(std::string_view variable) const {
  const auto found = std::ranges::find(entries_, variable, &Entry::name);
  return found == entries_.end() ? nullptr : found->item;
}

}  // namespace openmi::dcp
