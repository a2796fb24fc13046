#include "fmi-bridge/fmi/ssp/OspStructure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/component/FmuItems.hpp"
#include "fmi-bridge/fmi/ssp/SspDocument.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::ssp {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostSignals = 10'000;  // of one function

/// What may stand in an element.
struct Known {
  std::vector<std::string> attributes;
  std::vector<std::string> elements = {};  // empty: looked at elsewhere
};

const std::map<std::string, Known, std::less<>> kKnown = {
    {"OspSystemStructure",
     {{"version"},
      {"StartTime", "EndTime", "BaseStepSize", "Algorithm", "Simulators", "Functions", "Connections",
       "EccoConfiguration"}}},
    {"Simulators", {{}, {"Simulator"}}},
    {"Simulator", {{"name", "source", "stepSize"}, {"InitialValues"}}},
    {"InitialValues", {{}, {"InitialValue"}}},
    {"InitialValue", {{"variable"}}},
    {"Real", {{"value"}}},
    {"Integer", {{"value"}}},
    {"Boolean", {{"value"}}},
    {"String", {{"value"}}},
    {"Enumeration", {{"value"}}},
    {"VariableConnection", {{"powerBond"}}},
    {"VariableGroupConnection", {{"powerBond"}}},
    {"LinearTransformation", {{"name", "factor", "offset"}}},
    {"Sum", {{"name", "inputCount"}}},
    {"VectorSum", {{"name", "inputCount", "dimension"}}},
    {"Variable", {{"simulator", "name", "causality"}}},
    {"VariableGroup", {{"simulator", "name", "causality"}}},
    {"Signal", {{"function", "name"}}},
    {"SignalGroup", {{"function", "name"}}},
};

/// Warns of names that nothing reads, such as stepsize: what they say would be lost without a word.
void WarnOfUnknown(const XmlElement& xml, Problems& problems) {
  const auto known = kKnown.find(xml.name);
  const auto warn = [&](const Where& place, const char* what, const std::string& name,
                        const std::vector<std::string>& names) {
    if (names.empty() || std::ranges::find(names, name) != names.end()) return;
    AddWarning(problems, place,
               fmt::format("expected {} of {}, found {}: it is not read", what, xml.name, Quoted(name)),
               Suggest(name, names));
  };
  if (known != kKnown.end()) {
    for (const XmlAttribute& one : xml.attributes) {
      if (one.namespace_uri.empty()) warn(xml.Place(one), "an attribute", one.name, known->second.attributes);
    }
    for (const XmlElement& child : xml.children) warn(child.Place(), "an element", child.name, known->second.elements);
  }
  for (const XmlElement& child : xml.children) WarnOfUnknown(child, problems);
}

}  // namespace

void OspReader::Report(const XmlElement& place, std::string problem, std::string remedy) {
  AddError(problems_, place.Place(), std::move(problem), std::move(remedy));
}

std::optional<double> OspReader::Number(const XmlElement* xml, std::string_view what) {
  if (xml == nullptr) return std::nullopt;
  const std::string text = what.empty() ? xml->TrimmedText() : xml->Get(what);
  if (!what.empty() && xml->Attribute(what) == nullptr) return std::nullopt;
  const std::optional<double> number = described::ParseDouble(text);
  if (number && std::isfinite(*number)) return number;
  Report(*xml, fmt::format("expected a number as {}, found {}", what.empty() ? xml->name : what, Quoted(text)),
         "correct the value");
  return std::nullopt;
}

Structure OspReader::Read(const fs::path& file) {
  const XmlDocument document = ReadXmlFile(file, kDocumentLimits);
  const XmlElement& root = document.root;
  if (root.name != "OspSystemStructure" || root.Get("version") != "0.1") {
    throw FormatError(root.Place(),
                      fmt::format("expected the root element OspSystemStructure of version 0.1, found {} of version {}",
                                  Quoted(root.name), Quoted(root.Get("version"))),
                      "check that this is an OspSystemStructure.xml");
  }
  WarnOfUnknown(root, problems_);
  Structure structure;
  structure.name = file.stem().string();
  structure.version = "OSP 0.1";
  structure.line = root.line;
  structure.system.name = "system";
  structure.system.file = *root.file;
  structure.system.line = root.line;
  structure.start = Number(root.Child("StartTime"), {});
  structure.stop = Number(root.Child("EndTime"), {});
  structure.step = Number(root.Child("BaseStepSize"), {});
  if (const XmlElement* step = root.Child("BaseStepSize"); structure.step && !(*structure.step > 0.0)) {
    Report(*step, fmt::format("expected a step above 0 s, found {}", Quoted(step->TrimmedText())), "correct the step");
    structure.step.reset();
  }
  if (const XmlElement* algorithm = root.Child("Algorithm")) {
    if (algorithm->TrimmedText() != "fixedStep") {
      AddNote(problems_, algorithm->Place(),
              fmt::format("expected the algorithm fixedStep, found {}: its steps are fixed ones here",
                          Quoted(algorithm->TrimmedText())));
    }
  }
  const XmlElement* simulators = root.Child("Simulators");
  if (simulators == nullptr) throw FormatError(root.Place(), "expected Simulators, found none", "write them");
  for (const XmlElement* child : simulators->Children("Simulator"))
    ReadSimulator(*child, file.parent_path(), structure);
  if (const XmlElement* functions = root.Child("Functions")) {
    for (const XmlElement& child : functions->children) ReadFunction(child, structure.system);
  }
  if (const XmlElement* connections = root.Child("Connections")) {
    for (const XmlElement& child : connections->children) ReadConnection(child, structure.system);
  }
  return structure;
}

void OspReader::ReadSimulator(const XmlElement& xml, const fs::path& folder, Structure& into) {
  Element element;
  element.kind = Element::Kind::Component;
  element.name = xml.Get("name");
  element.source = xml.Get("source");
  element.file = *xml.file;
  element.line = xml.line;
  if (element.name.empty() || simulators_.contains(element.name)) {
    Report(xml, fmt::format("expected a name of its own for each Simulator, found {}", Quoted(element.name)),
           "name each simulator once");
    return;
  }
  element.step = Number(&xml, "stepSize");
  if (element.step && !(*element.step > 0.0)) {
    Report(xml, fmt::format("expected a stepSize above 0 s, found {}", Quoted(xml.Get("stepSize"))),
           "correct the step");
    element.step.reset();
  }
  Simulator& simulator = simulators_[element.name];
  try {
    std::string name;
    element.fmu = FileInside(root_, folder, element.source, "folder", &name);
    if (!name.empty()) {
      AddNote(
          problems_, xml.Place(),
          fmt::format("expected the file {}, found {}, which differs in the case of letters: it is taken",
                      Quoted(element.source), Quoted((fs::path(element.source).parent_path() / name).generic_string())),
          "write the name as it is");
    }
    Problems ignored;  // reported when the component reads it
    simulator.model = fmi::ReadFmuDescription(element.fmu, ignored);
  } catch (const Error& error) {
    Report(xml, fmt::format("expected an FMU as source of {}, found: {}", Quoted(element.name), error.Problem()),
           dynamic_cast<const FileError*>(&error) == nullptr && element.source.starts_with("..")
               ? "name a folder that holds the FMUs with --within"
               : error.Remedy());
  }
  try {
    if (!simulator.model.model_name.empty()) ReadGroups(element.fmu.parent_path(), folder, simulator);
  } catch (const Error& error) {
    AddError(problems_, error.Place(), error.Problem(), error.Remedy());
  }
  simulator.names = std::make_unique<fmi::VariableNames>(simulator.model);
  for (const fmi::Variable& variable : simulator.model.variables) {
    if (variable.causality != fmi::Causality::Output || !fmi::IsNumeric(variable.type)) continue;  // are observed
    element.connectors.push_back({.name = variable.name, .kind = "output", .unit = {}, .line = xml.line});
  }
  ReadInitialValues(xml, element);
  into.system.elements.push_back(std::move(element));
}

void OspReader::ReadInitialValues(const XmlElement& xml, Element& into) {
  const XmlElement* values = xml.Child("InitialValues");
  if (values == nullptr) return;
  for (const XmlElement* child : values->Children("InitialValue")) {
    if (child->children.size() != 1 || child->Get("variable").empty()) {
      Report(*child, "expected a variable and one value in InitialValue, found another content",
             "write the attribute variable, and Real, Integer, Boolean or String");
      continue;
    }
    const XmlElement& type = child->children.front();
    ParameterValue value;
    value.name = child->Get("variable");
    value.value = type.Get("value");
    value.is_real = type.name == "Real";
    value.is_integer = type.name == "Integer";
    value.line = child->line;
    value.file = *child->file;
    bool is_good = type.name == "String" || type.name == "Enumeration";
    if (value.is_real) is_good = described::ParseDouble(value.value).has_value();
    if (type.name == "Integer") is_good = described::ParseSigned(value.value).has_value();
    if (type.name == "Boolean") {
      const std::optional<bool> truth = described::ParseBoolean(value.value);
      is_good = truth.has_value();
      if (truth) value.value = *truth ? "true" : "false";
    }
    if (!is_good) {
      Report(type,
             fmt::format("expected a value of type {} for {}, found {}", type.name, Quoted(value.name),
                         Quoted(value.value)),
             "write Real, Integer, Boolean or String with a value of that type");
      continue;
    }
    into.parameters.push_back(std::move(value));
  }
}

void OspReader::ReadGroups(const fs::path& folder, const fs::path& beside, Simulator& into) {
  const std::string name = into.model.model_name + "_OspModelDescription.xml";
  if (name.find('/') != std::string::npos || name.find('\0') != std::string::npos) return;
  for (const fs::path& place : {folder / name, beside / name}) {
    std::error_code error;
    fs::path file = fs::canonical(place, error);
    if (const std::string other = error ? NameInOtherCase(place) : std::string(); !other.empty()) {
      file = fs::canonical(place.parent_path() / other, error);
    }
    if (error || file.lexically_relative(root_).string().starts_with("..")) continue;
    const XmlDocument document = ReadXmlFile(file, kDocumentLimits);
    if (document.root.name != "OspModelDescription") {
      Report(document.root,
             fmt::format("expected the root element OspModelDescription, found {}", Quoted(document.root.name)),
             "check that this is the description of groups of variables");
    }
    const XmlElement* groups = document.root.Child("VariableGroups");
    if (groups == nullptr) return;
    for (const XmlElement& child : groups->children) into.groups.push_back(ReadGroup(child, 0));
    return;
  }
}

OspReader::Group OspReader::ReadGroup(const XmlElement& xml, int depth) {
  Group group;
  group.name = xml.Get("name");
  for (const XmlElement& child : xml.children) {
    if (child.name == "Variable") {
      group.variables.push_back(child.Get("ref"));
    } else {
      group.groups.push_back(ReadGroup(child, depth + 1));
    }
  }
  return group;
}

const OspReader::Group* OspReader::FindGroup(const std::vector<Group>& groups, std::string_view name) const {
  const auto found = std::ranges::find(groups, name, &Group::name);
  if (found != groups.end()) return &*found;
  for (const Group& group : groups) {
    if (const Group* inner = FindGroup(group.groups, name)) return inner;
  }
  return nullptr;
}

void OspReader::Collect(const Group& group, const std::string& element, std::vector<End>& into) {
  for (const std::string& variable : group.variables) into.push_back({element, variable});
  for (const Group& inner : group.groups) Collect(inner, element, into);
}

void OspReader::ReadFunction(const XmlElement& xml, Element& into) {
  Element function;
  function.kind = Element::Kind::Function;
  function.name = xml.Get("name");
  function.file = *xml.file;
  function.line = xml.line;
  const auto taken = std::ranges::find(into.elements, function.name, &Element::name);
  if (function.name.empty() || taken != into.elements.end()) {
    Report(xml, fmt::format("expected a name of its own for each function, found {}", Quoted(function.name)),
           "name each simulator and function once");
    return;
  }
  const auto count = [&](const char* attribute) {
    const std::uint64_t number = described::ParseUnsigned(xml.Get(attribute)).value_or(0);
    if (number > 0 && number <= kMostSignals) return number;
    Report(xml, fmt::format("expected {} from 1 to {}, found {}", attribute, kMostSignals, Quoted(xml.Get(attribute))),
           "correct the number");
    return std::uint64_t{0};
  };
  const auto add_input = [&](std::string name) {
    function.connectors.push_back({.name = std::move(name), .kind = "input", .unit = {}, .line = xml.line});
    return fmt::format("x{}", function.connectors.size());
  };
  std::vector<std::pair<std::string, std::string>> outputs;
  if (xml.name == "LinearTransformation") {
    const double factor = Number(&xml, "factor").value_or(1.0), offset = Number(&xml, "offset").value_or(0.0);
    outputs.emplace_back("out", fmt::format("({}) * {} + ({})", factor, add_input("in"), offset));
  } else if (xml.name == "Sum" || xml.name == "VectorSum") {
    const bool is_vector = xml.name == "VectorSum";
    const std::uint64_t inputs = count("inputCount"), dimension = is_vector ? count("dimension") : 1;
    if (inputs == 0 || dimension == 0 || inputs > kMostSignals / dimension) return;
    for (std::uint64_t j = 0; j < dimension; ++j) {
      outputs.emplace_back(is_vector ? fmt::format("out[{}]", j) : "out", std::string());
    }
    for (std::uint64_t i = 0; i < inputs; ++i) {
      for (std::uint64_t j = 0; j < dimension; ++j) {
        std::string& sum = outputs[j].second;
        sum += (sum.empty() ? "" : " + ") +
               add_input(is_vector ? fmt::format("in[{}][{}]", i, j) : fmt::format("in[{}]", i));
      }
    }
  } else {
    Report(xml, fmt::format("expected LinearTransformation, Sum or VectorSum, found {}", Quoted(xml.name)),
           "use one of these functions, or an FMU");
    return;
  }
  for (auto& [name, formula] : outputs) {
    function.connectors.push_back({.name = name, .kind = "output", .unit = {}, .line = xml.line});
    function.formulas.push_back(std::move(formula));
  }
  into.elements.push_back(std::move(function));
}

std::vector<End> OspReader::EndsOf(const XmlElement& xml, Element& system) {
  const bool is_function = xml.name == "Signal" || xml.name == "SignalGroup";
  const std::string owner = xml.Get(is_function ? "function" : "simulator"), name = xml.Get("name");
  const auto element = std::ranges::find(system.elements, owner, &Element::name);
  if (element == system.elements.end() || (element->kind == Element::Kind::Function) != is_function) {
    std::vector<std::string> names;
    for (const Element& one : system.elements) names.push_back(one.name);
    Report(xml,
           fmt::format("expected a {} of the file, found {}", is_function ? "function" : "simulator", Quoted(owner)),
           Suggest(owner, names));
    return {};
  }
  std::vector<End> ends;
  if (xml.name == "Variable" || xml.name == "Signal") {
    ends.push_back({owner, name});
  } else if (xml.name == "SignalGroup") {
    for (const Connector& one : element->connectors) {
      if (one.name.starts_with(name + "[")) ends.push_back({owner, one.name});
    }
  } else if (const Group* group = FindGroup(simulators_.at(owner).groups, name)) {
    Collect(*group, owner, ends);
  }
  if (ends.empty()) {
    Report(xml, fmt::format("expected a group of {} with variables, found {}", Quoted(owner), Quoted(name)),
           is_function ? "name in[0], in[1], ... or out"
                       : "check the _OspModelDescription.xml of the FMU, beside it or beside this file");
    return {};
  }
  if (is_function) return ends;
  const Simulator& simulator = simulators_.at(owner);
  for (const End& end : ends) {
    if (std::ranges::find(element->connectors, end.connector, &Connector::name) != element->connectors.end()) continue;
    const fmi::Index index = simulator.names->Find(end.connector);
    if (index == fmi::kNowhere) {
      if (!element->fmu.empty() && !simulator.model.variables.empty()) {
        Report(xml, fmt::format("expected a variable of {}, found {}", Quoted(owner), Quoted(end.connector)),
               "correct the name");
      }
      return {};
    }
    element->connectors.push_back(
        {.name = end.connector, .kind = Name(simulator.model.At(index).causality), .unit = {}, .line = xml.line});
  }
  return ends;
}

void OspReader::ReadConnection(const XmlElement& xml, Element& into) {
  static const std::vector<std::string> kKinds{"VariableConnection", "SignalConnection", "VariableGroupConnection",
                                               "SignalGroupConnection"};
  if (std::ranges::find(kKinds, xml.name) == kKinds.end()) {
    Report(xml, fmt::format("expected a connection, found {}", Quoted(xml.name)), Suggest(xml.name, kKinds));
    return;
  }
  if (xml.children.size() != 2) {
    Report(xml, fmt::format("expected two ends of a {}, found {}", xml.name, xml.children.size()), "name two ends");
    return;
  }
  const std::vector<End> from = EndsOf(xml.children[0], into), to = EndsOf(xml.children[1], into);
  if (from.empty() || to.empty()) return;
  if (from.size() != to.size()) {
    Report(xml, fmt::format("expected two groups of one size, found {} variables and {}", from.size(), to.size()),
           "connect groups of the same kind");
    return;
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    Connection connection;
    connection.start = from[i];
    connection.end = to[i];
    connection.transformation.suppress_units = true;  // OSP converts no units
    connection.line = xml.line;
    into.connections.push_back(std::move(connection));
  }
}

}  // namespace openmi::ssp
