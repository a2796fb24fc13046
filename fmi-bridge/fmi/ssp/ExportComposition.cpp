#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "composition/link/Variables.hpp"
#include "fmi-bridge/common/archive/Archive.hpp"
#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/component/FmuArguments.hpp"
#include "fmi-bridge/fmi/component/FmuItems.hpp"
#include "fmi-bridge/fmi/ssp/ExportSystemStructure.hpp"
#include "fmi-bridge/fmi/ssp/LinkTransformation.hpp"
#include "fmi-bridge/fmi/ssp/SystemStructure.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/omi/SdkVersion.hpp"
#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/system/TemporaryFolder.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::ssp {
namespace {

namespace fs = std::filesystem;

/// The settings that SSP expresses without our annotation.
const std::set<std::string, std::less<>> kExpressed = {"fmu", "kind", "time-step", "epoch", "fmu-start-time"};

/// An FMU of the composition.
struct Part {
  const ComponentSpec* spec = nullptr;
  std::map<std::string, ArgumentSpec> settings;             ///< arguments that are no variables
  std::vector<std::pair<fmi::Index, ArgumentSpec>> values;  ///< start values, raw
  fs::path fmu;
  std::string stored;  ///< path in the package
  fmi::ModelDescription model;
  std::unique_ptr<fmi::VariableNames> names;
  std::vector<std::string> connectors;          ///< names of variables
  std::vector<std::vector<std::size_t>> sizes;  ///< of the dimensions, of each variable
};

std::string NumberText(double number) {
  return fmt::format("{}", number);
}

class CompositionExporter {
 public:
  /// All arguments are borrowed.
  CompositionExporter(const CompositionFile& file, SspVersion version, Problems& problems)
      : file_(file), version_(version), problems_(problems) {}

  void Write(const fs::path& package) {
    const std::size_t before = CountProblems(problems_, Problem::Error);
    for (const ComponentSpec& component : file_.components) AddPart(component);
    if (CountProblems(problems_, Problem::Error) > before) return;
    MakeLinks();
    MakeObserves();
    NoteTheRest();
    const TemporaryFolder folder;
    fs::create_directories(folder.Path() / "resources");
    const XmlElement root = Document(folder.Path());
    if (CountProblems(problems_, Problem::Error) > before) return;
    WriteXmlText(folder.Path() / "SystemStructure.ssd", DocumentText(root));
    StoreFmus(folder.Path());
    WriteArchive(folder.Path(), package, kTimeOfFiles);
  }

 private:
  void Refuse(int line, std::string problem, std::string remedy) {
    AddError(problems_, {.file = file_.path.string(), .line = line}, std::move(problem), std::move(remedy));
  }
  void Note(int line, std::string problem) {
    AddNote(problems_, {.file = file_.path.string(), .line = line}, std::move(problem));
  }

  /// The text of an argument without variables; nothing after a problem.
  std::optional<std::string> Plain(const ArgumentSpec& argument) {
    Problems found;
    std::string text = Substitute(argument.value, {}, {.file = file_.path.string(), .line = argument.line}, found);
    const bool is_good = !HasErrors(found);
    for (Problem& problem : found) {
      problem.remedy = "give the variable a default: ${name:default}";
      problems_.push_back(std::move(problem));
    }
    return is_good ? std::optional(std::move(text)) : std::nullopt;
  }

  void AddPart(const ComponentSpec& component) {
    std::vector<ArgumentSpec> arguments;
    std::string type = component.type;
    fs::path folder = file_.Folder();  // that the path of the FMU starts from
    if (!component.omi.empty()) {
      const OmiFile omi = ReadOmiFile(folder / component.omi);
      type = omi.type;
      for (const OmiArgument& one : omi.arguments) arguments.push_back({one.key, AsItIs(one.value), component.line});
      if (std::ranges::count(component.arguments, "fmu", &ArgumentSpec::key) == 0) folder = omi.Folder();
    }
    arguments.insert(arguments.end(), component.arguments.begin(), component.arguments.end());
    if (type == "openmi.Gather" && !component.population) {
      gathers_[component.id] = &component;
      return;
    }
    if (type != "openmi.fmi.Fmu" || component.population) {
      Refuse(component.line,
             fmt::format("expected components that are FMUs, found {} as {}",
                         component.population ? "a population" : Quoted(type), Quoted(component.id)),
             "make an FMU of it with openmi fmu export, or leave it out");
      return;
    }
    Part part;
    part.spec = &component;
    const auto fmu =
        std::find_if(arguments.rbegin(), arguments.rend(), [](const auto& one) { return one.key == "fmu"; });
    const std::optional<std::string> path = fmu == arguments.rend() ? std::nullopt : Plain(*fmu);
    if (!path) {
      Refuse(component.line, fmt::format("expected the argument fmu of {}, found none", Quoted(component.id)),
             "name the FMU");
      return;
    }
    part.fmu = FindArchive(*path, folder / *path);
    Problems ignored;  // reported when the component reads it
    part.model = fmi::ReadFmuDescription(part.fmu, ignored);
    Part& kept = parts_[component.id] = std::move(part);
    kept.names = std::make_unique<fmi::VariableNames>(kept.model);
    SortArguments(kept, arguments);
  }

  void SortArguments(Part& part, const std::vector<ArgumentSpec>& arguments) {
    const std::set<std::string> own = ArgumentsBesideVariables(part.model);
    const auto set_value = [&](const std::string& name, const ArgumentSpec& argument) {
      const fmi::Index index = part.names->Find(name);
      if (index == fmi::kNowhere) {
        Refuse(argument.line,
               fmt::format("expected an argument or a variable of {}, found {}", Quoted(part.spec->id), Quoted(name)),
               Suggest(name, fmi::NamesOfVariables(part.model)));
        return;
      }
      std::erase_if(part.values, [&](const auto& one) { return one.first == index; });
      part.values.emplace_back(index, argument);
    };
    for (const ArgumentSpec& argument : arguments) {
      if (argument.key.starts_with(fmi::kArgumentPrefix)) {
        set_value(argument.key.substr(std::string_view(fmi::kArgumentPrefix).size()), argument);
      } else if (argument.key == "set") {
        for (const std::string& entry : Split(Plain(argument).value_or(""), ";")) {
          const auto [name, value] = PairAt(entry, entry.find('='));
          set_value(name, {name, AsItIs(value), argument.line});
        }
      } else if (own.contains(argument.key)) {
        if (const std::optional<std::string> text = Plain(argument)) {
          part.settings[argument.key] = {argument.key, *text, argument.line};
        }
      } else {
        set_value(argument.key, argument);
      }
    }
    std::vector<fmi::StartValue> structural;
    for (const auto& [index, argument] : part.values) {
      if (part.model.At(index).causality != fmi::Causality::StructuralParameter) continue;
      if (const auto text = Plain(argument)) structural.push_back(fmi::ReadStartValue(part.model, index, *text, 1));
    }
    part.sizes = fmi::ArraySizes(part.model, structural);
  }

  /// The variable of an item, which gets a connector; null after a problem.
  const fmi::Variable* Connect(const ItemSpec& item, int line) {
    const auto found = parts_.find(item.component);
    const fmi::Index index = found == parts_.end() ? fmi::kNowhere : found->second.names->Find(item.item);
    if (index == fmi::kNowhere) {
      Refuse(line, fmt::format("expected an item of an FMU, found {}", Quoted(item.Text())),
             "name a variable of one of the FMUs");
      return nullptr;
    }
    std::vector<std::string>& connectors = found->second.connectors;
    if (std::ranges::find(connectors, item.item) == connectors.end()) connectors.push_back(item.item);
    return &found->second.model.At(index);
  }

  std::string UnitNameOf(const ItemSpec& item) {
    const Part& part = parts_.at(item.component);
    const fmi::UnitDefinition* unit = part.model.UnitOf(part.model.At(part.names->Find(item.item)));
    return unit == nullptr ? std::string() : unit->name;
  }

  /// The conversion between the units of both ends; nothing: they are the same, or not known.
  std::optional<LinearConversion> ConversionOf(const LinkSpec& link) {
    const auto unit_of = [&](const ItemSpec& item) {
      const Part& part = parts_.at(item.component);
      return fmi::UnitOf(part.model, part.model.At(part.names->Find(item.item)));
    };
    if (UnitNameOf(link.from).empty() || UnitNameOf(link.to).empty()) return std::nullopt;
    const described::DescribedUnit from = unit_of(link.from), to = unit_of(link.to);
    if (!from.is_known || !to.is_known || !Convertible(from.unit, to.unit)) return std::nullopt;
    return ConversionBetween(from.unit, to.unit);
  }

  /// The link that takes the values of a gathering component on, if there is exactly one.
  const LinkSpec* OnlyLinkFrom(const std::string& component) {
    const LinkSpec* only = nullptr;
    for (const LinkSpec& link : file_.links) {
      if (link.from.component != component) continue;
      if (only != nullptr) return nullptr;
      only = &link;
    }
    return only;
  }

  void MakeLinks() {
    for (const LinkSpec& link : file_.links) {
      if (gathers_.contains(link.from.component)) continue;  // part of the connections to its elements
      LinkSpec made = link;
      std::string end_indices;
      if (gathers_.contains(link.to.component)) {
        const LinkSpec* on = OnlyLinkFrom(link.to.component);
        const std::size_t bracket = link.to.item.rfind('[');
        if (on == nullptr || !on->adaptors.empty() || bracket == std::string::npos ||
            link.to.item.substr(0, bracket) != on->to.item || version_ == SspVersion::V1) {
          Refuse(link.line,
                 fmt::format("expected the elements of one input of an FMU, gathered in SSP 2.0, found {}",
                             Quoted(link.to.Text())),
                 "write version 2.0, and name the elements like name[1]");
          continue;
        }
        made.to = on->to;
        end_indices = IndicesIn(link.to.item);
        // An element that keeps its start value.
        if (!link.adaptors.empty() && link.adaptors.back().id == "expression" && !UsesX(link.adaptors.back())) continue;
      }
      const fmi::Variable* from = Connect(made.from, link.line);
      const fmi::Variable* to = Connect(made.to, link.line);
      if (from == nullptr || to == nullptr) continue;
      XmlElement connection = MakeElement(kSsd, "Connection",
                                          {{"startElement", made.from.component},
                                           {"startConnector", made.from.item},
                                           {"endElement", made.to.component},
                                           {"endConnector", made.to.item}});
      const std::optional<LinkTransformation> found =
          TransformationOf(made, *from, *to, UnitNameOf(made.from), UnitNameOf(made.to), ConversionOf(made),
                           file_.path.string(), problems_);
      if (!found) continue;
      if (!found->start_element.empty()) {
        if (version_ == SspVersion::V1) {
          Refuse(link.line, "expected links of whole items in SSP 1.0, found one of a single element",
                 "write version 2.0");
          continue;
        }
        connection.attributes.push_back({"startIndices", {}, IndicesIn(found->start_element)});
      }
      if (!end_indices.empty()) connection.attributes.push_back({"endIndices", {}, end_indices});
      if (found->transformation.suppress_units) connection.attributes.push_back({"suppressUnitConversion", {}, "true"});
      if (found->transformation.kind != Transformation::Kind::None) {
        AddChild(connection, ElementOf(found->transformation));
      }
      connections_.push_back(std::move(connection));
      if (link.loop == LoopAnswer::Extrapolate) {
        Note(link.line, "SSP has no word for extrapolation in a loop of links; it is left out");
      }
    }
  }

  /// "x[2,1]" as "2 1".
  static std::string IndicesIn(const std::string& element) {
    const std::size_t open = element.rfind('[');
    return fmt::format("{}", fmt::join(Split(element.substr(open + 1, element.size() - open - 2), ","), " "));
  }
  static bool UsesX(const AdaptorSpec& adaptor) {
    const auto formula = std::ranges::find(adaptor.arguments, "formula", &ArgumentSpec::key);
    return formula == adaptor.arguments.end() || formula->value.find('x') != std::string::npos;
  }

  void MakeObserves() {
    for (const ObserveSpec& observe : file_.observes) {
      if (gathers_.contains(observe.item.component)) continue;
      const fmi::Variable* variable = Connect(observe.item, observe.line);
      if (variable == nullptr) continue;
      if (observe.every || observe.as != ObserveAs::Instant || !observe.elements.empty()) {
        Note(observe.line, "SSP has no word for means, intervals or elements of results; the output is a connector");
      }
      if (observe.id.empty()) continue;
      XmlElement connector = MakeElement(kSsd, "Connector", {{"name", observe.id}, {"kind", "output"}});
      PutType(connector, parts_.at(observe.item.component), *variable);
      outputs_.push_back(std::move(connector));
      connections_.push_back(MakeElement(kSsd, "Connection",
                                         {{"startElement", observe.item.component},
                                          {"startConnector", observe.item.item},
                                          {"endConnector", observe.id}}));
    }
  }

  void NoteTheRest() {
    for (const CompareSpec& one : file_.compares) Note(one.line, "SSP has no word for a comparison; it is left out");
    for (const IterateSpec& one : file_.iterates) {
      Note(one.line, "SSP has no word for the iteration of a loop; it is left out");
    }
    for (const ComponentSpec& component : file_.components) {
      if (!component.initial_state.empty()) {
        Note(component.line, fmt::format("SSP has no word for the initial state of {}; it is left out", component.id));
      }
      if (!(component.apart == IsolationSpec{})) {
        Note(component.line, fmt::format("SSP has no word for the isolation of {}; it is left out", component.id));
      }
    }
  }

  /// The name of the type of a variable in the version that is written; empty: it has none.
  std::string TypeName(const fmi::Variable& variable, fmi::FmiMajor fmi) const {
    using fmi::VariableType;
    const VariableType type = variable.type;
    if (version_ == SspVersion::V2) return fmi::Name(type, fmi);
    if (fmi::IsFloat(type)) return "Real";
    if (fmi::IsInteger(type)) {
      return type <= VariableType::Int32 ? "Integer" : "";  // Int8 to Int32; wider ones have no name in 1.0
    }
    return type == VariableType::Clock ? "" : fmi::Name(type);
  }

  /// The unit of a variable as an attribute; empty if the documents cannot define it.
  std::string UnitAttribute(const Part& part, const fmi::Variable& variable) {
    const fmi::UnitDefinition* unit = part.model.UnitOf(variable);
    if (unit == nullptr || !unit->has_base) return {};  // a Unit of SSP needs a BaseUnit
    const auto [known, is_new] = units_.try_emplace(unit->name, *unit);
    return IsSameUnit(known->second, *unit) ? unit->name : std::string();  // another FMU gives the name to another unit
  }

  /// The name of an enumeration in the document.
  std::string EnumerationName(const Part& part, const fmi::Variable& variable) {
    const fmi::TypeDefinition* type = part.model.TypeOf(variable);
    std::string name = type == nullptr ? "Enumeration" : type->name;
    std::vector<std::pair<std::string, std::int64_t>> items;
    if (type != nullptr) {
      for (const fmi::EnumerationItem& item : type->items) items.emplace_back(item.name, item.value);
    }
    if (items.empty()) return {};
    for (int i = 2;; ++i) {
      const auto [known, is_new] = enumerations_.try_emplace(name, items);
      if (known->second == items) return name;
      name = fmt::format("{}_{}", type->name, i);
    }
  }

  void PutType(XmlElement& connector, const Part& part, const fmi::Variable& variable) {
    const std::string name = TypeName(variable, part.model.version);
    const bool is_enumeration = variable.type == fmi::VariableType::Enumeration;
    const std::string enumeration = is_enumeration ? EnumerationName(part, variable) : std::string();
    if (!name.empty() && (!is_enumeration || !enumeration.empty())) {
      XmlElement& type = AddChild(connector, MakeElement(kSsc, name, {{"name", enumeration}}));
      if (fmi::IsFloat(variable.type)) {
        const std::string unit = UnitAttribute(part, variable);
        if (!unit.empty()) type.attributes.push_back({"unit", {}, unit});
      }
      if (variable.type == fmi::VariableType::Clock) {
        type.attributes.push_back(
            {"intervalVariability", {}, fmi::Name(part.model.ClockOf(variable).interval_variability)});
      }
    }
    if (!variable.IsArray()) return;
    if (version_ == SspVersion::V1) {
      Refuse(part.spec->line,
             fmt::format("expected scalars in SSP 1.0, found the array {} of {}", Quoted(variable.name),
                         Quoted(part.spec->id)),
             "write version 2.0");
      return;
    }
    PutDimensions(connector, part, variable);
  }

  static void PutDimensions(XmlElement& into, const Part& part, const fmi::Variable& variable) {
    for (const std::size_t size : part.sizes[static_cast<std::size_t>(&variable - part.model.variables.data())]) {
      AddChild(into, MakeElement(kSsc, "Dimension", {{"size", std::to_string(size)}}));
    }
  }

  XmlElement Component(const Part& part) {
    XmlElement component = MakeElement(kSsd, "Component", {{"name", part.spec->id}, {"source", part.stored}});
    component.attributes.push_back({"type", {}, "application/x-fmu-sharedlibrary"});
    const auto kind = part.settings.find("kind");
    if (kind != part.settings.end()) {
      if (const auto way = fmi::kWaysToRun.Find(kind->second.value)) {
        component.attributes.push_back({"implementation", {}, Name(*way)});
        if (*way == fmi::InterfaceKind::ScheduledExecution && version_ == SspVersion::V1) {
          Refuse(part.spec->line, "expected an implementation that SSP 1.0 has, found ScheduledExecution",
                 "write version 2.0");
        }
      }
    }
    XmlElement connectors = MakeElement(kSsd, "Connectors");
    std::vector<std::string> names = part.connectors;
    std::ranges::stable_sort(names, {}, [&](const std::string& name) { return part.names->Find(name); });
    for (const std::string& name : names) {
      const fmi::Variable& variable = part.model.At(part.names->Find(name));
      XmlElement& connector =
          AddChild(connectors, MakeElement(kSsd, "Connector", {{"name", name}, {"kind", Name(variable.causality)}}));
      if (version_ == SspVersion::V1 && variable.causality == fmi::Causality::Local) {
        Refuse(part.spec->line,
               fmt::format("expected inputs and outputs in SSP 1.0, found the local variable {}", Quoted(name)),
               "write version 2.0");
      }
      PutType(connector, part, variable);
      if (version_ == SspVersion::V1) continue;
      for (const fmi::Index clock : variable.clocks) {
        const std::string& of = part.model.At(clock).name;
        if (std::ranges::find(names, of) != names.end())
          AddChild(connector, MakeElement(kSsd, "Clock", {{"name", of}}));
      }
    }
    if (!connectors.children.empty()) AddChild(component, std::move(connectors));
    XmlElement annotations = MakeElement(kSsd, "Annotations");
    XmlElement settings = MakeElement(kAnnotationNamespace, "Arguments");
    for (const auto& [key, argument] : part.settings) {
      if (std::ranges::find(kAnnotatedArguments, key) != kAnnotatedArguments.end()) {
        XmlElement& one = AddChild(settings, MakeElement(kAnnotationNamespace, "Argument", {{"Key", key}}));
        one.attributes.push_back({"Value", {}, argument.value});
      } else if (!kExpressed.contains(key)) {
        Note(argument.line,
             fmt::format("the argument {} of {} stays on this machine; it is left out", key, part.spec->id));
      }
    }
    if (const auto step = StepOf(part)) {
      XmlElement hint = MakeElement(kOsp, "StepSizeHint", {{"value", NumberText(*step)}});
      AddChild(AddChild(annotations, MakeElement(kSsc, "Annotation", {{"type", std::string(kOspAnnotationType)}})),
               std::move(hint));
    }
    if (!settings.children.empty()) {
      AddChild(AddChild(annotations, MakeElement(kSsc, "Annotation", {{"type", std::string(kAnnotationType)}})),
               std::move(settings));
    }
    if (!annotations.children.empty()) AddChild(component, std::move(annotations));
    return component;
  }

  static std::optional<double> StepOf(const Part& part) {
    const auto step = part.settings.find("time-step");
    if (step == part.settings.end()) return std::nullopt;
    return std::round(ParseIsoDuration(step->second.value).count * 86400e6) / 1e6;
  }

  /// The start of the system's time in s, and its end.
  std::optional<std::pair<double, double>> Times() {
    if (!file_.run || !file_.run->from || !file_.run->to) return std::nullopt;
    std::optional<double> start;
    for (const auto& [id, part] : parts_) {
      const auto epoch = part.settings.find("epoch"), own = part.settings.find("fmu-start-time");
      double here = part.model.experiment.start.value_or(0.0);
      if (own != part.settings.end()) here = AsNumber<double>(own->second.value).value_or(here);
      if (epoch != part.settings.end()) {
        const Days since = *file_.run->from - ParseIsoTime(epoch->second.value);
        here = std::round(since.count * 86400e6) / 1e6;
      }
      if (start && *start != here) {
        Refuse(part.spec->line,
               fmt::format("expected one time of all FMUs at the start of the run, found {} s and {} s", *start, here),
               "set the argument epoch of all of them to one time");
        return std::nullopt;
      }
      start = here;
    }
    const Days length = *file_.run->to - *file_.run->from;
    return std::pair(start.value_or(0.0), start.value_or(0.0) + std::round(length.count * 86400e6) / 1e6);
  }

  /// The typed value of a parameter; nothing after a problem.
  std::optional<XmlElement> Parameter(const std::string& name, const Part& part, fmi::Index index,
                                      const std::string& text, int line) {
    const fmi::Variable& variable = part.model.At(index);
    std::size_t count = 1;
    for (const std::size_t size : part.sizes[static_cast<std::size_t>(index)]) count *= size;
    std::vector<std::string> values;
    const bool is_text = variable.type == fmi::VariableType::String || variable.type == fmi::VariableType::Binary;
    const fmi::StartValue read = fmi::ReadStartValue(part.model, index, text, count);
    for (std::size_t i = 0; i < count; ++i) {
      if (is_text) values.push_back(text);
      if (!read.numbers.empty()) values.push_back(NumberText(read.numbers[i]));
      if (!read.integers.empty()) {
        values.push_back(
            variable.type == fmi::VariableType::Boolean       ? (read.integers[i] != 0 ? "true" : "false")
            : variable.type == fmi::VariableType::Enumeration ? ItemName(part.model, variable, read.integers[i])
            : variable.type == fmi::VariableType::UInt64 ? std::to_string(static_cast<std::uint64_t>(read.integers[i]))
                                                         : std::to_string(read.integers[i]));
      }
    }
    const std::string type_name = TypeName(variable, part.model.version);
    if (type_name.empty() || variable.type == fmi::VariableType::Clock || (count > 1 && version_ == SspVersion::V1)) {
      Refuse(line,
             fmt::format("expected a parameter whose type SSP {} has, found {} of type {}{}", ssp::Text(version_),
                         Quoted(name), fmi::Name(variable.type), count > 1 ? " with several elements" : ""),
             version_ == SspVersion::V1 ? "write version 2.0" : "leave the interval of the clock to the FMU");
      return std::nullopt;
    }
    XmlElement parameter = MakeElement(kSsv, "Parameter", {{"name", name}});
    XmlElement& type = AddChild(parameter, MakeElement(kSsv, type_name));
    const bool has_elements = count > 1 && (is_text || variable.type == fmi::VariableType::Enumeration);
    if (has_elements) {
      for (const std::string& value : values) AddChild(type, MakeElement(kSsv, "Value")).text = value;
    } else {
      type.attributes.push_back({"value", {}, fmt::format("{}", fmt::join(values, " "))});
    }
    if (fmi::IsFloat(variable.type)) {
      if (const std::string unit = UnitAttribute(part, variable); !unit.empty()) {
        type.attributes.push_back({"unit", {}, unit});
        set_units_.insert(unit);
      }
    }
    PutDimensions(parameter, part, variable);
    return parameter;
  }

  /// `${name:default}` as a whole; nothing: another text.
  static std::optional<std::pair<std::string, std::string>> VariableIn(const std::string& text) {
    if (!text.starts_with("${") || text.find('}') != text.size() - 1) return std::nullopt;
    const std::string inside = text.substr(2, text.size() - 3);
    const std::size_t colon = inside.find(':');
    if (colon == std::string::npos) return std::nullopt;
    return std::pair(inside.substr(0, colon), inside.substr(colon + 1));
  }

  /// Writes a parameter set, if it has parameters, and binds it to the system.
  void WriteSet(const fs::path& folder, const std::string& name, XmlElement parameters, XmlElement* mapping,
                XmlElement& bindings) {
    if (parameters.children.empty()) return;
    XmlElement set = MakeElement(kSsv, "ParameterSet", {{"version", ssp::Text(version_)}, {"name", name}});
    AddChild(set, std::move(parameters));
    PutUnits(set, kSsv, set_units_);
    set_units_.clear();
    WriteXmlText(folder / "resources" / (name + ".ssv"), DocumentText(set));
    XmlElement& binding =
        AddChild(bindings, MakeElement(kSsd, "ParameterBinding", {{"source", "resources/" + name + ".ssv"}}));
    if (mapping == nullptr) return;
    WriteXmlText(folder / "resources" / (name + ".ssm"), DocumentText(*mapping));
    AddChild(binding, MakeElement(kSsd, "ParameterMapping", {{"source", "resources/" + name + ".ssm"}}));
  }

  void WriteParameters(const fs::path& folder, XmlElement& bindings) {
    XmlElement fixed = MakeElement(kSsv, "Parameters"), open = MakeElement(kSsv, "Parameters");
    XmlElement mapping = MakeElement(kSsm, "ParameterMapping", {{"version", ssp::Text(version_)}});
    std::map<std::string, std::string> defaults;
    std::vector<std::pair<std::string, XmlElement>> values;
    for (const ComponentSpec& component : file_.components) {
      const auto part = parts_.find(component.id);
      if (part == parts_.end()) continue;
      for (const auto& [index, argument] : part->second.values) {
        const std::string target = component.id + "." + part->second.model.At(index).name;
        const auto variable = VariableIn(argument.value);
        const std::optional<std::string> text = Plain(argument);
        if (!text) continue;
        auto made = Parameter(variable ? variable->first : target, part->second, index, *text, argument.line);
        if (!made) continue;
        if (!variable) {
          values.emplace_back(target, std::move(*made));
          continue;
        }
        // A variable is one parameter; uses of other types or with other defaults have values of their own.
        const std::string kind = DocumentText(*made);
        const auto [known, is_new] = defaults.try_emplace(variable->first, kind);
        if (known->second != kind) {
          Note(argument.line, fmt::format("the variable {} has another type, unit or default here: {} gets a value of "
                                          "its own",
                                          Quoted(variable->first), Quoted(target)));
          made->attributes[0].value = target;
          values.emplace_back(target, std::move(*made));
          continue;
        }
        if (is_new) AddChild(open, std::move(*made));
        AddChild(mapping, MakeElement(kSsm, "MappingEntry", {{"source", variable->first}, {"target", target}}));
      }
    }
    std::set<std::string> of_variables = std::exchange(set_units_, {});
    for (auto& [name, parameter] : values) {
      for (const XmlElement& type : parameter.children) {
        if (type.Attribute("unit") != nullptr) set_units_.insert(type.Get("unit"));
      }
      AddChild(fixed, std::move(parameter));
    }
    WriteSet(folder, "parameters", std::move(fixed), nullptr, bindings);
    set_units_ = std::move(of_variables);
    WriteSet(folder, "variables", std::move(open), &mapping, bindings);
  }

  void PutUnits(XmlElement& into, std::string_view namespace_uri, const std::set<std::string>& which) {
    XmlElement list = MakeElement(namespace_uri, "Units");
    for (const std::string& name : which) {
      const fmi::UnitDefinition& unit = units_.at(name);
      XmlElement base = MakeElement(kSsc, "BaseUnit");
      for (std::size_t i = 0; i < unit.exponents.size(); ++i) {
        if (unit.exponents[i] == 0) continue;
        base.attributes.push_back({described::kBaseUnits[i], {}, std::to_string(unit.exponents[i])});
      }
      if (unit.factor != 1.0) base.attributes.push_back({"factor", {}, NumberText(unit.factor)});
      if (unit.offset != 0.0) base.attributes.push_back({"offset", {}, NumberText(unit.offset)});
      AddChild(AddChild(list, MakeElement(kSsc, "Unit", {{"name", name}})), std::move(base));
    }
    if (!list.children.empty()) AddChild(into, std::move(list));
  }

  XmlElement Document(const fs::path& folder) {
    NameFmus();
    XmlElement root = MakeElement(kSsd, "SystemStructureDescription",
                                  {{"version", ssp::Text(version_)},
                                   {"name", file_.caption.empty() ? file_.id : file_.caption},
                                   {"description", file_.description},
                                   {"generationTool", fmt::format("openmi {}", kSdkVersion)}});
    XmlElement system = MakeElement(kSsd, "System", {{"name", file_.id.empty() ? "system" : file_.id}});
    XmlElement connectors = MakeElement(kSsd, "Connectors");
    connectors.children = outputs_;
    if (!connectors.children.empty()) AddChild(system, std::move(connectors));
    XmlElement bindings = MakeElement(kSsd, "ParameterBindings");
    XmlElement elements = MakeElement(kSsd, "Elements");
    for (const ComponentSpec& component : file_.components) {
      const auto part = parts_.find(component.id);
      if (part != parts_.end()) AddChild(elements, Component(part->second));
    }
    WriteParameters(folder, bindings);
    if (!bindings.children.empty()) AddChild(system, std::move(bindings));
    if (!elements.children.empty()) AddChild(system, std::move(elements));
    XmlElement connections = MakeElement(kSsd, "Connections");
    connections.children = connections_;
    if (!connections.children.empty()) AddChild(system, std::move(connections));
    AddChild(root, std::move(system));
    XmlElement enumerations = MakeElement(kSsd, "Enumerations");
    for (const auto& [name, items] : enumerations_) {
      XmlElement& one = AddChild(enumerations, MakeElement(kSsc, "Enumeration", {{"name", name}}));
      for (const auto& [item, value] : items) {
        AddChild(one, MakeElement(kSsc, "Item", {{"name", item}, {"value", std::to_string(value)}}));
      }
    }
    if (!enumerations.children.empty()) AddChild(root, std::move(enumerations));
    std::set<std::string> all;
    for (const auto& [name, unit] : units_) all.insert(name);
    PutUnits(root, kSsd, all);
    if (const auto times = Times()) {
      AddChild(root, MakeElement(kSsd, "DefaultExperiment",
                                 {{"startTime", NumberText(times->first)}, {"stopTime", NumberText(times->second)}}));
    }
    return root;
  }

  /// Gives each file of an FMU a name in the package.
  void NameFmus() {
    std::map<fs::path, std::string> stored;
    std::set<std::string> taken;
    for (auto& [id, part] : parts_) {
      const auto [known, is_new] = stored.try_emplace(fs::weakly_canonical(part.fmu));
      if (is_new) {
        const std::string stem = AsComponentId(part.fmu.stem().string());
        std::string name = stem;
        for (int i = 2; !taken.insert(Lower(name)).second; ++i) name = fmt::format("{}-{}", stem, i);
        known->second = "resources/" + name + ".fmu";
      }
      part.stored = known->second;
    }
  }

  void StoreFmus(const fs::path& folder) {
    for (const auto& [id, part] : parts_) {
      const fs::path to = folder / part.stored;
      if (fs::exists(to)) continue;
      if (fs::is_directory(part.fmu)) {
        WriteArchive(part.fmu, to, kTimeOfFiles);
      } else {
        fs::copy_file(part.fmu, to);
      }
    }
  }

  const CompositionFile& file_;
  SspVersion version_;
  Problems& problems_;
  std::map<std::string, Part> parts_;  // by id
  std::map<std::string, const ComponentSpec*> gathers_;
  std::vector<XmlElement> outputs_;  // connectors of the system
  std::vector<XmlElement> connections_;
  std::map<std::string, fmi::UnitDefinition> units_;
  std::set<std::string> set_units_;  // of the parameter set that is made
  std::map<std::string, std::vector<std::pair<std::string, std::int64_t>>> enumerations_;
};

}  // namespace

void ExportComposition(const CompositionFile& file, SspVersion version, const fs::path& package, Problems& problems) {
  WithFileErrors([&] { CompositionExporter(file, version, problems).Write(package); });
}

}  // namespace openmi::ssp
