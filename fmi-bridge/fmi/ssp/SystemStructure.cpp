#include "fmi-bridge/fmi/ssp/SystemStructure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/fmi/ssp/ImportSystemStructure.hpp"
#include "fmi-bridge/fmi/ssp/SspDocument.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::ssp {

namespace fs = std::filesystem;

namespace {

std::string Remedy(std::string_view whole) {
  return fmt::format("put the file into the {} and name it relative to the description", whole);
}

[[noreturn]] void Refuse(std::string_view uri, std::string_view found, std::string_view whole) {
  throw FormatError({}, fmt::format("expected a source inside the {}, found {}, {}", whole, Quoted(uri), found),
                    Remedy(whole));
}

std::string Decoded(std::string_view uri, std::string_view whole) {
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      text += uri[i];
      continue;
    }
    unsigned value = 0;
    const char* begin = uri.data() + i + 1;
    const char* end = uri.data() + std::min(i + 3, uri.size());
    const auto [stop, error] = std::from_chars(begin, end, value, 16);
    if (end - begin != 2 || error != std::errc() || stop != end || value == 0)
      Refuse(uri, "where %XX is no character", whole);
    text += static_cast<char>(value);
    i += 2;
  }
  return text;
}

}  // namespace

std::string NameInOtherCase(const fs::path& path) {
  std::vector<std::string> found;
  std::error_code problem;
  for (fs::directory_iterator entry(path.parent_path(), problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const std::string name = entry->path().filename().string();
    if (Lower(name) == Lower(path.filename().string())) found.push_back(name);
  }
  return found.size() == 1 ? found.front() : std::string();
}

fs::path FileInside(const fs::path& root, const fs::path& base, std::string_view uri, std::string_view whole,
                    std::string* in_other_case) {
  const auto refuse = [&](std::string_view found) { Refuse(uri, found, whole); };
  if (uri.empty()) refuse("which is empty");
  const std::size_t mark = uri.find_first_of(":/?#");
  if (mark != std::string_view::npos && uri[mark] == ':') refuse("which has a scheme; nothing is fetched");
  if (uri.find_first_of("?#") != std::string_view::npos) refuse("which has a query or a fragment");
  const std::string name = Decoded(uri, whole);
  if (name.front() == '/') refuse("which is absolute");
  if (name.find('\\') != std::string::npos) refuse("which holds a backslash");
  if (std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20; })) {
    refuse("which holds a control character");
  }
  std::error_code problem;
  const fs::path normal = (fs::canonical(base, problem) / name).lexically_normal();
  const auto leads_out = [&](const fs::path& path) {
    const fs::path relative = path.lexically_relative(root);
    return relative.empty() || *relative.begin() == "..";
  };
  if (leads_out(normal)) refuse("which leads out of it");
  fs::path file = fs::canonical(normal, problem);
  if (problem) {
    const fs::path folder = fs::canonical(normal.parent_path(), problem);
    if (!problem && leads_out(folder)) refuse("which leads out of it by a link");
    const std::string other = problem ? std::string() : NameInOtherCase(folder / normal.filename());
    if (in_other_case != nullptr && !other.empty()) file = fs::canonical(folder / (*in_other_case = other), problem);
    if (in_other_case == nullptr || other.empty() || problem)
      throw FileError({}, fmt::format("expected the file {} in the {}, found none", Quoted(uri), whole),
                      other.empty() ? Remedy(whole) : fmt::format("did you mean {}?", Quoted(other)));
  }
  if (leads_out(file)) refuse("which leads out of it by a link");
  return file;
}

std::pair<std::string_view, std::string_view> SplitSource(std::string_view uri) {
  const std::size_t mark = uri.find('#');
  if (mark == std::string_view::npos || (mark > 0 && !uri.substr(0, mark).ends_with(".ssp"))) return {uri, {}};
  return {uri.substr(0, mark), uri.substr(mark + 1)};
}

namespace {

using Names = std::vector<std::string>;

/// The known attributes, by element.
///
/// Source: the schemas of SSP 2.0 (SystemStructureCommon, -Description, -ParameterValues, -ParameterMapping and
/// -SignalDictionary), which include everything in those of 1.0.
const std::map<std::string, Names, std::less<>>& KnownAttributes() {
  static const std::map<std::string, Names, std::less<>> kKnown = [] {
    const Names entity = {"id", "description"};
    const Names document = {"version",   "name",    "id",          "description",    "author",
                            "copyright", "license", "fileversion", "generationTool", "generationDateAndTime"};
    const auto with = [](Names names, const Names& more) {
      names.insert(names.end(), more.begin(), more.end());
      return names;
    };
    std::map<std::string, Names, std::less<>> known = {
        {"SystemStructureDescription", document},
        {"ParameterSet", document},
        {"ParameterMapping", with(document, {"source", "sourceBase", "type"})},
        {"SignalDictionary", with(document, {"source", "type"})},
        {"System", with(entity, {"name"})},
        {"Component", with(entity, {"name", "source", "type", "implementation"})},
        {"SignalDictionaryReference", with(entity, {"name", "dictionary"})},
        {"DictionaryEntry", with(entity, {"name"})},
        {"Connector", with(entity, {"name", "kind"})},
        {"MetaData", with(entity, {"kind", "type", "source", "sourceBase"})},
        {"Signature", with(entity, {"role", "type", "source", "sourceBase"})},
        {"Connection", with(entity, {"startElement", "startConnector", "endElement", "endConnector", "startIndices",
                                     "endIndices", "suppressUnitConversion"})},
        {"ParameterBinding", with(entity, {"source", "sourceBase", "type", "prefix"})},
        {"Parameter", with(entity, {"name"})},
        {"MappingEntry", with(entity, {"source", "target", "suppressUnitConversion"})},
        {"LinearTransformation", {"factor", "offset"}},
        {"MapEntry", {"source", "target"}},
        {"Dimension", {"size", "sizeConnector"}},
        {"Unit", with(entity, {"name"})},
        {"BaseUnit", {"kg", "m", "s", "A", "K", "mol", "cd", "rad", "factor", "offset"}},
        {"Enumeration", with(entity, {"name", "value"})},
        {"Item", {"name", "value"}},
        {"Binary", {"mime-type", "value"}},
        {"DefaultExperiment", {"startTime", "stopTime"}},
    };
    for (const char* list : {"Elements", "Connections", "Connectors", "ParameterBindings", "Parameters", "Units",
                             "Enumerations", "SignalDictionaries", "ParameterValues"}) {
      known[list] = {};
    }
    for (const char* number : {"Real", "Float64", "Float32"}) known[number] = {"value", "unit"};
    for (const char* type :
         {"Integer", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Boolean", "String"}) {
      known[type] = {"value"};
    }
    return known;
  }();
  return kKnown;
}

/// Warns of each attribute without prefix that the schemas of SSP 1.0 and 2.0 do not define for its element.
///
/// Elements in annotations are not checked.
/// \param root  the root of a description, a parameter set, a mapping or a dictionary
void WarnOfForeignAttributes(const XmlElement& root, Problems& problems) {
  if (root.name == "Annotations" || root.name == "Annotation") return;
  const auto known = KnownAttributes().find(root.name);
  if (known != KnownAttributes().end()) {
    for (const XmlAttribute& attribute : root.attributes) {
      if (!attribute.namespace_uri.empty()) continue;
      if (std::ranges::find(known->second, attribute.name) != known->second.end()) continue;
      AddWarning(problems, root.Place(attribute),
                 fmt::format("expected an attribute that SSP knows for {}, found {}; it was ignored", root.name,
                             Quoted(attribute.name)),
                 known->second.empty() ? "remove it" : Suggest(attribute.name, known->second));
    }
  }
  for (const XmlElement& child : root.children) WarnOfForeignAttributes(child, problems);
}

constexpr int kMostNested = 16;
constexpr std::size_t kMostIncluded = 10'000;  ///< systems that components include
const std::array<std::string_view, 3> kTypes = {"application/x-fmu-sharedlibrary", "application/x-ssp-definition",
                                                "application/x-ssp-package"};
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 24;  ///< of one parameter

const std::vector<std::string> kKinds = {
    "input",    "output", "parameter", "calculatedParameter", "structuralParameter",
    "constant", "local",  "inout",     "unspecified"};

bool EndsWith(const fs::path& path, std::string_view ending) {
  return path.extension() == ending;
}

}  // namespace

std::optional<std::string> Transformation::Mapped(const std::string& value) const {
  const auto find = [&](const std::string& part) {
    const auto entry = std::ranges::find(entries, part, [](const auto& pair) { return pair.first; });
    return entry == entries.end() ? std::nullopt : std::optional(entry->second);
  };
  if (std::optional<std::string> whole = find(value)) return whole;  // also a name with blanks
  std::vector<std::string> parts = Split(value);
  for (std::string& part : parts) {
    const std::optional<std::string> mapped = find(part);
    if (!mapped) return std::nullopt;
    part = *mapped;
  }
  return parts.empty() ? std::nullopt : std::optional(fmt::format("{}", fmt::join(parts, " ")));
}

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
    return FileInside(root_, base, xml.name == "Component" ? SplitSource(source->value).first : source->value);
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
    XmlDocument document = ReadXmlFile(path, kDocumentLimits);
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

std::optional<double> StructureReader::PositiveNumber(const XmlElement& xml, std::string_view name) {
  const XmlAttribute* attribute = xml.Attribute(name);
  if (attribute == nullptr) return std::nullopt;
  const std::optional<double> number = described::ParseDouble(attribute->value);
  if (number && std::isfinite(*number) && *number > 0.0) return number;
  AddWarning(problems_, xml.Place(*attribute),
             fmt::format("expected a number above 0 in {} of {}, found {}; it was ignored", name, xml.name,
                         Quoted(attribute->value)),
             "correct the annotation");
  return std::nullopt;
}

std::optional<double> StructureReader::StepOf(const XmlElement& xml) {
  const XmlElement* annotations = xml.Child("Annotations");
  if (annotations == nullptr) return std::nullopt;
  // The annotations of OSP (the first two) and of OMSimulator.
  static constexpr std::array<std::array<std::string_view, 2>, 3> kSteps = {
      {{"FixedStepAlgorithm", "baseStepSize"}, {"StepSizeHint", "value"}, {"FixedStepMaster", "stepSize"}}};
  for (const auto& [name, attribute] : kSteps) {
    const XmlElement* found = Inside(*annotations, name);
    if (found == nullptr) continue;
    if (const std::optional<double> step = PositiveNumber(*found, attribute)) return step;
  }
  if (const XmlElement* found = Inside(*annotations, "VariableStepMaster")) {
    AddNote(problems_, found->Place(),
            "expected a fixed step in the annotation, found VariableStepMaster, which is not read: each FMU takes its "
            "own step",
            "give a step with --step");
  }
  return std::nullopt;
}

std::optional<StateSolver> StructureReader::SolverOf(const XmlElement& xml) {
  const XmlElement* annotations = xml.Child("Annotations");
  if (annotations == nullptr) return std::nullopt;
  const auto read = [&](const XmlElement& from, const std::string& method) {
    StateSolver solver{.method = method, .line = from.line};
    for (const char* name : {"relativeTolerance", "tolerance"}) {
      if (!solver.tolerance) solver.tolerance = PositiveNumber(from, name);
    }
    solver.absolute_tolerance = PositiveNumber(from, "absoluteTolerance");
    for (const char* name : {"maximumStepSize", "fixedStepSize"}) {
      if (!solver.step) solver.step = PositiveNumber(from, name);
    }
    if (method.starts_with("oms")) return StateSolver{.step = solver.step, .line = from.line};  // a master
    if (method != "cvode" && method != "euler") {
      AddWarning(
          problems_, from.Place(),
          fmt::format("expected the solver cvode or euler in the annotation, found {}; it was ignored", Quoted(method)),
          "correct the annotation");
      solver.method.clear();
    }
    return solver;
  };
  std::optional<StateSolver> used;
  for (const XmlElement* annotation : annotations->Children("Annotation")) {
    const XmlElement* list = annotation->Child("Annotations");
    if (list == nullptr) continue;
    for (const XmlElement* information : list->Children("SimulationInformation")) {
      if (const XmlElement* found = information->Child("VariableStepSolver")) {
        used = read(*found, found->Get("description"));
      }
      const std::string name = information->Get("name");
      if (name.empty()) continue;
      if (information->Attribute("method") != nullptr) {
        solvers_.insert_or_assign(name, read(*information, information->Get("method")));
      } else if (const auto known = solvers_.find(name); known != solvers_.end()) {
        used = known->second;
      } else {
        AddWarning(problems_, information->Place(),
                   fmt::format("expected a solver that an annotation of a system around this one defines, found {}; "
                               "it was ignored",
                               Quoted(name)),
                   "correct the name, or define the solver");
      }
    }
  }
  return used;
}

std::vector<ArgumentSpec> StructureReader::SettingsOf(const XmlElement& xml) {
  std::vector<ArgumentSpec> settings;
  const XmlElement* annotations = xml.Child("Annotations");
  if (annotations == nullptr) return settings;
  for (const XmlElement* annotation : annotations->Children("Annotation")) {
    if (annotation->Get("type") != kAnnotationType) continue;
    const XmlElement* list = annotation->Child("Arguments");
    if (list == nullptr) continue;
    for (const XmlElement* argument : list->Children("Argument")) {
      const std::string key = argument->Get("Key");
      if (std::ranges::find(kAnnotatedArguments, key) == kAnnotatedArguments.end()) {
        AddWarning(problems_, argument->Place(),
                   fmt::format("expected an argument that a package may set, found {}; it was ignored", Quoted(key)),
                   Suggest(key, Names(kAnnotatedArguments.begin(), kAnnotatedArguments.end())));
        continue;
      }
      settings.push_back({key, argument->Get("Value"), argument->line});
    }
  }
  return settings;
}

Structure StructureReader::Read(const fs::path& ssd) {
  const XmlDocument document = ReadXmlFile(ssd, kDocumentLimits);
  const XmlElement& root = document.root;
  const struct Restored {
    const XmlElement*& place;
    const XmlElement* before;
    ~Restored() { place = before; }
  } restored{document_, std::exchange(document_, &root)};
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
  structure.version = version;
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

namespace {

/// Puts a system in the place of the component that includes it, whose properties have priority.
void Include(Element system, Element& component) {
  system.name = component.name;
  if (component.step) system.step = component.step;
  if (component.solver) system.solver = component.solver;
  system.parameters.insert(system.parameters.end(), component.parameters.begin(), component.parameters.end());
  component = std::move(system);
}

const XmlElement* SystemWithId(const XmlElement& xml, std::string_view id) {
  if (xml.name == "System" && xml.Get("id") == id) return &xml;
  for (const XmlElement& child : xml.children) {
    if (const XmlElement* found = SystemWithId(child, id)) return found;
  }
  return nullptr;
}

}  // namespace

void StructureReader::ReadNested(const fs::path& ssd, Element& into) {
  Structure nested = Read(ssd);
  if (!nested.system.step) nested.system.step = nested.step;
  nested.system.outer_line = into.line;
  Include(std::move(nested.system), into);
}

void StructureReader::ReadSystemAgain(const XmlElement& xml, std::string_view id, Element& into, const fs::path& base) {
  const XmlElement* found = id.empty() ? nullptr : SystemWithId(*document_, id);
  if (found == nullptr) {
    AddError(problems_, xml.Place(),
             fmt::format("expected a System with the id {} in this description, found none", Quoted(id)),
             "correct the source, or write the id");
    return;
  }
  Element system;
  ReadSystem(*found, system, base);
  Include(std::move(system), into);
}

bool StructureReader::MayInclude(const XmlElement& xml) {
  const bool is_deep = depth_ >= kMostNested;
  if (!is_deep && included_ < kMostIncluded) {
    ++included_;
    return true;
  }
  if (included_ > kMostIncluded) return false;  // it was said
  included_ = kMostIncluded + 1;
  AddError(problems_, xml.Place(),
           is_deep ? fmt::format("expected at most {} packages inside each other, found more", kMostNested)
                   : fmt::format("expected at most {} systems that components include, found more", kMostIncluded),
           "a system cannot hold itself");
  return false;
}

void StructureReader::ReadSystem(const XmlElement& xml, Element& into, const fs::path& base) {
  into.kind = Element::Kind::System;
  into.name = Name(xml, "name");
  into.file = *xml.file;
  into.line = xml.line;
  into.step = StepOf(xml);
  into.solver = SolverOf(xml);  // before the elements, which name what it defines
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
  into.solver = SolverOf(xml);
  into.settings = SettingsOf(xml);
  into.source = xml.Get("source");
  ReadConnectors(xml, into);
  const auto [named, fragment] = SplitSource(into.source);
  const bool is_again = named.empty() && !into.source.empty();  // a system of this document
  const fs::path file = is_again ? fs::path() : FileOf(xml, base);
  const bool is_package = EndsWith(file, ".ssp"), is_description = EndsWith(file, ".ssd");
  if (!is_package && !is_description) into.fmu = file;
  ReadBindings(xml, into, base);
  if (xml.Attribute("source") == nullptr) {
    AddError(problems_, xml.Place(), fmt::format("expected a source of component {}, found none", Quoted(into.name)),
             "name the FMU; a component without one is only a template");
    return;
  }
  const std::string type = xml.Get("type");
  if (!type.empty() && std::ranges::find(kTypes, type) == kTypes.end()) {
    AddError(problems_, xml.Place(*xml.Attribute("type")),
             fmt::format("expected a component that is an FMU or a system structure, found the type {}", Quoted(type)),
             "export it as an FMU");
    into.fmu.clear();
    return;
  }
  if ((!is_package && !is_description && !is_again) || !MayInclude(xml)) return;
  ++depth_;
  try {
    if (is_again) {
      ReadSystemAgain(xml, fragment, into, base);
    } else if (is_description) {
      ReadNested(file, into);
    } else {
      const auto package = UnpackedArchive::Open(file);
      packages_.push_back(package);
      const fs::path folder = fs::canonical(package->Folder());
      StructureReader inner(folder, problems_);
      inner.depth_ = depth_;
      inner.included_ = included_;
      inner.ReadNested(fragment.empty() ? folder / "SystemStructure.ssd" : FileInside(folder, folder, fragment), into);
      included_ = inner.included_;
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
      const std::string interval = type.name == "Clock" ? type.Get("intervalVariability") : "";
      if (!interval.empty() && interval != "triggered") connector.is_timed_clock = true;
    }
    into.connectors.push_back(std::move(connector));
  }
  for (const XmlElement* child : connectors->Children("Connector")) {
    for (const XmlElement* clock : child->Children("Clock")) {
      const XmlAttribute* name = clock->Attribute("name");  // of ssd:Clock; ssc:Clock is a type and has none
      if (name == nullptr || std::ranges::find(into.connectors, name->value, &Connector::name) != into.connectors.end())
        continue;
      AddWarning(
          problems_, clock->Place(*name),
          fmt::format("expected a clock among the connectors of the same element, found {}", Quoted(name->value)),
          "correct the name, or write the connector of the clock");
    }
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

std::vector<std::uint64_t> StructureReader::ReadIndices(const XmlElement& connection, std::string_view attribute) {
  const XmlAttribute* found = connection.Attribute(attribute);
  std::vector<std::uint64_t> indices;
  for (const std::string& part : Split(found == nullptr ? std::string_view() : found->value)) {
    const std::optional<std::uint64_t> index = described::ParseUnsigned(part);
    if (!index || *index == 0) {
      AddError(
          problems_, connection.Place(*found),
          fmt::format("expected indices from 1 on, as in the names of elements in FMI, found {}", Quoted(found->value)),
          "write one index for each dimension, between blanks");
      return {};
    }
    indices.push_back(*index);
  }
  return indices;
}

void StructureReader::ReadConnections(const XmlElement& xml, Element& into) {
  const XmlElement* connections = xml.Child("Connections");
  if (connections == nullptr) return;
  for (const XmlElement* child : connections->Children("Connection")) {
    Connection connection;
    connection.start = {child->Get("startElement"), Name(*child, "startConnector"),
                        ReadIndices(*child, "startIndices")};
    connection.end = {child->Get("endElement"), Name(*child, "endConnector"), ReadIndices(*child, "endIndices")};
    connection.line = child->line;
    connection.transformation = ReadTransformation(*child);
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
    if (!file.empty()) ReadFile(file, "SignalDictionary", *child);  // its entries add nothing to the wires
  }
}

namespace fs = std::filesystem;

void StructureReader::ReadUnits(const XmlElement& xml) {
  const XmlElement* units = xml.Child("Units");
  if (units == nullptr) return;
  for (const XmlElement* child : units->Children("Unit")) {
    fmi::UnitDefinition unit;
    unit.name = Name(*child, "name");
    unit.line = child->line;
    if (const XmlElement* base = child->Child("BaseUnit")) {
      for (std::size_t i = 0; i < described::kBaseUnits.size(); ++i) {
        const double power = Number(*base, described::kBaseUnits[i], 0.0);
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

bool StructureReader::ReadValue(const XmlElement& parameter, const XmlElement& type, ParameterValue& into) {
  const bool is_real = type.name == "Real" || type.name == "Float64" || type.name == "Float32";
  const bool is_text = type.name == "String" || type.name == "Enumeration" || type.name == "Binary";
  const XmlAttribute* text = type.Attribute("value");
  const std::vector<const XmlElement*> parts = type.Children("Value");  // 2.0, of texts
  if ((text == nullptr) == parts.empty()) {
    AddError(problems_, type.Place(),
             fmt::format("expected the attribute value of {}, found {}", type.name,
                         text == nullptr ? "none" : "Value elements too"),
             "write value=\"...\"");
    return false;
  }
  std::uint64_t count = 1;
  const std::vector<const XmlElement*> dimensions = parameter.Children("Dimension");
  for (const XmlElement* dimension : dimensions) {
    const std::uint64_t size = described::ParseUnsigned(dimension->Get("size")).value_or(0);
    if (size == 0 || size > kMostValues / count) {
      AddError(problems_, dimension->Place(),
               fmt::format("expected a size from 1 on, and at most {} values, found {}", kMostValues,
                           Quoted(dimension->Get("size"))),
               "correct the size");
      return false;
    }
    count *= size;
  }
  std::vector<std::string> values;
  for (const XmlElement* part : parts) values.push_back(part->text);
  if (parts.empty() && (is_text || dimensions.empty())) values = {text->value};
  if (parts.empty() && !is_text && !dimensions.empty()) values = Split(text->value);
  const XmlElement& place = parts.empty() ? type : *parts.front();
  if (values.size() != count) {
    AddError(problems_, place.Place(),
             fmt::format("expected {} values of {} as its dimensions say, found {}", count, Quoted(into.name),
                         values.size()),
             "correct the values or the dimensions");
    return false;
  }
  const bool is_scalar_text = type.name == "String" || type.name == "Binary";
  if (is_scalar_text && count > 1 && !std::ranges::all_of(values, [&](const auto& one) { return one == values[0]; })) {
    AddError(problems_, place.Place(),
             fmt::format("expected one {} for all elements of {}, found several", type.name, Quoted(into.name)),
             "an array of texts or bytes takes one value for all elements");
    return false;
  }
  if (is_scalar_text) values.resize(1);
  for (std::string& value : values) {
    bool is_good = is_text && (type.name != "Enumeration" || count == 1 || Split(value).size() == 1);
    if (is_real) {
      is_good = described::ParseDouble(value).has_value();
    } else if (type.name == "Boolean") {
      const std::optional<bool> truth = described::ParseBoolean(value);
      is_good = truth.has_value();
      if (truth) value = *truth ? "true" : "false";
    } else if (!is_text) {
      is_good = described::ParseSigned(value) || described::ParseUnsigned(value);
    }
    if (!is_good) {
      AddError(problems_, text != nullptr ? type.Place(*text) : place.Place(),
               fmt::format("expected a single value of type {} for {}, found {}", type.name, Quoted(into.name),
                           Quoted(value)),
               dimensions.empty() ? "correct the value" : "correct the value; each element has one without blanks");
      return false;
    }
  }
  into.value = fmt::format("{}", fmt::join(values, " "));
  into.unit = type.Get("unit");
  into.is_real = is_real;
  into.is_integer = !is_real && !is_text && type.name != "Boolean";
  return true;
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
    if (ReadValue(*child, *type, value)) values.push_back(std::move(value));
  }
  return values;
}

void StructureReader::Map(const XmlElement& mapping, std::vector<ParameterValue>& values) {
  std::vector<ParameterValue> mapped;
  for (const XmlElement* entry : mapping.Children("MappingEntry")) {
    const XmlAttribute* named = entry->Attribute("source");  // may be empty by the schema
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
      if (!std::ranges::all_of(Split(value.value),
                               [](const std::string& part) { return described::ParseDouble(part).has_value(); })) {
        AddError(problems_, entry->Place(),
                 fmt::format("expected a number to transform, found {} as {}", Quoted(value.value), Quoted(source)),
                 "remove the transformation");
        continue;
      }
      value.factor = transformation.factor;
      value.offset = transformation.offset;
      value.is_real = true;
    } else if (transformation.kind != Transformation::Kind::None) {
      const std::optional<std::string> text = transformation.Mapped(value.value);
      if (!text) {
        AddError(
            problems_, entry->Place(),
            fmt::format("expected a MapEntry for the value {} of {}, found none", Quoted(value.value), Quoted(source)),
            "write an entry for each value");
        continue;
      }
      value.value = *text;
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
