#include "fmi-bridge/fmi/TypeReader.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>

namespace openmi::fmi {

described::IntegerRange RangeOf(VariableType type) {
  using described::IntegerRange;
  static constexpr std::pair<VariableType, IntegerRange> kRanges[] = {
      {VariableType::Int8, IntegerRange::Of<std::int8_t>()},
      {VariableType::UInt8, IntegerRange::Of<std::uint8_t>()},
      {VariableType::Int16, IntegerRange::Of<std::int16_t>()},
      {VariableType::UInt16, IntegerRange::Of<std::uint16_t>()},
      {VariableType::Int32, IntegerRange::Of<std::int32_t>()},
      {VariableType::UInt32, IntegerRange::Of<std::uint32_t>()},
      {VariableType::UInt64, IntegerRange::Of<std::uint64_t>()}};
  const auto* found = std::ranges::find(kRanges, type, &std::pair<VariableType, IntegerRange>::first);
  return found != std::end(kRanges) ? found->second : IntegerRange::Of<std::int64_t>();
}

std::optional<std::int64_t> ParseInteger(std::string_view text, VariableType type) {
  return described::ParseInteger(text, RangeOf(type));
}

std::string RangeText(VariableType type) {
  return described::RangeText(RangeOf(type));
}

void TypeReader::ReadUnit(const XmlEventTag& tag) {
  described::Attributes attributes(tag, report_);
  UnitDefinition& unit = description_.units.emplace_back();
  unit.name = attributes.Required(description_.version == FmiMajor::Fmi1 ? "unit" : "name");
  unit.line = tag.line;
  const auto [found, is_new] = units_.try_emplace(unit.name, static_cast<Index>(description_.units.size() - 1));
  if (!is_new && !unit.name.empty()) {
    report_.Twice(tag.line, "unit", unit.name, description_.units[static_cast<std::size_t>(found->second)].line);
  }
}

void TypeReader::ReadBaseUnit(const XmlEventTag& tag) {
  if (description_.units.empty()) return;
  UnitDefinition& unit = description_.units.back();
  described::Attributes attributes(tag, report_, unit.name);
  described::ReadExponents(attributes, unit);
  unit.factor = attributes.Double("factor", 1.0);
  unit.offset = attributes.Double("offset", 0.0);
  if (!std::isfinite(unit.factor) || unit.factor == 0.0) {
    attributes.Wrong("factor", "a number other than 0", fmt::format("{}", unit.factor));
    unit.factor = 1.0;
    unit.has_base = false;
  }
  if (!std::isfinite(unit.offset)) {
    attributes.Wrong("offset", "a number", fmt::format("{}", unit.offset));
    unit.offset = 0.0;
    unit.has_base = false;
  }
}

void TypeReader::ReadDisplayUnit(const XmlEventTag& tag) {
  if (description_.units.empty()) return;
  UnitDefinition& unit = description_.units.back();
  described::Attributes attributes(tag, report_, unit.name);
  const bool is_first = description_.version == FmiMajor::Fmi1;
  DisplayUnit display;
  display.name = attributes.Required(is_first ? "displayUnit" : "name");
  display.factor = attributes.Double(is_first ? "gain" : "factor", 1.0);
  display.offset = attributes.Double("offset", 0.0);
  if (description_.version == FmiMajor::Fmi3) display.inverse = attributes.Boolean("inverse", false);
  if (!std::isfinite(display.factor) || display.factor == 0.0) {
    attributes.Wrong(is_first ? "gain" : "factor", "a number other than 0", fmt::format("{}", display.factor));
    display.factor = 1.0;
  }
  if (display.inverse && display.offset != 0.0) {
    report_.Warning(
        tag.line, unit.name,
        fmt::format("expected offset 0 in the inverse display unit {}, found {}", Quoted(display.name), display.offset),
        "remove the offset");
  }
  described::AddDisplayUnit(std::move(display), tag.line, unit, report_);
}

void TypeReader::BeginType(const XmlEventTag& tag) {
  described::Attributes attributes(tag, report_);
  TypeDefinition& type = description_.types.emplace_back();
  type.name = attributes.Required("name");
  type.description = attributes.Text("description");
  type.line = tag.line;
  attributes.IgnoreRest();  // in 3.0 the other attributes belong to the same element
  const auto [found, is_new] = types_.try_emplace(type.name, static_cast<Index>(description_.types.size() - 1));
  if (!is_new && !type.name.empty()) {
    report_.Twice(tag.line, "type", type.name, description_.types[static_cast<std::size_t>(found->second)].line);
  }
}

void TypeReader::ReadTypeBody(const XmlEventTag& tag, VariableType kind) {
  if (description_.types.empty()) return;
  TypeDefinition& type = description_.types.back();
  type.type = kind;
  described::Attributes attributes(tag, report_, type.name);
  if (description_.version == FmiMajor::Fmi3) {
    attributes.Find("name");
    attributes.Find("description");
  }
  ReadAttributes(attributes, kind, type.attributes);
  if (kind == VariableType::Clock) ReadClock(attributes, type.clock);
}

void TypeReader::ReadItem(const XmlEventTag& tag) {
  if (description_.types.empty()) return;
  TypeDefinition& type = description_.types.back();
  described::Attributes attributes(tag, report_, type.name);
  EnumerationItem item;
  item.name = attributes.Required("name");
  item.description = attributes.Text("description");
  if (description_.version == FmiMajor::Fmi1) {
    item.value = static_cast<std::int64_t>(type.items.size()) + 1;
  } else {
    const std::string text = attributes.Required("value");
    const VariableType width = description_.version == FmiMajor::Fmi2 ? VariableType::Int32 : VariableType::Int64;
    const std::optional<std::int64_t> value = ParseInteger(text, width);
    if (!value && !text.empty()) attributes.Wrong("value", RangeText(width), text);
    item.value = value.value_or(0);
  }
  type.items.push_back(std::move(item));
}

void TypeReader::EndType(int line) {
  if (description_.types.empty()) return;
  TypeDefinition& type = description_.types.back();
  if (type.type != VariableType::Enumeration) return;
  if (type.items.empty()) {
    report_.Error(line, type.name, "expected at least one Item in an enumeration, found none", "write its items");
  }
  std::unordered_set<std::string_view> names;
  std::unordered_set<std::int64_t> values;
  for (const EnumerationItem& item : type.items) {
    if (!names.insert(item.name).second) {
      report_.Error(line, type.name, fmt::format("expected every item once, found {} again", Quoted(item.name)),
                    "rename one of the two");
    }
    if (!values.insert(item.value).second) {
      report_.Error(
          line, type.name,
          fmt::format("expected another value for each item, found {} again at {}", item.value, Quoted(item.name)),
          "give each item its own value");
    }
  }
}

Index TypeReader::FindType(std::string_view name) const {
  const auto found = types_.find(name);
  return found == types_.end() ? kNowhere : found->second;
}

Index TypeReader::UnitNamed(std::string_view name, int line) {
  if (const auto found = units_.find(name); found != units_.end()) return found->second;
  if (description_.version != FmiMajor::Fmi1) {
    report_.Warning(line, {},
                    fmt::format("expected the unit {} among the UnitDefinitions, found none; its meaning is "
                                "taken from its name",
                                Quoted(name)),
                    "define it with its BaseUnit");
  }
  UnitDefinition unit;
  unit.name = name;
  description_.units.push_back(std::move(unit));
  const auto index = static_cast<Index>(description_.units.size() - 1);
  units_.emplace(name, index);
  return index;
}

void TypeReader::ReadUnitNames(described::Attributes& attributes, TypeAttributes& into) {
  if (const auto unit = attributes.Find("unit"); unit && !unit->empty()) {
    const Index index = UnitNamed(*unit, attributes.Line());
    if (index != into.unit) into.display_unit = kNowhere;
    into.unit = index;
  }
  const auto display = attributes.Find("displayUnit");
  if (!display || display->empty()) return;
  if (into.unit == kNowhere) {
    report_.Warning(attributes.Line(), {},
                    fmt::format("expected a unit beside the displayUnit {}, found none", Quoted(*display)),
                    "write the unit too");
    return;
  }
  const UnitDefinition& unit = description_.units[static_cast<std::size_t>(into.unit)];
  const auto found =
      std::ranges::find_if(unit.display_units, [&](const DisplayUnit& one) { return one.name == *display; });
  if (found != unit.display_units.end()) {
    into.display_unit = static_cast<Index>(found - unit.display_units.begin());
  } else if (*display != unit.name && unit.line != 0) {
    report_.Warning(attributes.Line(), {},
                    fmt::format("expected a display unit of {}, found {}", Quoted(unit.name), Quoted(*display)),
                    fmt::format("define it in the Unit on line {}", unit.line));
  }
}

void TypeReader::ReadAttributes(described::Attributes& attributes, VariableType type, TypeAttributes& into) {
  if (IsFloat(type) || IsInteger(type) || type == VariableType::Enumeration) {
    if (const auto quantity = attributes.Find("quantity")) into.quantity = *quantity;
    const std::optional range = IsFloat(type) ? std::nullopt : std::optional(RangeOf(type));
    described::ReadLimits(attributes, range, false, into.limits);
  }
  if (IsFloat(type)) {
    ReadUnitNames(attributes, into);
    into.relative_quantity = attributes.Boolean("relativeQuantity", into.relative_quantity);
    if (description_.version != FmiMajor::Fmi1) into.unbounded = attributes.Boolean("unbounded", into.unbounded);
    into.nominal = attributes.Double("nominal", into.nominal);
    if (into.nominal == 0.0 || !std::isfinite(into.nominal)) {
      report_.Warning(attributes.Line(), {}, fmt::format("expected a nominal other than 0, found {}", into.nominal),
                      "remove the attribute, or write the usual size of the value");
      into.nominal = 1.0;
    }
  }
  if (type == VariableType::Binary) {
    if (const auto mime = attributes.Find("mimeType")) into.mime_type = *mime;
    if (into.mime_type.empty()) into.mime_type = "application/octet-stream";
    if (const auto size = attributes.Unsigned("maxSize")) into.max_size = size;
  }
}

void TypeReader::ReadClock(described::Attributes& attributes, std::optional<ClockAttributes>& into) {
  const bool has_type = into.has_value();
  ClockAttributes clock;
  if (into) clock = *into;
  const auto variability = attributes.OneOf("intervalVariability", kIntervalVariabilities);
  if (variability) {
    clock.interval_variability = *variability;
  } else if (!has_type && !attributes.Find("intervalVariability")) {
    attributes.Required("intervalVariability");
  }
  clock.can_be_deactivated = attributes.Boolean("canBeDeactivated", clock.can_be_deactivated);
  if (const auto priority = attributes.Unsigned32("priority")) clock.priority = priority;
  if (const auto interval = attributes.Double("intervalDecimal")) clock.interval_decimal = interval;
  clock.shift_decimal = attributes.Double("shiftDecimal", clock.shift_decimal);
  clock.supports_fraction = attributes.Boolean("supportsFraction", clock.supports_fraction);
  if (const auto resolution = attributes.Unsigned("resolution")) clock.resolution = resolution;
  if (const auto counter = attributes.Unsigned("intervalCounter")) clock.interval_counter = counter;
  clock.shift_counter = attributes.Unsigned("shiftCounter").value_or(clock.shift_counter);
  if (clock.interval_decimal && !(*clock.interval_decimal > 0.0 && std::isfinite(*clock.interval_decimal))) {
    attributes.Wrong("intervalDecimal", "a number above 0", fmt::format("{}", *clock.interval_decimal));
    clock.interval_decimal.reset();
  }
  if (!(clock.shift_decimal >= 0.0 && std::isfinite(clock.shift_decimal))) {
    attributes.Wrong("shiftDecimal", "a number not below 0", fmt::format("{}", clock.shift_decimal));
    clock.shift_decimal = 0.0;
  }
  into = clock;
}

}  // namespace openmi::fmi
