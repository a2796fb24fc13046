#include "fmi-bridge/dcp/component/SlaveArguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "fmi-bridge/dcp/description/SlaveJson.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi::dcp {

namespace {

/// More arguments than that help nobody.
constexpr std::size_t kMostArguments = 5000;

std::vector<std::string> Parts(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(" ,;\t\n", at)) != std::string::npos) {
    const std::size_t end = text.find_first_of(" ,;\t\n", at);
    parts.push_back(text.substr(at, end == std::string::npos ? end : end - at));
    if (end == std::string::npos) break;
    at = end;
  }
  return parts;
}

template <class T>
bool ParseAs(const std::string& text, T& value) {
  const char* begin = text.c_str();
  const char* const last = begin + text.size();
  if (*begin == '+') ++begin;
  const auto [end, error] = std::from_chars(begin, last, value);
  return error == std::errc() && end == last;
}

bool ParseInteger(const std::string& text, DataType type, std::int64_t& value) {
  if (type == DataType::uint64) {
    std::uint64_t bits = 0;
    if (!ParseAs(text, bits)) return false;
    value = static_cast<std::int64_t>(bits);
    return true;
  }
  if (!ParseAs(text, value)) return false;
  const bool is_unsigned = type <= DataType::uint64;
  const std::size_t bits = SizeOf(type) * 8 - (is_unsigned ? 0 : 1);
  if (bits >= 63) return true;
  const std::int64_t most = (std::int64_t{1} << bits) - 1;
  return value <= most && value >= (is_unsigned ? 0 : -most - 1);
}

bool ParseBytes(const std::string& text, std::string& bytes) {
  if (text.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    unsigned byte = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + i + 2, byte, 16);
    if (error != std::errc() || end != text.data() + i + 2) return false;
    bytes += static_cast<char>(byte);
  }
  return true;
}

}  // namespace

void SetFromText(const Variable& variable, const std::string& text, TypedValue& value) {
  const auto refuse = [&](const std::string& expected, const std::string& found) {
    throw ArgumentError({.item = variable.name}, fmt::format("expected {}, found '{}'", expected, found),
                        "write numbers with a decimal point, several between blanks");
  };
  if (IsText(value.Type())) {
    std::string bytes = text;
    if (value.Type() == DataType::binary) {
      bytes.clear();
      if (!ParseBytes(text, bytes)) refuse("bytes in hexadecimal digits", text);
    }
    if (!value.SetText(bytes)) refuse(fmt::format("at most {} bytes", value.MaxSize()), text);
    return;
  }
  std::vector<std::string> parts = Parts(text);
  if (parts.size() == 1 && value.Elements() != 1) parts.resize(value.Elements(), parts[0]);
  if (parts.size() != value.Elements()) {
    refuse(fmt::format("{} value{}", value.Elements(), value.Elements() == 1 ? "" : "s"),
           fmt::format("{} of them", parts.size()));
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (IsFloat(value.Type())) {
      double number = 0.0;
      if (!ParseAs(parts[i], number)) refuse("a number", parts[i]);
      value.SetNumber(number, i);
    } else {
      std::int64_t number = 0;
      if (!ParseInteger(parts[i], value.Type(), number)) {
        refuse(fmt::format("a value of type {}", ElementName(value.Type())), parts[i]);
      }
      value.SetInteger(number, i);
    }
  }
}

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
        } catch (const UnitError&) {  // a name of the slave's own: a bare number
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

const Variable* SlaveArguments::VariableOf(const SlaveDescription& description, const std::string& id) const {
  for (const Entry& entry : entries_) {
    if (entry.item->Id() == id) return description.Find(entry.name);
  }
  return nullptr;
}

}  // namespace openmi::dcp
