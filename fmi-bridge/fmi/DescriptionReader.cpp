#include "fmi-bridge/fmi/DescriptionReader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/fmi/TypeReader.hpp"
#include "fmi-bridge/fmi/VariableReader.hpp"
#include "openmi/omi/XmlEvents.hpp"
#include "openmi/sdk/SharedByKey.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::fmi {

namespace {

// Before Resolve, an Index holds the bits of a value reference or a position.
Index Unresolved(std::uint64_t reference) {
  return static_cast<Index>(static_cast<std::uint32_t>(reference));
}

/// Reads ModelStructure of 2.0 (positions) and 3.0 (value references).
class StructureReader {
 public:
  /// Both arguments are borrowed.
  StructureReader(ModelDescription& description, described::Report& report)
      : description_(description), report_(report) {}

  /// \param list  the list that the entry belongs to
  void Read(const XmlEventTag& tag, std::vector<Unknown>& list) {
    described::Attributes attributes(tag, report_);
    Unknown unknown;
    unknown.line = tag.line;
    const char* key = description_.version == FmiMajor::Fmi3 ? "valueReference" : "index";
    const auto reference = attributes.Unsigned32(key);
    if (!reference) {
      if (!attributes.Find(key)) attributes.Required(key);
      attributes.IgnoreRest();
      return;
    }
    unknown.variable = Unresolved(*reference);
    if (const auto dependencies = attributes.Find("dependencies")) {
      unknown.depends_on_all = false;
      std::string_view rest = *dependencies;
      for (std::string_view word = described::NextWord(rest); !word.empty(); word = described::NextWord(rest)) {
        const auto one = described::ParseUnsigned(word);
        if (!one || *one > std::numeric_limits<std::uint32_t>::max()) {
          attributes.Wrong("dependencies", "whole numbers", word);
          break;
        }
        unknown.dependencies.push_back(Unresolved(*one));
      }
    }
    ReadKinds(attributes, unknown);
    list.push_back(std::move(unknown));
  }

  /// Replaces positions and value references by variables.
  /// \param variables  already resolved
  void Resolve(const VariableReader& variables) {
    if (description_.version == FmiMajor::Fmi1) return;
    const bool is_third = description_.version == FmiMajor::Fmi3;
    ModelStructure& structure = description_.structure;
    ResolveList(structure.outputs, is_third ? "Output" : "Outputs", variables);
    ResolveList(structure.derivatives, is_third ? "ContinuousStateDerivative" : "Derivatives", variables);
    ResolveList(structure.clocked_states, "ClockedState", variables);
    ResolveList(structure.initial_unknowns, is_third ? "InitialUnknown" : "InitialUnknowns", variables);
    ResolveList(structure.event_indicators, "EventIndicator", variables);
  }

 private:
  void ReadKinds(described::Attributes& attributes, Unknown& unknown) {
    const auto kinds = attributes.Find("dependenciesKind");
    if (!kinds) return;
    std::string_view rest = *kinds;
    for (std::string_view word = described::NextWord(rest); !word.empty(); word = described::NextWord(rest)) {
      const std::optional<DependencyKind> kind = kDependencyKinds.Find(word);
      if (!kind) {
        attributes.Wrong("dependenciesKind", "dependent, constant, fixed, tunable, discrete", word);
        unknown.kinds.clear();
        return;
      }
      unknown.kinds.push_back(*kind);
    }
    if (unknown.kinds.size() == unknown.dependencies.size()) return;
    report_.Warning(attributes.Line(), {},
                    fmt::format("expected as many dependenciesKind as dependencies ({}), found {}",
                                unknown.dependencies.size(), unknown.kinds.size()),
                    "write one word for each dependency, or remove dependenciesKind");
    unknown.kinds.clear();
  }

  void ResolveList(std::vector<Unknown>& list, const char* name, const VariableReader& variables) {
    const auto find = [&](Index bits) -> Index {
      const auto reference = static_cast<std::uint32_t>(bits);
      if (description_.version == FmiMajor::Fmi3) return variables.Find(reference);
      return reference == 0 || reference > description_.variables.size() ? kNowhere : static_cast<Index>(reference - 1);
    };
    const char* what = description_.version == FmiMajor::Fmi3 ? "the value reference of a variable"
                                                              : "the position of a variable in ModelVariables";
    std::vector<bool> seen(description_.variables.size());
    for (Unknown& unknown : list) {
      const auto refuse = [&](const char* attribute, Index bits) {
        report_.Error(
            unknown.line, {},
            fmt::format("expected {} in {} of {}, found {}", what, attribute, name, static_cast<std::uint32_t>(bits)),
            "correct the number");
      };
      const Index found = find(unknown.variable);
      if (found == kNowhere) {
        refuse("a line", unknown.variable);
      } else if (seen[static_cast<std::size_t>(found)]) {
        report_.Error(unknown.line, description_.At(found).name,
                      fmt::format("expected every variable once in {}, found it again", name), "remove one of the two");
      } else {
        seen[static_cast<std::size_t>(found)] = true;
      }
      unknown.variable = found;
      for (Index& dependency : unknown.dependencies) {
        const Index on = find(dependency);
        if (on == kNowhere) refuse("dependencies", dependency);
        dependency = on;
      }
      if (std::ranges::find(unknown.dependencies, kNowhere) != unknown.dependencies.end()) {
        unknown.dependencies.clear();
        unknown.kinds.clear();
        unknown.depends_on_all = true;
      }
    }
    std::erase_if(list, [](const Unknown& unknown) { return unknown.variable == kNowhere; });
  }

  ModelDescription& description_;
  described::Report& report_;
};

/// Whether it is the name of a file in the folder, and not a path elsewhere.
bool IsFileName(std::string_view name) {
  return name.front() != '.' && std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
                  c == '.';
         });
}

std::string ReadIdentifier(described::Attributes& attributes, described::Report& report) {
  std::string name = attributes.Required("modelIdentifier");
  if (IsIdentifier(name) || name.empty()) return name;
  if (IsFileName(name)) {
    report.Warning(attributes.Line(), {},
                   fmt::format("expected a modelIdentifier of letters, digits and '_' that begins with no digit, found "
                               "{}; its library is looked for by that name",
                               Quoted(name)),
                   "rename it, and the library with it");
  } else {  // the name becomes part of a path
    report.Error(
        attributes.Line(), {},
        fmt::format("expected a modelIdentifier of letters, digits and '_' that begins with no digit, found {}",
                    Quoted(name)),
        "rename it, and the library with it");
    name.clear();
  }
  return name;
}

void ReadRoot(const XmlEventTag& tag, described::Report& report, ModelDescription& description) {
  described::Attributes attributes(tag, report);
  const bool is_third = description.version == FmiMajor::Fmi3;
  attributes.Find("fmiVersion");
  description.model_name = attributes.Required("modelName");
  const char* const token = is_third ? "instantiationToken" : "guid";
  if (attributes.Find(token) == "") {  // of the type normalizedString: demonstrations of layered standards write that
    report.Warning(tag.line, {}, fmt::format("expected a fingerprint in {} of fmiModelDescription, found none", token),
                   "an FMU cannot notice that its description belongs to another build");
  } else {
    description.token = attributes.Required(token);
  }
  description.description = attributes.Text("description");
  description.author = attributes.Text("author");
  description.model_version = attributes.Text("version");
  description.generation_tool = attributes.Text("generationTool");
  description.generation_time = attributes.Text("generationDateAndTime");
  if (description.version != FmiMajor::Fmi1) {
    description.copyright = attributes.Text("copyright");
    description.license = attributes.Text("license");
  }
  static constexpr EnumNames<bool> kConventions{"flat", "structured"};
  description.is_structured = attributes.OneOf("variableNamingConvention", kConventions).value_or(false);
  if (!is_third) {
    description.event_indicators =
        static_cast<std::size_t>(attributes.Unsigned32("numberOfEventIndicators").value_or(0));
  }
  if (description.version != FmiMajor::Fmi1) return;
  description.continuous_states = attributes.Unsigned32("numberOfContinuousStates").value_or(0);
  // Without Implementation the FMU is Model Exchange; with it, Co-Simulation takes over these attributes.
  Interface exchange;
  exchange.model_identifier = ReadIdentifier(attributes, report);
  exchange.line = tag.line;
  description.Of(InterfaceKind::ModelExchange) = std::move(exchange);
}

void ReadInterface(const XmlEventTag& tag, InterfaceKind kind, described::Report& report,
                   ModelDescription& description) {
  described::Attributes attributes(tag, report);
  const bool is_third = description.version == FmiMajor::Fmi3;
  if (description.Of(kind)) {
    report.Error(tag.line, {}, fmt::format("expected one {}, found another", Name(kind)), "remove one of the two");
  }
  Interface one;
  one.line = tag.line;
  one.model_identifier = ReadIdentifier(attributes, report);
  one.needs_execution_tool = attributes.Boolean("needsExecutionTool", false);
  one.only_once_per_process = attributes.Boolean("canBeInstantiatedOnlyOncePerProcess", false);
  if (!is_third) one.no_memory_functions = attributes.Boolean("canNotUseMemoryManagementFunctions", false);
  one.can_get_and_set_state = attributes.Boolean(is_third ? "canGetAndSetFMUState" : "canGetAndSetFMUstate", false);
  one.can_serialize_state = attributes.Boolean(is_third ? "canSerializeFMUState" : "canSerializeFMUstate", false);
  one.provides_directional_derivatives =
      attributes.Boolean(is_third ? "providesDirectionalDerivatives" : "providesDirectionalDerivative", false);
  if (is_third) {
    one.provides_adjoint_derivatives = attributes.Boolean("providesAdjointDerivatives", false);
    one.provides_per_element_dependencies = attributes.Boolean("providesPerElementDependencies", false);
  }
  if (kind == InterfaceKind::ModelExchange) {
    one.needs_completed_integrator_step = is_third ? attributes.Boolean("needsCompletedIntegratorStep", false)
                                                   : !attributes.Boolean("completedIntegratorStepNotNeeded", false);
  }
  if (is_third && kind != InterfaceKind::ScheduledExecution) {
    one.provides_evaluate_discrete_states = attributes.Boolean("providesEvaluateDiscreteStates", false);
  }
  if (kind == InterfaceKind::CoSimulation) {
    one.can_handle_variable_step = attributes.Boolean("canHandleVariableCommunicationStepSize", false);
    one.max_output_derivative_order = attributes.Unsigned32("maxOutputDerivativeOrder").value_or(0);
    if (is_third) {
      one.fixed_internal_step = attributes.Double("fixedInternalStepSize");
      one.recommended_input_smoothness = attributes.Unsigned32("recommendedIntermediateInputSmoothness").value_or(0);
      one.provides_intermediate_update = attributes.Boolean("providesIntermediateUpdate", false);
      one.might_return_early = attributes.Boolean("mightReturnEarlyFromDoStep", false);
      one.can_return_early_after_intermediate_update =
          attributes.Boolean("canReturnEarlyAfterIntermediateUpdate", false);
      one.has_event_mode = attributes.Boolean("hasEventMode", false);
      if (one.fixed_internal_step && !(*one.fixed_internal_step > 0.0 && std::isfinite(*one.fixed_internal_step))) {
        attributes.Wrong("fixedInternalStepSize", "a number above 0", fmt::format("{}", *one.fixed_internal_step));
        one.fixed_internal_step.reset();
      }
    } else {
      one.can_interpolate_inputs = attributes.Boolean("canInterpolateInputs", false);
      one.can_run_asynchronously = attributes.Boolean("canRunAsynchronuously", false);
    }
  }
  if (one.can_serialize_state && !one.can_get_and_set_state) {
    report.Warning(tag.line, {}, "expected that an FMU which serialises its state can also get and set it, found not",
                   "write both flags");
  }
  description.Of(kind) = std::move(one);
}

void ReadFirstCapabilities(const XmlEventTag& tag, described::Report& report, ModelDescription& description) {
  described::Attributes attributes(tag, report);
  std::optional<Interface>& exchange = description.Of(InterfaceKind::ModelExchange);
  Interface one = exchange.value_or(Interface());
  exchange.reset();
  one.line = tag.line;
  one.can_handle_variable_step = attributes.Boolean("canHandleVariableCommunicationStepSize", false);
  one.can_handle_events = attributes.Boolean("canHandleEvents", false);
  one.can_reject_steps = attributes.Boolean("canRejectSteps", false);
  one.can_interpolate_inputs = attributes.Boolean("canInterpolateInputs", false);
  one.max_output_derivative_order = attributes.Unsigned32("maxOutputDerivativeOrder").value_or(0);
  one.can_run_asynchronously = attributes.Boolean("canRunAsynchronuously", false);
  one.can_signal_events = attributes.Boolean("canSignalEvents", false);
  one.only_once_per_process = attributes.Boolean("canBeInstantiatedOnlyOncePerProcess", false);
  one.no_memory_functions = attributes.Boolean("canNotUseMemoryManagementFunctions", false);
  description.Of(InterfaceKind::CoSimulation) = std::move(one);
}

void ReadDefaultExperiment(const XmlEventTag& tag, described::Report& report, ModelDescription& description) {
  described::Attributes attributes(tag, report);
  DefaultExperiment& experiment = description.experiment;
  const auto read = [&](const char* name, bool is_positive) {
    std::optional<double> number = attributes.Double(name);
    if (number && (!std::isfinite(*number) || (is_positive && *number <= 0.0))) {
      attributes.Wrong(name, is_positive ? "a number above 0" : "a number", fmt::format("{}", *number));
      number.reset();
    }
    return number;
  };
  experiment.start = read("startTime", false);
  experiment.stop = read("stopTime", false);
  experiment.tolerance = read("tolerance", true);
  if (description.version != FmiMajor::Fmi1) experiment.step = read("stepSize", true);
  if (experiment.stop && *experiment.stop < experiment.start.value_or(0.0)) {
    report.Warning(tag.line, {},
                   fmt::format("expected a stopTime that is not before the startTime {}, found {}",
                               experiment.start.value_or(0.0), *experiment.stop),
                   "correct one of the two");
  }
}

void ReadLogCategory(const XmlEventTag& tag, described::Report& report, ModelDescription& description) {
  described::Attributes attributes(tag, report);
  LogCategory category;
  category.name = attributes.Required("name");
  category.description = attributes.Text("description");
  if (std::ranges::any_of(description.log_categories,
                          [&](const LogCategory& one) { return one.name == category.name; })) {
    report.Error(tag.line, {}, fmt::format("expected every log category once, found {} again", Quoted(category.name)),
                 "remove one of the two");
  }
  // A limit, because the list is searched linearly.
  if (description.log_categories.size() < 10'000) description.log_categories.push_back(std::move(category));
}

/// The position of the reader in the document.
enum class Place : std::uint8_t {
  Document,
  Root,
  Interface,
  SourceFiles,
  Units,
  Unit,
  Types,
  Type,
  TypeBody,
  LogCategories,
  Variables,
  Variable,
  DirectDependency,
  DirectName,
  Structure,
  Unknowns,
  Annotations,
  Annotation,
  Implementation,
  FirstKind,
  Leaf,
  Ignored
};

struct Open {
  Place place = Place::Ignored;
  int line = 0;
  std::size_t children = 0;
  std::vector<Unknown>* unknowns = nullptr;
};

/// The children of the root in their required order. In 1.0, Implementation is the last.
constexpr std::array<std::string_view, 12> kOrder = {"ModelExchange",     "CoSimulation",      "ScheduledExecution",
                                                     "UnitDefinitions",   "TypeDefinitions",   "LogCategories",
                                                     "DefaultExperiment", "VendorAnnotations", "ModelVariables",
                                                     "ModelStructure",    "Annotations",       "Implementation"};

class DescriptionReader final : public IXmlEvents {
 public:
  DescriptionReader(std::string_view text, const std::string& file, Problems& problems)
      : text_(text),
        report_(file, problems),
        types_(description_, report_),
        variables_(description_, types_, report_),
        structure_(description_, report_) {
    description_.file = file;
    open_.push_back({.place = Place::Document});
  }

  ModelDescription Finish();
  void OnStart(const XmlEventTag& tag) override;
  void OnEnd(std::size_t end) override;
  void OnText(std::string_view piece) override {
    if (open_.back().place == Place::DirectName) name_ += piece;
  }

 private:
  void ReadVersion(const XmlEventTag& tag);
  Place Enter(const XmlEventTag& tag, Open& opened);
  Place EnterRootChild(const XmlEventTag& tag);
  Place EnterTypes(const XmlEventTag& tag);
  Place EnterVariables(const XmlEventTag& tag);
  Place EnterVariable(const XmlEventTag& tag);
  Place EnterStructure(const XmlEventTag& tag, Open& opened);
  Place EnterAnnotation(const XmlEventTag& tag);
  Place Unknown(const XmlEventTag& tag, const std::vector<std::string>& known);
  void Leave(const Open& left, std::size_t end);
  bool Is(FmiMajor version) const { return description_.version == version; }

  std::string_view text_;
  ModelDescription description_;
  described::Report report_;
  TypeReader types_;
  VariableReader variables_;
  StructureReader structure_;
  std::vector<Open> open_;
  std::size_t rank_ = 0;   ///< in kOrder, of the last child of the root that was read
  std::string name_;       ///< text of DirectName
  Annotation annotation_;  ///< the annotation that is being read
  std::size_t annotation_begin_ = 0;
  std::array<bool, kOrder.size()> seen_{};
};

std::optional<VariableType> TypeNamed(std::string_view name, FmiMajor version) {
  if (version != FmiMajor::Fmi3) {
    if (name == "Real") return VariableType::Float64;
    if (name == "Integer") return VariableType::Int32;
    if (name == "Boolean") return VariableType::Boolean;
    if (name == "String") return VariableType::String;
    if (name == "Enumeration") return VariableType::Enumeration;
    return std::nullopt;
  }
  return kVariableTypes.Find(name);
}

void DescriptionReader::ReadVersion(const XmlEventTag& tag) {
  const Where where{.file = report_.File(), .line = tag.line};
  if (tag.name != "fmiModelDescription") {
    throw FormatError(where, fmt::format("expected the root element fmiModelDescription, found {}", Quoted(tag.name)),
                      "check that this is the modelDescription.xml of an FMU");
  }
  const XmlEventAttribute* version = tag.Attribute("fmiVersion");
  const std::string_view text = version == nullptr ? std::string_view() : described::Collapsed(version->value);
  if (text == "1.0") {
    description_.version = FmiMajor::Fmi1;
  } else if (text == "2.0") {
    description_.version = FmiMajor::Fmi2;
  } else if (text.starts_with("3.") && text.size() > 2 && text[2] >= '0' && text[2] <= '9') {
    description_.version = FmiMajor::Fmi3;
  } else {
    throw FormatError(where,
                      fmt::format("expected fmiVersion 1.0, 2.0 or 3.x, found {}",
                                  version == nullptr ? std::string("none") : Quoted(text)),
                      "export the FMU for one of these versions");
  }
  description_.version_text = text;
  ReadRoot(tag, report_, description_);
}

Place DescriptionReader::Unknown(const XmlEventTag& tag, const std::vector<std::string>& known) {
  if (!tag.namespace_uri.empty()) return Place::Ignored;  // not of FMI
  report_.Warning(tag.line, {},
                  fmt::format("expected an element that is allowed here, found {}; it was ignored", Quoted(tag.name)),
                  Suggest(tag.name, known));
  return Place::Ignored;
}

Place DescriptionReader::EnterRootChild(const XmlEventTag& tag) {
  const auto* found = std::ranges::find(kOrder, tag.name);
  if (found == kOrder.end()) {
    return Unknown(tag, {kOrder.begin(), kOrder.end()});
  }
  const auto rank = static_cast<std::size_t>(found - kOrder.begin());
  // 1.0 has DefaultExperiment and VendorAnnotations in the same order; in 3.0 the interfaces may come in any order.
  if (rank < rank_) {
    report_.Warning(tag.line, {}, fmt::format("expected {} before {}, found it after", tag.name, kOrder[rank_]),
                    "put the elements into the order of the standard");
  } else if (seen_[rank]) {
    report_.Error(tag.line, {}, fmt::format("expected one {}, found another", tag.name), "join the two into one");
  }
  seen_[rank] = true;
  rank_ = std::max(rank_, rank);
  const bool is_first = Is(FmiMajor::Fmi1), is_third = Is(FmiMajor::Fmi3);
  if (rank < kInterfaceKindCount) {
    if (is_first || (rank == 2 && !is_third)) return Unknown(tag, {});
    ReadInterface(tag, static_cast<InterfaceKind>(rank), report_, description_);
    return Place::Interface;
  }
  if (tag.name == "UnitDefinitions") return Place::Units;
  if (tag.name == "TypeDefinitions") return Place::Types;
  if (tag.name == "LogCategories" && !is_first) return Place::LogCategories;
  if (tag.name == "ModelVariables") return Place::Variables;
  if (tag.name == "ModelStructure" && !is_first) return Place::Structure;
  if (tag.name == "Implementation" && is_first) return Place::Implementation;
  if (tag.name == "Annotations" && is_third) return Place::Annotations;
  if (tag.name == "VendorAnnotations" && !is_third) return Place::Annotations;
  if (tag.name == "DefaultExperiment") {
    ReadDefaultExperiment(tag, report_, description_);
    return Place::Leaf;
  }
  return Unknown(tag, {});
}

Place DescriptionReader::EnterTypes(const XmlEventTag& tag) {
  if (!Is(FmiMajor::Fmi3)) {
    const char* name = Is(FmiMajor::Fmi1) ? "Type" : "SimpleType";
    if (tag.name != name) return Unknown(tag, {name});
    types_.BeginType(tag);
    return Place::Type;
  }
  const auto type =
      tag.name.ends_with("Type") ? TypeNamed(tag.name.substr(0, tag.name.size() - 4), FmiMajor::Fmi3) : std::nullopt;
  if (!type) return Unknown(tag, {"Float64Type", "Int32Type", "BooleanType", "EnumerationType", "ClockType"});
  types_.BeginType(tag);
  types_.ReadTypeBody(tag, *type);
  return Place::TypeBody;
}

Place DescriptionReader::EnterVariables(const XmlEventTag& tag) {
  if (!Is(FmiMajor::Fmi3)) {
    if (tag.name != "ScalarVariable") return Unknown(tag, {"ScalarVariable"});
    variables_.BeginScalar(tag);
    return Place::Variable;
  }
  const std::optional<VariableType> type = TypeNamed(tag.name, FmiMajor::Fmi3);
  if (!type) {
    // An omitted variable would shift no positions in 3.0, but references to it would fail.
    report_.Error(tag.line, {}, fmt::format("expected a variable of a type of FMI 3.0, found {}", Quoted(tag.name)),
                  "write Float64, Int32, Boolean, String, Binary, Enumeration, Clock or their kin");
    return Place::Ignored;
  }
  variables_.Begin(tag, *type);
  return Place::Variable;
}

Place DescriptionReader::EnterVariable(const XmlEventTag& tag) {
  if (tag.name == "Annotations") return Place::Annotations;
  if (Is(FmiMajor::Fmi3)) {
    if (tag.name == "Dimension") {
      variables_.ReadDimension(tag);
    } else if (tag.name == "Alias") {
      variables_.ReadAlias(tag);
    } else if (tag.name == "Start") {
      variables_.ReadStart(tag);
    } else {
      return Unknown(tag, {"Dimension", "Alias", "Start", "Annotations"});
    }
    return Place::Leaf;
  }
  if (tag.name == "DirectDependency" && Is(FmiMajor::Fmi1)) {
    variables_.BeginDirectDependency();
    return Place::DirectDependency;
  }
  const std::optional<VariableType> type = TypeNamed(tag.name, description_.version);
  if (!type) return Unknown(tag, {"Real", "Integer", "Boolean", "String", "Enumeration", "Annotations"});
  variables_.ReadScalarBody(tag, *type);
  return Place::Leaf;
}

Place DescriptionReader::EnterStructure(const XmlEventTag& tag, Open& opened) {
  ModelStructure& structure = description_.structure;
  if (Is(FmiMajor::Fmi2)) {
    if (tag.name == "Outputs") opened.unknowns = &structure.outputs;
    if (tag.name == "Derivatives") opened.unknowns = &structure.derivatives;
    if (tag.name == "InitialUnknowns") opened.unknowns = &structure.initial_unknowns;
    return opened.unknowns == nullptr ? Unknown(tag, {"Outputs", "Derivatives", "InitialUnknowns"}) : Place::Unknowns;
  }
  std::vector<fmi::Unknown>* list = nullptr;
  if (tag.name == "Output") list = &structure.outputs;
  if (tag.name == "ContinuousStateDerivative") list = &structure.derivatives;
  if (tag.name == "ClockedState") list = &structure.clocked_states;
  if (tag.name == "InitialUnknown") list = &structure.initial_unknowns;
  if (tag.name == "EventIndicator") list = &structure.event_indicators;
  if (list == nullptr) {
    return Unknown(tag, {"Output", "ContinuousStateDerivative", "ClockedState", "InitialUnknown", "EventIndicator"});
  }
  structure_.Read(tag, *list);
  return Place::Leaf;
}

Place DescriptionReader::EnterAnnotation(const XmlEventTag& tag) {
  const bool is_third = Is(FmiMajor::Fmi3);
  if (tag.name != (is_third ? "Annotation" : "Tool")) return Unknown(tag, {is_third ? "Annotation" : "Tool"});
  described::Attributes attributes(tag, report_);
  annotation_ = {.type = attributes.Required(is_third ? "type" : "name"), .content = {}, .line = tag.line};
  attributes.IgnoreRest();
  const std::size_t close = text_.find('>', tag.end);
  annotation_begin_ = close == std::string_view::npos ? text_.size() : close + 1;
  return Place::Annotation;
}

Place DescriptionReader::Enter(const XmlEventTag& tag, Open& opened) {
  switch (open_.back().place) {
    case Place::Document:
      ReadVersion(tag);
      return Place::Root;
    case Place::Root:
      return EnterRootChild(tag);
    case Place::Interface:
      if (tag.name == "SourceFiles" && Is(FmiMajor::Fmi2)) return Place::SourceFiles;
      if (tag.name == "Annotations") return Place::Ignored;
      return Unknown(tag, {"SourceFiles", "Annotations"});
    case Place::SourceFiles: {
      if (tag.name != "File") return Unknown(tag, {"File"});
      described::Attributes attributes(tag, report_);
      const std::string file = attributes.Required("name");
      for (std::optional<Interface>& one : description_.interfaces) {
        if (one && one->line == open_[open_.size() - 2].line) one->source_files.push_back(file);
      }
      return Place::Leaf;
    }
    case Place::Units:
      if (tag.name != (Is(FmiMajor::Fmi1) ? "BaseUnit" : "Unit")) return Unknown(tag, {"Unit"});
      types_.ReadUnit(tag);
      return Place::Unit;
    case Place::Unit:
      if (tag.name == "BaseUnit" && !Is(FmiMajor::Fmi1)) {
        types_.ReadBaseUnit(tag);
        return Place::Leaf;
      }
      if (tag.name == (Is(FmiMajor::Fmi1) ? "DisplayUnitDefinition" : "DisplayUnit")) {
        types_.ReadDisplayUnit(tag);
        return Place::Leaf;
      }
      return tag.name == "Annotations" ? Place::Ignored : Unknown(tag, {"BaseUnit", "DisplayUnit"});
    case Place::Types:
      return EnterTypes(tag);
    case Place::Type: {
      std::string_view name = tag.name;
      if (Is(FmiMajor::Fmi1) && name.ends_with("Type")) name.remove_suffix(4);
      const std::optional<VariableType> type = TypeNamed(name, description_.version);
      if (!type) return Unknown(tag, {"Real", "Integer", "Boolean", "String", "Enumeration"});
      types_.ReadTypeBody(tag, *type);
      return Place::TypeBody;
    }
    case Place::TypeBody:
      if (tag.name == "Item" && description_.types.back().type == VariableType::Enumeration) {
        types_.ReadItem(tag);
        return Place::Leaf;
      }
      return tag.name == "Annotations" ? Place::Ignored : Unknown(tag, {"Item"});
    case Place::LogCategories:
      if (tag.name != "Category") return Unknown(tag, {"Category"});
      ReadLogCategory(tag, report_, description_);
      return Place::Leaf;
    case Place::Variables:
      return EnterVariables(tag);
    case Place::Variable:
      return EnterVariable(tag);
    case Place::DirectDependency:
      if (tag.name != "Name") return Unknown(tag, {"Name"});
      name_.clear();
      return Place::DirectName;
    case Place::Structure:
      return EnterStructure(tag, opened);
    case Place::Unknowns:
      if (tag.name != "Unknown") return Unknown(tag, {"Unknown"});
      structure_.Read(tag, *open_.back().unknowns);
      return Place::Leaf;
    case Place::Annotations:
      return EnterAnnotation(tag);
    case Place::Implementation:
      return tag.name.starts_with("CoSimulation_") ? Place::FirstKind
                                                   : Unknown(tag, {"CoSimulation_StandAlone", "CoSimulation_Tool"});
    case Place::FirstKind:
      if (tag.name == "Capabilities") {
        ReadFirstCapabilities(tag, report_, description_);
        return Place::Leaf;
      }
      if (tag.name == "Model" && description_.Of(InterfaceKind::CoSimulation)) {
        description_.Of(InterfaceKind::CoSimulation)->needs_execution_tool = true;
        return Place::Ignored;
      }
      return Unknown(tag, {"Capabilities", "Model"});
    case Place::Leaf:
      return tag.name == "Annotations" ? Place::Ignored : Unknown(tag, {});
    case Place::Annotation: {
      described::AnnotationElement& element = annotation_.elements.emplace_back();
      element.name = tag.name;
      element.namespace_uri = tag.namespace_uri;
      for (const XmlEventAttribute& one : tag.attributes) {
        if (one.namespace_uri.empty()) element.attributes.emplace_back(one.name, one.value);
      }
      return Place::Ignored;
    }
    case Place::DirectName:
    case Place::Ignored:
      break;
  }
  return Place::Ignored;
}

void DescriptionReader::OnStart(const XmlEventTag& tag) {
  ++open_.back().children;
  Open opened{.line = tag.line};
  opened.place = Enter(tag, opened);
  open_.push_back(opened);
}

void DescriptionReader::Leave(const Open& left, std::size_t end) {
  static constexpr std::array kNames = {"UnitDefinitions", "TypeDefinitions", "LogCategories", "ModelVariables"};
  static constexpr std::array kLists = {Place::Units, Place::Types, Place::LogCategories, Place::Variables};
  const auto* list = std::ranges::find(kLists, left.place);
  if (list != kLists.end() && left.children == 0) {
    report_.Warning(
        left.line, {},
        fmt::format("expected something in {}, found nothing", kNames[static_cast<std::size_t>(list - kLists.begin())]),
        "remove the empty element");
  }
  switch (left.place) {
    case Place::Variable:
      if (Is(FmiMajor::Fmi3)) {
        variables_.End();
      } else {
        variables_.EndScalar();
      }
      break;
    case Place::TypeBody:
      types_.EndType(left.line);
      break;
    case Place::DirectName:
      variables_.AddDirectDependency(std::string(described::Collapsed(name_)));
      break;
    case Place::Annotation: {
      const std::size_t close = text_.rfind("</", end == 0 ? 0 : end - 1);
      if (close != std::string_view::npos && close > annotation_begin_ && annotation_begin_ > 1 &&
          text_[annotation_begin_ - 2] != '/') {
        annotation_.content = described::Collapsed(text_.substr(annotation_begin_, close - annotation_begin_));
      }
      const bool is_of_variable = open_.size() >= 2 && open_[open_.size() - 2].place == Place::Variable;
      auto& list_of = is_of_variable ? description_.variables.back().annotations : description_.annotations;
      list_of.push_back(std::exchange(annotation_, {}));
      break;
    }
    default:
      break;
  }
}

void DescriptionReader::OnEnd(std::size_t end) {
  const Open left = open_.back();
  open_.pop_back();
  Leave(left, end);
}

ModelDescription DescriptionReader::Finish() {
  variables_.Resolve();
  structure_.Resolve(variables_);
  ModelDescription& description = description_;
  if (Is(FmiMajor::Fmi3)) description.event_indicators = description.structure.event_indicators.size();
  if (!Is(FmiMajor::Fmi1)) {
    std::uint64_t states = 0;
    for (const fmi::Unknown& unknown : description.structure.derivatives) {
      const std::uint64_t size = description.At(unknown.variable).StartSize();
      states = size > ~std::uint64_t{0} - states ? ~std::uint64_t{0} : states + size;
    }
    description.continuous_states = states;
  }
  report_.Close();
  return std::move(description_);
}

/// Renames variables with a repeated name to "x (2)", so that each can be an item and an argument; removes repeated
/// aliases.
void NameApart(ModelDescription& description) {
  const VariableNames names(description);
  if (names.Duplicates().empty()) return;
  std::set<std::string> taken;
  for (const Variable& variable : description.variables) {
    taken.insert(variable.name);
    for (const AliasName& alias : variable.aliases) taken.insert(alias.name);
  }
  std::set<std::string> seen;
  std::map<std::string, int> last_numbers;  // so that for many equal names the count does not start from 2 each time
  for (Variable& variable : description.variables) {
    if (!seen.insert(variable.name).second) {
      const std::string name = variable.name;
      int& number = last_numbers.try_emplace(name, 1).first->second;
      while (!taken.insert(variable.name).second) variable.name = fmt::format("{} ({})", name, ++number);
      seen.insert(variable.name);
    }
  }
  for (Variable& variable : description.variables) {
    std::erase_if(variable.aliases, [&](const AliasName& alias) { return !seen.insert(alias.name).second; });
  }
}

}  // namespace

bool IsIdentifier(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

ModelDescription ReadModelDescription(std::string_view bytes, const std::string& file, Problems& problems) {
  const XmlLimits limits{.bytes = kMostDescriptionBytes, .depth = 64, .nodes = 200'000'000};
  const std::string text = XmlToUtf8(bytes, file, limits);
  DescriptionReader reader(text, file, problems);
  ReadXmlEvents(text, file, limits, reader, problems);
  ModelDescription description = reader.Finish();
  CheckModelDescription(description, problems);
  NameApart(description);
  return description;
}

ModelDescription ReadFmuDescription(const std::filesystem::path& fmu, Problems& problems) {
  const std::string bytes = ReadFromArchive(fmu, "modelDescription.xml", kMostDescriptionBytes);
  return ReadModelDescription(bytes, (fmu / "modelDescription.xml").string(), problems);
}

std::shared_ptr<const ModelDescription> ShareFmuDescription(const std::filesystem::path& fmu) {
  // Never destroyed: components may be destroyed after other statics.
  static auto& shared = *new SharedByKey<std::pair<std::filesystem::path, FileKey>, const ModelDescription>;
  const bool is_folder = std::filesystem::is_directory(fmu);
  const std::pair key(fmu, KeyOf(is_folder ? fmu / "modelDescription.xml" : fmu));  // messages contain the path
  return shared.Get(key, [&fmu] {
    Problems problems;
    auto description = std::make_shared<const ModelDescription>(ReadFmuDescription(fmu, problems));
    ThrowIfErrors(problems);
    return description;
  });
}

}  // namespace openmi::fmi
