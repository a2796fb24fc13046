// StructureReader: bindings, sets and mappings of parameters.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "fmi-bridge/description/DescriptionText.hpp"
#include "fmi-bridge/ssp/SystemStructure.hpp"

namespace openmi::ssp {

namespace fs = std::filesystem;

void StructureReader::ReadUnits(const XmlElement& xml) {
  const XmlElement* units = xml.Child("Units");
  if (units == nullptr) return;
  for (const XmlElement* child : units->Children("Unit")) {
    fmi::UnitDefinition unit;
    unit.name = Name(*child, "name");
    unit.line = child->line;
    if (const XmlElement* base = child->Child("BaseUnit")) {
      static constexpr std::array<std::string_view, 8> kNames = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
      for (std::size_t i = 0; i < kNames.size(); ++i) {
        const double power = Number(*base, kNames[i], 0.0);
        if (power < -1000.0 || power > 1000.0) continue;
        unit.exponents[i] = static_cast<int>(power);
      }
      unit.factor = Number(*base, "factor", 1.0);
      unit.offset = Number(*base, "offset", 0.0);
      unit.has_base = unit.factor != 0.0;
    }
    units_.insert_or_assign(unit.name, unit);
  }
}

std::vector<ParameterValue> StructureReader::ReadSet(const XmlElement& set) {
  ReadUnits(set);
  std::vector<ParameterValue> values;
  const XmlElement* parameters = set.Child("Parameters");
  if (parameters == nullptr) {
    AddError(problems_, set.Place(), "expected Parameters in a ParameterSet, found none", "write them");
    return values;
  }
  for (const XmlElement* child : parameters->Children("Parameter")) {
    ParameterValue value{
        .name = Name(*child, "name"), .value = {}, .unit = {}, .line = child->line, .file = *child->file};
    const auto type =
        std::ranges::find_if(child->children, [](const XmlElement& one) { return one.name != "Annotations"; });
    if (type == child->children.end()) {
      AddError(problems_, child->Place(),
               fmt::format("expected a value of parameter {}, found none", Quoted(value.name)),
               "write Real, Integer, Boolean, String or Enumeration with a value");
      continue;
    }
    const bool is_text = type->name == "String" || type->name == "Enumeration" || type->name == "Binary";
    const XmlAttribute* text = type->Attribute("value");
    if (text == nullptr) {
      AddError(problems_, type->Place(), fmt::format("expected the attribute value of {}, found none", type->name),
               "write value=\"...\"");
      continue;
    }
    value.value = text->value;
    value.unit = type->Get("unit");
    value.is_real = type->name == "Real" || type->name == "Float64" || type->name == "Float32";
    bool is_good = true;
    if (value.is_real) {
      is_good = described::ParseDouble(value.value).has_value();
    } else if (type->name == "Boolean") {
      const std::optional<bool> truth = described::ParseBoolean(value.value);
      is_good = truth.has_value();
      if (truth) value.value = *truth ? "true" : "false";
    } else if (!is_text) {
      is_good = described::ParseSigned(value.value) || described::ParseUnsigned(value.value);
    }
    if (!is_good) {
      AddError(problems_, type->Place(*text),
               fmt::format("expected a single value of type {} for {}, found {}", type->name, Quoted(value.name),
                           Quoted(value.value)),
               "correct the value");
      continue;
    }
    values.push_back(std::move(value));
  }
  return values;
}

void StructureReader::Map(const XmlElement& mapping, std::vector<ParameterValue>& values) {
  std::vector<ParameterValue> mapped;
  for (const XmlElement* entry : mapping.Children("MappingEntry")) {
    const XmlAttribute* named = entry->Attribute("source");  // the schema lets it be empty
    const std::string source = named != nullptr ? named->value : Name(*entry, "source");
    const std::string target = Name(*entry, "target");
    const Transformation transformation = ReadTransformation(*entry);
    const auto found = std::ranges::find(values, source, &ParameterValue::name);
    if (found == values.end()) {
      AddWarning(problems_, entry->Place(), fmt::format("expected a parameter {} to map, found none", Quoted(source)),
                 "remove the entry, or correct its source");
      continue;
    }
    ParameterValue value = *found;
    value.name = target;
    if (transformation.suppress_units) value.unit.clear();
    if (transformation.kind == Transformation::Kind::Linear) {
      if (!described::ParseDouble(value.value)) {
        AddError(problems_, entry->Place(),
                 fmt::format("expected a number to transform, found {} as {}", Quoted(value.value), Quoted(source)),
                 "remove the transformation");
        continue;
      }
      value.factor = transformation.factor;
      value.offset = transformation.offset;
      value.is_real = true;
    } else if (transformation.kind != Transformation::Kind::None) {
      const auto one =
          std::ranges::find(transformation.entries, value.value, [](const auto& pair) { return pair.first; });
      if (one == transformation.entries.end()) {
        AddError(
            problems_, entry->Place(),
            fmt::format("expected a MapEntry for the value {} of {}, found none", Quoted(value.value), Quoted(source)),
            "write an entry for each value");
        continue;
      }
      value.value = one->second;
    }
    mapped.push_back(std::move(value));
  }
  values = std::move(mapped);
}

void StructureReader::ReadBinding(const XmlElement& xml, Element& into, const fs::path& base) {
  std::vector<ParameterValue> values;
  if (xml.Attribute("source") != nullptr) {
    const fs::path file = FileOf(xml, base, into);
    const auto set = file.empty() ? nullptr : ReadFile(file, "ParameterSet", xml);
    if (set == nullptr) return;
    values = ReadSet(*set);
  } else {
    const XmlElement* inside = xml.Child("ParameterValues");
    const XmlElement* set = inside == nullptr ? nullptr : inside->Child("ParameterSet");
    if (set == nullptr) {
      AddError(problems_, xml.Place(), "expected a source or ParameterValues in a ParameterBinding, found none",
               "name an .ssv file, or write the ParameterSet");
      return;
    }
    values = ReadSet(*set);
  }
  const std::string prefix = xml.Get("prefix");
  for (ParameterValue& value : values) value.name = prefix + value.name;
  if (const XmlElement* mapping = xml.Child("ParameterMapping")) {
    if (mapping->Attribute("source") != nullptr) {
      const fs::path file = FileOf(*mapping, base, into);
      const auto read = file.empty() ? nullptr : ReadFile(file, "ParameterMapping", *mapping);
      if (read == nullptr) return;
      Map(*read, values);
    } else if (const XmlElement* inside = mapping->Child("ParameterMapping")) {
      Map(*inside, values);
    } else {
      AddError(problems_, mapping->Place(), "expected a source or a ParameterMapping inside, found none",
               "name an .ssm file, or write the mapping");
      return;
    }
  }
  into.parameters.insert(into.parameters.end(), values.begin(), values.end());
}

void StructureReader::ReadBindings(const XmlElement& xml, Element& into, const fs::path& base) {
  const XmlElement* bindings = xml.Child("ParameterBindings");
  if (bindings == nullptr) return;
  for (const XmlElement* child : bindings->Children("ParameterBinding")) ReadBinding(*child, into, base);
}

}  // namespace openmi::ssp
