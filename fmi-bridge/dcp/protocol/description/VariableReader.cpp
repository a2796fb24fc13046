#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "fmi-bridge/dcp/protocol/description/DescriptionParts.hpp"
#include "fmi-bridge/dcp/protocol/description/Element.hpp"
#include "fmi-bridge/dcp/protocol/description/IntegerTypes.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::dcp {

namespace {

/// Reads the types and variables of a description. The description and the report are borrowed.
class VariableReader {
 public:
  VariableReader(SlaveDescription& description, described::Report& report);

  void ReadTypes(const XmlElement& types);
  void ReadVariables(const XmlElement& variables);

 private:
  /// A reference from one variable to another. References are resolved when all variables are known.
  struct Reference {
    std::size_t variable = 0;
    ValueReference to = 0;
    int line = 0;
    enum Kind : std::uint8_t { Size, Initialization, Run } kind = Size;
    std::size_t dimension = 0;
    bool is_linear = false;
  };

  const XmlElement* OnlyChild(const XmlElement& element, std::string_view what,
                              std::initializer_list<std::string_view> names, std::string_view item);
  void ReadVariable(const XmlElement& element);
  void ReadBody(const XmlElement& body, Variable& variable);
  void ReadAttributes(described::Attributes& attributes, std::string_view item, TypeAttributes& into);
  void ReadLimits(described::Attributes& attributes, TypeAttributes& into);
  void ReadStart(described::Attributes& attributes, Variable& variable);
  bool TakeStart(std::string_view word, Variable& variable);
  void ReadDimensions(const XmlElement& dimensions, Variable& variable);
  void ReadDependencies(const XmlElement& dependencies, Variable& variable);
  void CheckVariability(const Variable& variable, bool is_written);
  void Resolve();

  SlaveDescription& description_;
  described::Report& report_;
  std::unordered_map<std::string, Index> units_;
  std::unordered_map<std::string, Index> types_;
  std::unordered_map<std::string, Index> names_;
  std::unordered_map<ValueReference, Index> references_;
  std::vector<Reference> pending_;
};

VariableReader::VariableReader(SlaveDescription& description, described::Report& report)
    : description_(description), report_(report) {
  for (std::size_t i = 0; i < description.units.size(); ++i) {
    units_.try_emplace(description.units[i].name, static_cast<Index>(i));
  }
}

const XmlElement* VariableReader::OnlyChild(const XmlElement& element, std::string_view what,
                                            std::initializer_list<std::string_view> names, std::string_view item) {
  const XmlElement* found = nullptr;
  for (const XmlElement& child : element.children) {
    if (std::ranges::find(names, child.name) != names.end()) {
      if (found != nullptr) {
        report_.Error(child.line, item,
                      fmt::format("expected a single {} in {}, found {} besides {}", what.substr(what.find(' ') + 1),
                                  element.name, child.name, found->name),
                      "keep one of the two");
      } else {
        found = &child;
      }
    } else if (child.name != "Annotations" && child.name != "Dimensions" && child.name != "Dependencies") {
      const std::vector<std::string> known(names.begin(), names.end());
      report_.Error(child.line, item,
                    fmt::format("expected {} in {}, found {}", what, element.name, Quoted(child.name)),
                    Suggest(child.name, known));
    }
  }
  if (found == nullptr) {
    report_.Error(element.line, item, fmt::format("expected {} in {}, found none", what, element.name),
                  fmt::format("write one of {} into it", fmt::join(names, ", ")));
  }
  return found;
}

void VariableReader::ReadTypes(const XmlElement& types) {
  CheckChildren(types, {}, "SimpleType", report_);
  if (types.children.empty()) {
    report_.Error(types.line, {}, "expected a SimpleType in TypeDefinitions, found none", "remove the empty element");
  }
  for (const XmlElement* child : types.Children("SimpleType")) {
    TypeDefinition type;
    type.line = child->line;
    {
      Element attributes(*child, report_);
      type.name = attributes->Required("name");
      type.description = attributes->Text("description");
    }
    const XmlElement* body = OnlyChild(*child, "a data type",
                                       {"Int8", "Int16", "Int32", "Int64", "Uint8", "Uint16", "Uint32", "Uint64",
                                        "Float32", "Float64", "String", "Binary"},
                                       type.name);
    if (body != nullptr) {
      type.attributes.type = *DataTypeNamed(body->name);
      Element attributes(*body, report_, type.name);
      ReadAttributes(*attributes, type.name, type.attributes);
    }
    const auto [found, is_new] = types_.try_emplace(type.name, static_cast<Index>(description_.types.size()));
    if (!is_new && !type.name.empty()) {
      report_.Twice(child->line, "type", type.name, description_.types[static_cast<std::size_t>(found->second)].line);
    }
    description_.types.push_back(std::move(type));
  }
}

void VariableReader::ReadLimits(described::Attributes& attributes, TypeAttributes& into) {
  const std::optional range = IsFloat(into.type) ? std::nullopt : std::optional(RangeOf(into.type));
  Limits& limits = into.limits;
  described::ReadLimits(attributes, range, true, limits);
  std::int64_t unused = 0;
  described::ReadNumber(attributes, "gradient", range, true, limits.gradient, unused);
  if (limits.gradient && *limits.gradient < 0.0) {
    attributes.Wrong("gradient", "a number not below 0", fmt::format("{}", *limits.gradient));
  }
}

void VariableReader::ReadAttributes(described::Attributes& attributes, std::string_view item, TypeAttributes& into) {
  if (into.type == DataType::string || into.type == DataType::binary) {
    if (const auto size = attributes.Unsigned32("maxSize")) into.max_size = size;
    if (into.type == DataType::string) return;
    if (const auto mime = attributes.Find("mimeType")) into.mime_type = *mime;
    if (into.mime_type.empty()) into.mime_type = "application/octet-stream";
    return;
  }
  ReadLimits(attributes, into);
  if (!IsFloat(into.type)) return;
  if (const auto nominal = attributes.Double("nominal")) {
    if (std::isfinite(*nominal)) {
      into.nominal = nominal;
    } else {
      attributes.Wrong("nominal", "a finite number", fmt::format("{}", *nominal));
    }
  }
  if (const auto quantity = attributes.Find("quantity")) into.quantity = *quantity;
  if (const auto unit = attributes.Find("unit"); unit && !unit->empty()) {
    const auto [found, is_new] = units_.try_emplace(std::string(*unit), static_cast<Index>(description_.units.size()));
    if (is_new) {
      report_.Warning(attributes.Line(), item,
                      fmt::format("expected the unit {} among the UnitDefinitions, found none; its name alone is "
                                  "asked what it means",
                                  Quoted(*unit)),
                      "define it with its BaseUnit");
      description_.units.push_back({.name = std::string(*unit), .display_units = {}});
    }
    if (found->second != into.unit) into.display_unit = kNowhere;
    into.unit = found->second;
  }
  const auto display = attributes.Find("displayUnit");
  if (!display || display->empty()) return;
  if (into.unit == kNowhere) {
    report_.Warning(attributes.Line(), item,
                    fmt::format("expected a unit beside the displayUnit {}, found none", Quoted(*display)),
                    "write the unit too");
    return;
  }
  const UnitDefinition& unit = description_.units[static_cast<std::size_t>(into.unit)];
  const auto found = std::ranges::find(unit.display_units, *display, &DisplayUnit::name);
  if (found != unit.display_units.end()) {
    into.display_unit = static_cast<Index>(found - unit.display_units.begin());
  } else if (*display != unit.name) {
    report_.Warning(attributes.Line(), item,
                    fmt::format("expected a display unit of {}, found {}", Quoted(unit.name), Quoted(*display)),
                    "define it in the Unit");
  }
}

void VariableReader::ReadVariables(const XmlElement& variables) {
  CheckChildren(variables, {}, "Variable", report_);
  for (const XmlElement* child : variables.Children("Variable")) ReadVariable(*child);
  if (description_.variables.empty()) {
    report_.Error(variables.line, {}, "expected at least one Variable in Variables, found none",
                  "describe what the slave takes and gives");
  }
  Resolve();
}

void VariableReader::CheckVariability(const Variable& variable, bool is_written) {
  const bool is_parameter =
      variable.kind == VariableKind::Parameter || variable.kind == VariableKind::StructuralParameter;
  const bool is_of_parameters =
      variable.variability == Variability::Fixed || variable.variability == Variability::Tunable;
  if (is_parameter == is_of_parameters) return;
  const std::string found =
      is_written ? std::string(Name(variable.variability)) : std::string("none, which means continuous");
  report_.Error(variable,
                fmt::format("expected variability {} for {} {}, found {}",
                            is_parameter ? "fixed or tunable" : "discrete or continuous",
                            variable.kind == VariableKind::Input || variable.kind == VariableKind::Output ? "an" : "a",
                            Name(variable.kind), found),
                fmt::format("write variability=\"{}\"", is_parameter ? "fixed" : "continuous"));
}

void VariableReader::ReadVariable(const XmlElement& element) {
  Variable variable;
  variable.line = element.line;
  bool has_variability = false;
  std::optional<std::uint64_t> reference;
  {
    const std::string name = element.Get("name");
    Element attributes(element, report_, name);
    variable.name = attributes->Required("name");
    if (!attributes->Required("valueReference").empty()) reference = attributes->Unsigned("valueReference");
    variable.value_reference = reference.value_or(0);
    variable.description = attributes->Text("description");
    const auto variability = attributes->OneOf("variability", kVariabilities);
    has_variability = variability.has_value();
    variable.variability = variability.value_or(Variability::Continuous);
    variable.pre_edge = attributes->Double("preEdge");
    variable.post_edge = attributes->Double("postEdge");
    for (const auto& [edge, word] :
         {std::pair{variable.pre_edge, "preEdge"}, std::pair{variable.post_edge, "postEdge"}}) {
      if (edge && !(*edge >= 0.0 && std::isfinite(*edge))) {
        attributes->Wrong(word, "seconds not below 0", fmt::format("{}", *edge));
      }
    }
    variable.max_consecutive_missed_pdus = attributes->Unsigned32("maxConsecMissedPdus");
    if (const auto declared = attributes->Find("declaredType"); declared && !declared->empty()) {
      const auto found = types_.find(std::string(*declared));
      if (found == types_.end()) {
        std::vector<std::string> names;
        for (const TypeDefinition& one : description_.types) names.push_back(one.name);
        report_.Error(element.line, variable.name,
                      fmt::format("expected a declaredType among the TypeDefinitions, found {}", Quoted(*declared)),
                      Suggest(*declared, names));
      } else {
        variable.declared_type = found->second;
      }
    }
  }
  const XmlElement* body =
      OnlyChild(element, "a kind of variable", {"Input", "Output", "Parameter", "StructuralParameter"}, variable.name);
  if (body != nullptr) {
    variable.kind = *kVariableKinds.Find(body->name);
    CheckVariability(variable, has_variability);
    ReadBody(*body, variable);
    if (variable.kind == VariableKind::Output && variable.max_consecutive_missed_pdus) {
      report_.Error(element.line, variable.name, "expected no maxConsecMissedPdus on an Output, found it",
                    "remove it; only who receives can miss PDUs");
    }
  }
  const auto index = static_cast<Index>(description_.variables.size());
  const auto first_line = [&](Index other) { return description_.At(other).line; };
  if (const auto [found, is_new] = names_.try_emplace(variable.name, index); !is_new && !variable.name.empty()) {
    report_.Error(element.line, variable.name,
                  fmt::format("expected every name once, found {} again; the first is on line {}",
                              Quoted(variable.name), first_line(found->second)),
                  "rename one of the two");
  }
  if (reference) {
    if (const auto [found, is_new] = references_.try_emplace(*reference, index); !is_new) {
      report_.Error(element.line, variable.name,
                    fmt::format("expected every valueReference once, found {} again; the first is on line {}",
                                *reference, first_line(found->second)),
                    "give each variable its own");
    }
  }
  description_.variables.push_back(std::move(variable));
}

void VariableReader::ReadBody(const XmlElement& body, Variable& variable) {
  const bool is_structural = variable.kind == VariableKind::StructuralParameter;
  const bool is_output = variable.kind == VariableKind::Output;
  {
    Element attributes(body, report_, variable.name);
    if (is_output) {
      variable.steps = ReadSteps(*attributes, report_, variable.name, true);
      variable.is_constant = attributes->Boolean("initialization", false);
    }
  }
  const XmlElement* type =
      is_structural ? OnlyChild(body, "an unsigned data type", {"Uint8", "Uint16", "Uint32", "Uint64"}, variable.name)
                    : OnlyChild(body, "a data type",
                                {"Int8", "Int16", "Int32", "Int64", "Uint8", "Uint16", "Uint32", "Uint64", "Float32",
                                 "Float64", "String", "Binary"},
                                variable.name);
  if (type == nullptr) return;
  const DataType data_type = *DataTypeNamed(type->name);
  if (variable.declared_type != kNowhere) {
    const TypeDefinition& declared = description_.types[static_cast<std::size_t>(variable.declared_type)];
    if (declared.attributes.type == data_type) {
      variable.attributes = declared.attributes;
    } else {
      report_.Error(type->line, variable.name,
                    fmt::format("expected a declaredType of {}, found {} of {}", ElementName(data_type),
                                Quoted(declared.name), ElementName(declared.attributes.type)),
                    "name another type");
      variable.declared_type = kNowhere;
    }
  }
  variable.attributes.type = data_type;
  if (const XmlElement* dimensions = body.Child("Dimensions")) ReadDimensions(*dimensions, variable);
  {
    Element attributes(*type, report_, variable.name);
    ReadAttributes(*attributes, variable.name, variable.attributes);
    ReadStart(*attributes, variable);
  }
  if (const XmlElement* dependencies = body.Child("Dependencies")) {
    if (is_output) {
      ReadDependencies(*dependencies, variable);
    } else {
      report_.Error(dependencies->line, variable.name,
                    fmt::format("expected Dependencies in an Output only, found them in {}", body.name), "remove them");
    }
  }
}

bool VariableReader::TakeStart(std::string_view word, Variable& variable) {
  StartValues& start = variable.start;
  if (IsFloat(variable.Type())) {
    const std::optional<double> number = described::ParseDouble(word);
    if (!number || !std::isfinite(*number)) return false;
    start.floats.push_back(*number);
    return true;
  }
  const std::optional<std::int64_t> number = described::ParseInteger(word, RangeOf(variable.Type()));
  if (!number) return false;
  start.integers.push_back(*number);
  return true;
}

void VariableReader::ReadStart(described::Attributes& attributes, Variable& variable) {
  const auto text = attributes.Find("start");
  if (!text) {
    // The schema requires it for all but outputs; the prose does not require it for texts.
    if (variable.kind != VariableKind::Output && !IsText(variable.Type())) {
      report_.Error(attributes.Line(), variable.name,
                    fmt::format("expected a start value of a {}, found none", Name(variable.kind)),
                    "write start=\"...\"");
    }
    return;
  }
  variable.start.is_given = true;
  if (variable.Type() == DataType::string) {
    variable.start.text = *text;
  } else if (variable.Type() == DataType::binary) {
    const std::optional<std::string> bytes = described::BytesOfHex(described::Collapsed(*text));
    if (!bytes) attributes.Wrong("start", "bytes in hexadecimal digits, two each", *text);
    variable.start.text = bytes.value_or(std::string());
  } else {
    std::string_view rest = *text;
    for (std::string_view word = described::NextWord(rest); !word.empty(); word = described::NextWord(rest)) {
      if (TakeStart(word, variable)) continue;
      attributes.Wrong(
          "start",
          IsFloat(variable.Type()) ? std::string("finite numbers") : described::RangeText(RangeOf(variable.Type())),
          word);
      variable.start = {};
      return;
    }
    if (variable.start.floats.empty() && variable.start.integers.empty()) {
      attributes.Wrong("start", "a number", *text);
      variable.start = {};
    }
    return;
  }
  if (variable.attributes.max_size && variable.start.text.size() > *variable.attributes.max_size) {
    attributes.Wrong("start", fmt::format("at most {} bytes (maxSize)", *variable.attributes.max_size),
                     fmt::format("{} bytes", variable.start.text.size()));
  }
}

void VariableReader::ReadDimensions(const XmlElement& dimensions, Variable& variable) {
  CheckChildren(dimensions, {}, "Dimension", report_);
  if (IsText(variable.Type()) || variable.kind == VariableKind::StructuralParameter) {
    report_.Error(dimensions.line, variable.name,
                  fmt::format("expected no Dimensions in {}, found them",
                              IsText(variable.Type()) ? ElementName(variable.Type()) : Name(variable.kind)),
                  "make several variables");
    return;
  }
  if (dimensions.children.empty()) {
    report_.Error(dimensions.line, variable.name, "expected a Dimension in Dimensions, found none",
                  "remove the empty element");
  }
  for (const XmlElement* child : dimensions.Children("Dimension")) {
    Element attributes(*child, report_, variable.name);
    const bool has_size = attributes->Find("constant").has_value(), has_link = attributes->Find("linkedVR").has_value();
    const auto size = attributes->Unsigned("constant"), link = attributes->Unsigned("linkedVR");
    if (has_size == has_link) {
      report_.Error(
          child->line, variable.name,
          fmt::format("expected either constant or linkedVR in a Dimension, found {}", has_size ? "both" : "none"),
          "write the size, or the value reference of the structural parameter that holds it");
    }
    if (size == std::uint64_t{0}) attributes->Wrong("constant", "a size above 0", "0");
    Dimension dimension;
    dimension.size = std::max<std::uint64_t>(size.value_or(1), 1);
    dimension.linked = link.value_or(0);
    if (link) {
      pending_.push_back({.variable = description_.variables.size(),
                          .to = *link,
                          .line = child->line,
                          .kind = Reference::Size,
                          .dimension = variable.dimensions.size()});
    }
    if (variable.dimensions.size() < 32) variable.dimensions.push_back(dimension);
  }
}

void VariableReader::ReadDependencies(const XmlElement& dependencies, Variable& variable) {
  static constexpr std::array<std::string_view, 2> kPhases = {"Initialization", "Run"};
  CheckChildren(dependencies, kPhases, {}, report_);
  for (const XmlElement& phase : dependencies.children) {
    const bool is_run = phase.name == "Run";
    if (!is_run && phase.name != "Initialization") continue;
    CheckChildren(phase, {}, "Dependency", report_);
    (is_run ? variable.dependencies.run : variable.dependencies.initialization).emplace();
    for (const XmlElement* child : phase.Children("Dependency")) {
      Element attributes(*child, report_, variable.name);
      if (attributes->Required("vr").empty()) continue;
      const auto reference = attributes->Unsigned("vr");
      static constexpr EnumNames<bool> kDependencies{{"linear", true}, {"dependent", false}};
      const bool is_known = !attributes->Required("dependencyKind").empty();
      const auto linear = is_known ? attributes->OneOf("dependencyKind", kDependencies) : std::nullopt;
      if (!reference) continue;
      pending_.push_back({.variable = description_.variables.size(),
                          .to = *reference,
                          .line = child->line,
                          .kind = is_run ? Reference::Run : Reference::Initialization,
                          .dimension = 0,
                          .is_linear = linear.value_or(false)});
    }
    if (is_run && variable.is_constant && !phase.children.empty()) {
      report_.Error(phase.line, variable.name,
                    "expected no dependencies in Run of an output that is constant after initialization, found some",
                    "remove them, or write initialization=\"false\"");
    }
  }
}

void VariableReader::Resolve() {
  for (const Reference& reference : pending_) {
    Variable& variable = description_.variables[reference.variable];
    const auto found = references_.find(reference.to);
    const Variable* to = found == references_.end() ? nullptr : &description_.At(found->second);
    if (reference.kind == Reference::Size) {
      if (to == nullptr || to->kind != VariableKind::StructuralParameter) {
        report_.Error(reference.line, variable.name,
                      fmt::format("expected linkedVR to name a StructuralParameter, found {}",
                                  to == nullptr ? fmt::format("no variable with value reference {}", reference.to)
                                                : fmt::format("the {} {}", Name(to->kind), Quoted(to->name))),
                      "write the value reference of a structural parameter");
        continue;
      }
      if (reference.dimension >= variable.dimensions.size()) continue;
      Dimension& dimension = variable.dimensions[reference.dimension];
      dimension.variable = found->second;
      if (!to->start.integers.empty() && to->start.integers[0] != 0) {
        dimension.size = static_cast<std::uint64_t>(to->start.integers[0]);
      }
      continue;
    }
    if (to == nullptr) {
      report_.Error(reference.line, variable.name,
                    fmt::format("expected vr to name a variable, found none with value reference {}", reference.to),
                    "write the value reference of an input or parameter");
      continue;
    }
    if (to->kind == VariableKind::Output) {
      report_.Warning(
          reference.line, variable.name,
          fmt::format("expected an output to depend on inputs and parameters, found the Output {}", Quoted(to->name)),
          "name what that output depends on");
    }
    auto& list = reference.kind == Reference::Run ? variable.dependencies.run : variable.dependencies.initialization;
    list->push_back({found->second, reference.is_linear});
  }
}

}  // namespace

void ReadTypesAndVariables(const XmlElement& root, SlaveDescription& description, described::Report& report) {
  VariableReader reader(description, report);
  if (const XmlElement* types = root.Child("TypeDefinitions")) reader.ReadTypes(*types);
  if (const XmlElement* variables = root.Child("Variables")) reader.ReadVariables(*variables);
}

}  // namespace openmi::dcp
