#include "fmi-bridge/ssp/SystemStructure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>

#include "fmi-bridge/description/DescriptionText.hpp"
#include "fmi-bridge/ssp/ForeignAttributes.hpp"
#include "fmi-bridge/ssp/ImportSystemStructure.hpp"
#include "fmi-bridge/ssp/SourceUri.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::ssp {

namespace fs = std::filesystem;

namespace {

constexpr int kMostNested = 16;
constexpr XmlLimits kLimits{.depth = 128};

const std::vector<std::string> kKinds = {
    "input",    "output", "parameter", "calculatedParameter", "structuralParameter",
    "constant", "local",  "inout",     "unspecified"};

bool EndsWith(const fs::path& path, std::string_view ending) {
  return path.extension() == ending;
}

}  // namespace

std::string StructureReader::Name(const XmlElement& xml, std::string_view attribute) {
  const XmlAttribute* found = xml.Attribute(attribute);
  if (found == nullptr || found->value.empty()) {
    AddError(problems_, xml.Place(),
             fmt::format("expected the attribute {} of {}, found {}", attribute, xml.name,
                         found == nullptr ? "none" : "an empty one"),
             fmt::format("write {}=\"...\"", attribute));
    return {};
  }
  return found->value;
}

double StructureReader::Number(const XmlElement& xml, std::string_view name, double otherwise) {
  const XmlAttribute* attribute = xml.Attribute(name);
  if (attribute == nullptr) return otherwise;
  const std::optional<double> number = described::ParseDouble(attribute->value);
  if (!number || !std::isfinite(*number)) {
    AddError(problems_, xml.Place(*attribute),
             fmt::format("expected a number in {} of {}, found {}", name, xml.name, Quoted(attribute->value)),
             "correct the value");
    return otherwise;
  }
  return *number;
}

fs::path StructureReader::FileOf(const XmlElement& xml, const fs::path& base) {
  const XmlAttribute* source = xml.Attribute("source");
  if (source == nullptr) return {};
  try {
    return FileInside(root_, base, source->value);
  } catch (const Error& error) {
    AddError(problems_, xml.Place(*source), error.Problem(), error.Remedy());
    return {};
  }
}

fs::path StructureReader::FileOf(const XmlElement& xml, const fs::path& base, const Element& of) {
  const std::string source_base = xml.Get("sourceBase", "SSD");
  if (source_base == "SSD") return FileOf(xml, base);
  if (source_base != "component" || of.fmu.empty()) {
    AddError(problems_, xml.Place(),
             fmt::format("expected sourceBase SSD, or component where one with an FMU holds the {}, found {}", xml.name,
                         Quoted(source_base)),
             "put the file beside the description, and leave sourceBase out");
    return {};
  }
  try {
    const auto inside = UnpackedArchive::Open(of.fmu);
    packages_.push_back(inside);
    const fs::path folder = fs::canonical(inside->Folder());
    return FileInside(folder, folder, xml.Get("source"));
  } catch (const Error& error) {
    AddError(problems_, xml.Place(), error.Problem(), error.Remedy());
    return {};
  }
}

std::unique_ptr<XmlElement> StructureReader::ReadFile(const fs::path& path, std::string_view root_name,
                                                      const XmlElement& place) {
  try {
    XmlDocument document = ReadXmlFile(path, kLimits);
    if (document.root.name == root_name) {
      WarnOfForeignAttributes(document.root, problems_);
      return std::make_unique<XmlElement>(std::move(document.root));
    }
    AddError(problems_, document.root.Place(),
             fmt::format("expected the root element {}, found {}", root_name, Quoted(document.root.name)),
             fmt::format("check the file that line {} names", place.line));
  } catch (const Error& error) {
    AddError(problems_, error.Place(), error.Problem(), error.Remedy());
  }
  return nullptr;
}

namespace {

const XmlElement* Inside(const XmlElement& xml, std::string_view name) {
  for (const XmlElement& child : xml.children) {
    if (child.name == name) return &child;
    if (const XmlElement* found = Inside(child, name)) return found;
  }
  return nullptr;
}

}  // namespace

std::optional<double> StructureReader::StepOf(const XmlElement& xml) {
  const XmlElement* annotations = xml.Child("Annotations");
  if (annotations == nullptr) return std::nullopt;
  // Those of OSP (the first two) and of OMSimulator.
  static constexpr std::array<std::array<std::string_view, 2>, 3> kSteps = {
      {{"FixedStepAlgorithm", "baseStepSize"}, {"StepSizeHint", "value"}, {"FixedStepMaster", "stepSize"}}};
  for (const auto& [name, attribute] : kSteps) {
    const XmlElement* found = Inside(*annotations, name);
    if (found == nullptr || found->Attribute(attribute) == nullptr) continue;
    const double step = Number(*found, attribute, 0.0);
    if (step > 0.0) return step;
    AddWarning(
        problems_, found->Place(),
        fmt::format("expected a step above 0 in {}, found {}; it was ignored", name, Quoted(found->Get(attribute))),
        "correct the annotation");
  }
  for (const std::string_view name : {"VariableStepMaster", "VariableStepSolver"}) {
    if (const XmlElement* found = Inside(*annotations, name)) {
      AddNote(problems_, found->Place(),
              fmt::format("expected a fixed step in the annotation, found {}, which is not read: each FMU takes its "
                          "own step",
                          name),
              "give a step with --step");
    }
  }
  return std::nullopt;
}

Structure StructureReader::Read(const fs::path& ssd) {
  const XmlDocument document = ReadXmlFile(ssd, kLimits);
  const XmlElement& root = document.root;
  if (root.name != "SystemStructureDescription") {
    throw FormatError(root.Place(),
                      fmt::format("expected the root element SystemStructureDescription, found {}", Quoted(root.name)),
                      "check that this is the SystemStructure.ssd of a package");
  }
  const std::string version = root.Get("version");
  if (!version.starts_with("1.") && !version.starts_with("2.")) {
    throw FormatError(root.Place(), fmt::format("expected version 1.0 or 2.0, found {}", Quoted(version)),
                      "export the system for SSP 1.0");
  }
  WarnOfForeignAttributes(root, problems_);
  Structure structure;
  structure.name = Name(root, "name");
  structure.line = root.line;
  const XmlElement* system = root.Child("System");
  if (system == nullptr) {
    throw FormatError(root.Place(), "expected a System, found none", "write the system that is described");
  }
  if (const XmlElement* experiment = root.Child("DefaultExperiment")) {
    if (experiment->Attribute("startTime") != nullptr) structure.start = Number(*experiment, "startTime", 0.0);
    if (experiment->Attribute("stopTime") != nullptr) structure.stop = Number(*experiment, "stopTime", 1.0);
    structure.step = StepOf(*experiment);
  }
  ReadUnits(root);
  ReadSystem(*system, structure.system, ssd.parent_path());
  return structure;
}

void StructureReader::ReadNested(const fs::path& ssd, Element& into) {
  const Structure nested = Read(ssd);
  const std::string name = into.name;
  std::vector<ParameterValue> outer = std::move(into.parameters);
  const int line = into.line;
  const std::optional<double> step = into.step;  // who uses a description knows what for
  into = nested.system;
  into.name = name;
  into.outer_line = line;
  if (!into.step) into.step = nested.step;
  if (step) into.step = step;
  into.parameters.insert(into.parameters.end(), outer.begin(), outer.end());
}

void StructureReader::ReadSystem(const XmlElement& xml, Element& into, const fs::path& base) {
  into.kind = Element::Kind::System;
  into.name = Name(xml, "name");
  into.file = *xml.file;
  into.line = xml.line;
  into.step = StepOf(xml);
  ReadConnectors(xml, into);
  ReadDictionaries(xml, into, base);
  if (const XmlElement* elements = xml.Child("Elements")) {
    for (const XmlElement& child : elements->children) {
      Element element;
      if (child.name == "System") {
        ReadSystem(child, element, base);
      } else if (child.name == "Component") {
        ReadComponent(child, element, base);
      } else if (child.name == "SignalDictionaryReference") {
        element.kind = Element::Kind::Dictionary;
        element.name = Name(child, "name");
        element.dictionary = Name(child, "dictionary");
        element.file = *child.file;
        element.line = child.line;
        ReadConnectors(child, element);
      } else {
        AddWarning(problems_, child.Place(),
                   fmt::format("expected Component, System or SignalDictionaryReference, found {}; it was ignored",
                               Quoted(child.name)),
                   "remove it");
        continue;
      }
      const auto same = std::ranges::find(into.elements, element.name, &Element::name);
      if (same != into.elements.end()) {
        AddError(problems_, child.Place(),
                 fmt::format("expected every element of a system once, found {} again; the first is on line {}",
                             Quoted(element.name), same->line),
                 "rename one of the two");
      }
      into.elements.push_back(std::move(element));
    }
  }
  ReadConnections(xml, into);
  ReadBindings(xml, into, base);
}

void StructureReader::ReadComponent(const XmlElement& xml, Element& into, const fs::path& base) {
  into.kind = Element::Kind::Component;
  into.name = Name(xml, "name");
  into.file = *xml.file;
  into.line = xml.line;
  into.implementation = xml.Get("implementation", "any");
  into.step = StepOf(xml);
  ReadConnectors(xml, into);
  const fs::path file = FileOf(xml, base);
  const bool is_package = EndsWith(file, ".ssp"), is_description = EndsWith(file, ".ssd");
  if (!is_package && !is_description) into.fmu = file;
  ReadBindings(xml, into, base);
  if (xml.Attribute("source") == nullptr) {
    AddError(problems_, xml.Place(), fmt::format("expected a source of component {}, found none", Quoted(into.name)),
             "name the FMU; a component without one is only a template");
    return;
  }
  if (!is_package && !is_description) return;
  if (depth_ >= kMostNested) {
    AddError(problems_, xml.Place(),
             fmt::format("expected at most {} packages inside each other, found more", kMostNested),
             "a system cannot hold itself");
    return;
  }
  ++depth_;
  try {
    if (is_description) {
      ReadNested(file, into);
    } else {
      const auto package = UnpackedArchive::Open(file);
      packages_.push_back(package);
      StructureReader inner(fs::canonical(package->Folder()), problems_);
      inner.depth_ = depth_;
      inner.ReadNested(package->Folder() / "SystemStructure.ssd", into);
      for (auto& one : inner.packages_) packages_.push_back(std::move(one));
      units_.merge(inner.units_);
    }
  } catch (const Error& error) {
    AddError(problems_, error.Place(), error.Problem(), error.Remedy());
  }
  --depth_;
}

void StructureReader::ReadConnectors(const XmlElement& xml, Element& into) {
  const XmlElement* connectors = xml.Child("Connectors");
  if (connectors == nullptr) return;
  for (const XmlElement* child : connectors->Children("Connector")) {
    Connector connector{.name = Name(*child, "name"), .kind = Name(*child, "kind"), .unit = {}, .line = child->line};
    if (!connector.kind.empty() && std::ranges::find(kKinds, connector.kind) == kKinds.end()) {
      AddError(problems_, child->Place(), fmt::format("expected a kind of connector, found {}", Quoted(connector.kind)),
               Suggest(connector.kind, kKinds));
    }
    for (const XmlElement& type : child->children) {
      if (type.Attribute("unit") != nullptr) connector.unit = type.Get("unit");
    }
    into.connectors.push_back(std::move(connector));
  }
}

Transformation StructureReader::ReadTransformation(const XmlElement& xml) {
  using Kind = Transformation::Kind;
  Transformation transformation;
  transformation.suppress_units = described::ParseBoolean(xml.Get("suppressUnitConversion", "false")).value_or(false);
  for (const XmlElement& child : xml.children) {
    if (!child.name.ends_with("Transformation")) continue;
    if (transformation.kind != Kind::None) {
      AddError(problems_, child.Place(), fmt::format("expected one transformation, found {} too", child.name),
               "keep one of the two");
      break;
    }
    if (child.name == "LinearTransformation") {
      transformation.kind = Kind::Linear;
      transformation.factor = Number(child, "factor", 1.0);
      transformation.offset = Number(child, "offset", 0.0);
      continue;
    }
    if (child.name == "BooleanMappingTransformation") transformation.kind = Kind::Boolean;
    if (child.name == "IntegerMappingTransformation") transformation.kind = Kind::Integer;
    if (child.name == "EnumerationMappingTransformation") transformation.kind = Kind::Enumeration;
    if (transformation.kind == Kind::None) {
      AddError(problems_, child.Place(), fmt::format("expected a transformation of SSP, found {}", Quoted(child.name)),
               "write LinearTransformation, or Boolean-, Integer- or EnumerationMappingTransformation");
      continue;
    }
    for (const XmlElement* entry : child.Children("MapEntry")) {
      std::string source = Name(*entry, "source"), target = Name(*entry, "target");
      const auto check = [&](std::string& text) {
        if (transformation.kind == Kind::Boolean) {
          const std::optional<bool> value = described::ParseBoolean(text);
          if (value) text = *value ? "true" : "false";
          return value.has_value();
        }
        return transformation.kind != Kind::Integer || described::ParseSigned(text).has_value();
      };
      if (!check(source) || !check(target)) {
        AddError(problems_, entry->Place(),
                 fmt::format("expected {} in a MapEntry, found {} and {}",
                             transformation.kind == Kind::Boolean ? "true or false" : "whole numbers", Quoted(source),
                             Quoted(target)),
                 "correct the entry");
        continue;
      }
      const auto same = [&](const auto& one) { return one.first == source; };
      if (std::ranges::any_of(transformation.entries, same)) {
        AddError(problems_, entry->Place(), fmt::format("expected every source once, found {} again", Quoted(source)),
                 "remove one of the two entries");
        continue;
      }
      transformation.entries.emplace_back(std::move(source), std::move(target));
    }
    if (transformation.entries.empty()) {
      AddError(problems_, child.Place(), fmt::format("expected a MapEntry in {}, found none", child.name),
               "write an entry for each value");
    }
  }
  return transformation;
}

void StructureReader::ReadConnections(const XmlElement& xml, Element& into) {
  const XmlElement* connections = xml.Child("Connections");
  if (connections == nullptr) return;
  for (const XmlElement* child : connections->Children("Connection")) {
    Connection connection;
    connection.start = {child->Get("startElement"), Name(*child, "startConnector")};
    connection.end = {child->Get("endElement"), Name(*child, "endConnector")};
    connection.line = child->line;
    connection.transformation = ReadTransformation(*child);
    if (child->Attribute("startIndices") != nullptr || child->Attribute("endIndices") != nullptr) {
      AddError(problems_, child->Place(), "expected a connection of whole connectors, found one of single elements",
               "indices of connections (SSP 2.0) are not supported; connect scalars");
    }
    into.connections.push_back(std::move(connection));
  }
}

void StructureReader::ReadDictionaries(const XmlElement& xml, Element& into, const fs::path& base) {
  const XmlElement* dictionaries = xml.Child("SignalDictionaries");
  if (dictionaries == nullptr) return;
  for (const XmlElement* child : dictionaries->Children("SignalDictionary")) {
    into.dictionaries.push_back(Name(*child, "name"));
    if (child->Attribute("source") == nullptr) continue;
    const fs::path file = FileOf(*child, base);
    if (!file.empty()) ReadFile(file, "SignalDictionary", *child);  // its entries say nothing that the wires do not
  }
}

}  // namespace openmi::ssp
