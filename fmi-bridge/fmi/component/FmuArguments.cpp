#include "fmi-bridge/fmi/component/FmuArguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "fmi-bridge/common/items/ArgumentText.hpp"
#include "fmi-bridge/fmi/TypeReader.hpp"
#include "fmi-bridge/fmi/run/ValueBatch.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::fmi {
namespace {

bool IsText(VariableType type) {
  return type == VariableType::String || type == VariableType::Binary;
}

std::optional<std::int64_t> WholeNumber(const ModelDescription& description, const Variable& variable,
                                        const std::string& text) {
  if (variable.type == VariableType::Boolean) {
    if (text == "true" || text == "1") return 1;
    if (text == "false" || text == "0") return 0;
    return std::nullopt;
  }
  if (variable.type == VariableType::Enumeration) {
    if (const TypeDefinition* type = description.TypeOf(variable)) {
      for (const EnumerationItem& item : type->items) {
        if (item.name == text) return item.value;
      }
    }
  }
  return ParseInteger(text, variable.type);
}

}  // namespace

bool IsSettable(const ModelDescription& description, const Variable& variable) {
  if (variable.type == VariableType::Clock) {
    const ClockAttributes& clock = description.ClockOf(variable);
    const bool is_open = clock.interval_variability == IntervalVariability::Fixed ||
                         clock.interval_variability == IntervalVariability::Tunable;
    return variable.causality == Causality::Input && is_open && clock.interval_decimal;
  }
  if (variable.variability == Variability::Constant) return false;
  switch (variable.causality) {
    case Causality::Parameter:
    case Causality::StructuralParameter:
    case Causality::Input:
      return true;
    case Causality::Output:
    case Causality::Local:
      return variable.initial == Initial::Exact || variable.initial == Initial::Approx;
    default:
      return false;
  }
}

void ExpectSettable(const ModelDescription& description, const Variable& variable, const Where& where) {
  if (IsSettable(description, variable)) return;
  const std::string found = variable.type == VariableType::Clock ? "a clock whose interval is not the importer's"
                            : variable.variability == Variability::Constant
                                ? "a constant"
                                : fmt::format("one that the FMU computes (causality {})", Name(variable.causality));
  throw ArgumentError(where, "expected a variable that can be set before the run, found " + found,
                      "set parameters, inputs, and outputs and locals with a start value");
}

StartValue ReadStartValue(const ModelDescription& description, Index index, const std::string& text,
                          std::size_t elements) {
  const Variable& variable = description.At(index);
  ExpectSettable(description, variable, {.file = description.file, .line = variable.line, .item = variable.name});
  const items::ArgumentText argument(variable.name, text);
  StartValue value{.variable = index, .numbers = {}, .integers = {}, .texts = {}};
  if (variable.type == VariableType::String) {
    value.texts.assign(elements, text);
    return value;
  }
  if (variable.type == VariableType::Binary) {
    value.texts.assign(elements, argument.Bytes());
    return value;
  }
  if (variable.type == VariableType::Enumeration) {  // the name of an item may have blanks
    if (const std::optional<std::int64_t> number = WholeNumber(description, variable, text)) {
      value.integers.assign(elements, *number);
      return value;
    }
  }
  for (const std::string& part : argument.Parts(elements)) {
    if (IsFloat(variable.type) || variable.type == VariableType::Clock) {
      value.numbers.push_back(argument.Number(part));
    } else {
      const std::optional<std::int64_t> number = WholeNumber(description, variable, part);
      if (!number) argument.Refuse(fmt::format("a value of type {}", Name(variable.type, description.version)), part);
      value.integers.push_back(*number);
    }
  }
  return value;
}

std::string ItemName(const ModelDescription& description, const Variable& variable, std::int64_t value) {
  if (const TypeDefinition* type = description.TypeOf(variable)) {
    for (const EnumerationItem& item : type->items) {
      if (item.value == value) return item.name;
    }
  }
  return std::to_string(value);
}

std::string StartText(const ModelDescription& description, const Variable& variable) {
  std::vector<std::string> parts;
  if (IsFloat(variable.type)) {
    for (const double value : description.Floats(variable)) parts.push_back(fmt::format("{}", value));
  } else if (variable.type == VariableType::Boolean) {
    for (const std::int64_t value : description.Integers(variable)) parts.emplace_back(value != 0 ? "true" : "false");
  } else if (variable.type == VariableType::Enumeration) {
    const std::span<const std::int64_t> values = description.Integers(variable);
    for (const std::int64_t value : values) {  // of arrays the numbers, since names may have blanks
      parts.push_back(values.size() == 1 ? ItemName(description, variable, value) : std::to_string(value));
    }
  } else if (variable.type == VariableType::UInt64) {
    for (const std::int64_t value : description.Integers(variable)) {
      parts.push_back(std::to_string(static_cast<std::uint64_t>(value)));
    }
  } else if (IsInteger(variable.type)) {
    for (const std::int64_t value : description.Integers(variable)) parts.push_back(std::to_string(value));
  } else if (variable.type == VariableType::Clock) {
    const auto& interval = description.ClockOf(variable).interval_decimal;
    if (interval) parts.push_back(fmt::format("{}", *interval));
  } else if (variable.HasStart()) {
    const std::string text = description.Texts(variable)[0];
    if (variable.type == VariableType::String) return text;
    for (const char c : text) parts.push_back(fmt::format("{:02x}", static_cast<unsigned char>(c)));
    return fmt::format("{}", fmt::join(parts, ""));
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

void SetStartValue(Instance& instance, const StartValue& value) {
  const Variable& variable = instance.Description().At(value.variable);
  const std::span<const ValueReference> reference(&variable.value_reference, 1);
  if (variable.type == VariableType::String) return instance.SetTexts(reference, value.texts);
  if (variable.type == VariableType::Binary) return instance.SetBinaries(reference, value.texts);
  ValueBatch batch(instance, variable.type);
  const std::size_t count = IsFloat(variable.type) ? value.numbers.size() : value.integers.size();
  batch.Add(variable.value_reference, count);
  for (std::size_t i = 0; i < count; ++i) {
    if (IsFloat(variable.type)) {
      batch.SetNumber(i, value.numbers[i]);
    } else {
      batch.SetInteger(i, value.integers[i]);
    }
  }
  batch.Set(instance);
}

void SetStartValues(Instance& instance, Clocks& clocks, std::span<const StartValue> values) {
  const ModelDescription& description = instance.Description();
  const auto variable_of = [&](const StartValue& value) -> const Variable& { return description.At(value.variable); };
  const auto is_structural = [&](const StartValue& value) {
    return variable_of(value).causality == Causality::StructuralParameter;
  };
  if (std::ranges::any_of(values, is_structural)) {
    instance.EnterConfiguration();
    for (const StartValue& value : values) {
      if (is_structural(value)) SetStartValue(instance, value);
    }
    instance.ExitConfiguration();
  }
  for (const StartValue& value : values) {
    if (is_structural(value)) continue;
    if (variable_of(value).type == VariableType::Clock) {
      clocks.SetInterval(description, value.variable, value.numbers[0]);
    } else {
      SetStartValue(instance, value);
    }
  }
}

std::vector<std::string> NamesOfVariables(const ModelDescription& description) {
  std::vector<std::string> names;
  for (const Variable& variable : description.variables) names.push_back(variable.name);
  return names;
}

Index FindVariable(const ModelDescription& description, const VariableNames& names, const std::string& name) {
  const Index index = names.Find(name);
  if (index != kNowhere) return index;
  throw ArgumentError({.file = description.file, .item = name},
                      "expected a variable of the FMU, found none of that name",
                      Suggest(name, NamesOfVariables(description)));
}

std::vector<std::vector<std::size_t>> ArraySizes(const ModelDescription& description,
                                                 const std::vector<StartValue>& values) {
  constexpr std::size_t kMostElements = std::size_t{1} << 28;
  std::vector<std::vector<std::size_t>> sizes(description.variables.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::size_t count = 1;
    for (const ArrayDimension& dimension : description.variables[i].dimensions) {
      std::size_t size = dimension.size;
      for (const StartValue& value : values) {
        if (value.variable == dimension.variable && dimension.variable != kNowhere) {
          size = static_cast<std::size_t>(value.integers[0]);
        }
      }
      if (size == 0 || size > kMostElements / count) {
        throw ArgumentError(
            {.file = description.file, .item = description.variables[i].name},
            fmt::format("expected an array of 1 to {} elements, found a dimension of {}", kMostElements, size),
            "give its structural parameter another value");
      }
      count *= size;
      sizes[i].push_back(size);
    }
  }
  return sizes;
}

std::vector<std::size_t> ElementCounts(const ModelDescription& description, const std::vector<StartValue>& values) {
  const std::vector<std::vector<std::size_t>> sizes = ArraySizes(description, values);
  std::vector<std::size_t> counts(sizes.size(), 1);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (const std::size_t size : sizes[i]) counts[i] *= size;
  }
  return counts;
}

namespace {

bool IsTunableParameter(const ModelDescription& description, const Variable& variable) {
  return variable.causality == Causality::Parameter && variable.variability == Variability::Tunable &&
         variable.type != VariableType::Clock && description.version != FmiMajor::Fmi1;
}

}  // namespace

bool FmuArguments::IsTunable(const ModelDescription& description, std::string_view argument) const {
  const auto entries = arguments_.Entries();
  const auto entry = std::ranges::find(entries, argument, [](const auto& one) { return one.item->Id(); });
  if (entry == entries.end()) return false;
  const auto variable = std::ranges::find(description.variables, entry->variable, &Variable::name);
  return variable != description.variables.end() && IsTunableParameter(description, *variable);
}

void FmuArguments::Add(ArgumentList& list, const ModelDescription& description,
                       const std::function<bool(Index)>& is_taken,
                       const std::function<void(Index, const ArgumentItem&)>& tuned) {
  for (const Variable& variable : description.variables) {
    const auto index = static_cast<Index>(&variable - description.variables.data());
    if (is_taken(index)) continue;
    const bool is_clock = variable.type == VariableType::Clock;
    if (!IsSettable(description, variable) || (!variable.HasStart() && !is_clock)) continue;
    if (variable.alias != AliasKind::None) continue;
    const std::optional<std::string> id = arguments_.NewId(list, variable.name, kArgumentPrefix);
    if (!id) continue;
    const std::string text = StartText(description, variable);
    const auto add = [&](auto options) { arguments_.Add(list, *id, variable, std::move(options)); };
    const Limits& limits = variable.attributes.limits;
    if (is_clock) {
      add(ArgumentOptions<double>{.value = description.ClockOf(variable).interval_decimal});
    } else if (variable.IsArray() || IsText(variable.type) || variable.type == VariableType::UInt64) {
      add(ArgumentOptions<std::string>{.value = text});
    } else if (IsFloat(variable.type)) {
      add(items::NumberOptions(description.Floats(variable)[0], limits, description.UnitOf(variable)));
    } else if (variable.type == VariableType::Boolean) {
      add(ArgumentOptions<bool>{.value = description.Integers(variable)[0] != 0});
    } else if (variable.type == VariableType::Enumeration) {
      ArgumentOptions<std::string> options{.value = text};
      if (const TypeDefinition* type = description.TypeOf(variable)) {
        for (const EnumerationItem& entry : type->items) options.possible_values.push_back(entry.name);
        if (std::ranges::find(options.possible_values, text) == options.possible_values.end()) {
          options.possible_values.push_back(text);
        }
      }
      add(options);
    } else {
      add(items::IntegerOptions(description.Integers(variable)[0], limits));
    }
    ArgumentItem& item = *arguments_.Entries().back().item;
    if (IsTunableParameter(description, variable)) item.changed = [tuned, index, &item] { tuned(index, item); };
  }
}

void FmuArguments::Tune(StartValue value, bool is_running) {
  for (auto* values : {&values_, &tuned_}) {
    std::erase_if(*values, [&value](const StartValue& one) { return one.variable == value.variable; });
  }
  if (is_running) tuned_.push_back(value);
  values_.push_back(std::move(value));
}

void FmuArguments::SaveTuned(StateWriter& writer) const {
  writer.Write(static_cast<std::int64_t>(tuned_.size()));
  for (const StartValue& value : tuned_) {
    writer.Write(static_cast<std::int64_t>(value.variable));
    writer.Write(value.numbers);
    writer.Write(ByteView(std::as_bytes(std::span(value.integers))));
    writer.Write(static_cast<std::int64_t>(value.texts.size()));
    for (const std::string& text : value.texts) writer.Write(text);
  }
}

void FmuArguments::LoadTuned(StateReader& reader, const ModelDescription& description, const Where& where) {
  tuned_.clear();
  const std::vector<std::size_t> counts = ElementCounts(description, values_);
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    const std::int64_t index = reader.ReadInteger();
    StartValue value{
        .variable = static_cast<Index>(index), .numbers = reader.ReadDoubles(), .integers = {}, .texts = {}};
    const ByteView bytes = reader.ReadBytes();
    value.integers.resize(bytes.size() / sizeof(std::int64_t));
    if (!value.integers.empty())
      std::memcpy(value.integers.data(), bytes.data(), value.integers.size() * sizeof(std::int64_t));
    for (std::int64_t texts = reader.ReadInteger(); texts > 0; --texts) value.texts.push_back(reader.ReadText());
    const bool is_known = index >= 0 && index < std::ssize(description.variables);
    const std::size_t count = !is_known                                      ? 0
                              : IsText(description.At(value.variable).type)  ? value.texts.size()
                              : IsFloat(description.At(value.variable).type) ? value.numbers.size()
                                                                             : value.integers.size();
    if (!is_known || count != counts[static_cast<std::size_t>(index)] ||
        !IsTunableParameter(description, description.At(value.variable))) {
      throw FormatError(
          where,
          fmt::format("expected new values of tunable parameters in the state, found a value of variable {}", index),
          "restore it with the FMU that it was kept with");
    }
    tuned_.push_back(std::move(value));
  }
}

void FmuArguments::Read(const ModelDescription& description, std::span<const std::string> more,
                        const std::string& component) {
  values_.clear();
  tuned_.clear();
  const VariableNames names(description);
  // Structural parameters first, because the sizes of the other arrays depend on them.
  for (const bool structural : {true, false}) {
    std::vector<std::size_t> counts;
    for (const auto& entry : arguments_.Entries()) {
      if (!entry.item->IsSet()) continue;
      const auto index = static_cast<std::size_t>(FindVariable(description, names, entry.variable));
      if ((description.variables[index].causality == Causality::StructuralParameter) != structural) continue;
      if (counts.empty()) counts = ElementCounts(description, values_);
      values_.push_back(
          ReadStartValue(description, static_cast<Index>(index), entry.item->ValueAsString(), counts[index]));
    }
  }
  const std::vector<std::size_t> counts = ElementCounts(description, values_);
  for (const std::string& entry : more) {
    const std::size_t equals = entry.find('=');
    const Index index = names.Find(entry.substr(0, equals));
    if (equals == std::string::npos || index == kNowhere) {
      throw ArgumentError({.component = component, .item = "set"},
                          fmt::format("expected 'name=value' with a variable of the FMU, found '{}'", entry));
    }
    values_.push_back(
        ReadStartValue(description, index, entry.substr(equals + 1), counts[static_cast<std::size_t>(index)]));
  }
}

}  // namespace openmi::fmi
