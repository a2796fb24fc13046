#include "fmi-bridge/dcp/master/component/SlaveArguments.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "fmi-bridge/common/items/ArgumentText.hpp"
#include "fmi-bridge/dcp/protocol/description/IntegerTypes.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::dcp {

namespace {

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
    if (variable.kind == VariableKind::Output) continue;
    const std::optional<std::string> id = arguments_.NewId(list, variable.name, "dcp:");
    if (!id) continue;
    const auto add = [&](auto options) { arguments_.Add(list, *id, variable, std::move(options)); };
    const Limits& limits = variable.attributes.limits;
    const StartValues& start = variable.start;
    if (IsFloat(variable.Type()) && !variable.IsArray() && start.floats.size() == 1) {
      add(items::NumberOptions(start.floats[0], limits, description.UnitOf(variable)));
    } else if (IsInteger(variable.Type()) && variable.Type() != DataType::uint64 && !variable.IsArray() &&
               start.integers.size() == 1) {
      add(items::IntegerOptions(start.integers[0], limits));
    } else {
      add(ArgumentOptions<std::string>{.value = StartText(variable)});
    }
  }
}

std::vector<Index> SlaveArguments::Apply(const SlaveDescription& description, SlaveValues& values) const {
  std::vector<Index> set;
  for (const bool structural : {true, false}) {
    for (const auto& entry : arguments_.Entries()) {
      if (!entry.item->IsSet()) continue;
      const Variable* variable = description.Find(entry.variable);
      if (variable == nullptr) {
        std::vector<std::string> all;
        for (const Variable& one : description.variables) all.push_back(one.name);
        throw ArgumentError({.file = description.file, .item = entry.variable},
                            "expected a variable of the slave, found none of that name", Suggest(entry.variable, all));
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

}  // namespace openmi::dcp
