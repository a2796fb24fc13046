#include "fmi-bridge/osmp/packaging/OsmpChecks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::osmp {

using fmi::Causality;
using fmi::FmiMajor;
using fmi::Variability;
using fmi::Variable;
using fmi::VariableType;

void OsmpChecks::Break(RuleId rule, std::string variable, int line, std::string problem, std::string remedy) {
  model_.breaches.push_back({rule, std::move(variable), line, std::move(problem), std::move(remedy)});
}

void OsmpChecks::Break(BinaryVariable& variable, RuleId rule, int line, std::string problem, std::string remedy) {
  if (RuleOf(rule).weight == RuleWeight::Refuses) variable.is_whole = false;
  Break(rule, variable.name, line, std::move(problem), std::move(remedy));
}

void OsmpChecks::CheckPart(BinaryVariable& variable, const Variable& scalar, bool is_full, const std::string& role,
                           const std::string& mime_type) {
  const VariableType type = is_full ? VariableType::Binary : VariableType::Int32;
  if (scalar.type != type || scalar.IsArray()) {
    Break(variable, RuleId::ScalarType, scalar.line,
          fmt::format("expected a scalar of type {} for role {}, found {}{} {}", Name(type, description_.version), role,
                      scalar.IsArray() ? "an array of " : "", Name(scalar.type, description_.version),
                      Quoted(scalar.name)),
          "give the variable that type");
  }
  const std::string name = is_full ? variable.name : fmt::format("{}.{}", variable.name, role);
  if (scalar.name != name) {
    Break(variable, RuleId::NamesOfTheThree, scalar.line,
          fmt::format("expected the name {}, found {}", Quoted(name), Quoted(scalar.name)), "rename the variable");
  }
  if (scalar.causality != variable.causality || scalar.variability != variable.variability) {
    Break(variable, RuleId::SameCausality, scalar.line,
          fmt::format("expected {} to be {} and {}, as the others are, found {} and {}", role, Name(variable.causality),
                      Name(variable.variability), Name(scalar.causality), Name(scalar.variability)),
          "give the three the same causality and variability");
  }
  if (mime_type != variable.mime_type) {
    Break(variable, RuleId::MimeTypesAgree, scalar.line,
          fmt::format("expected the MIME type {}, as the others have it, found {}", Quoted(variable.mime_type),
                      Quoted(mime_type)),
          "write the same MIME type");
  }
  if (is_full && scalar.attributes.mime_type != mime_type) {
    Break(variable, RuleId::MimeTypesAgree, scalar.line,
          fmt::format("expected the mimeType {}, as the annotation has it, found {}", Quoted(mime_type),
                      Quoted(scalar.attributes.mime_type)),
          "write the same MIME type in both");
  }
  if (scalar.causality == Causality::CalculatedParameter || scalar.type != type) return;
  const bool may_have_none = scalar.causality == Causality::Output && scalar.initial == fmi::Initial::Calculated;
  const bool is_empty = !scalar.HasStart() ? may_have_none
                        : is_full          ? description_.Texts(scalar)[0].empty()
                                           : description_.Integers(scalar)[0] == 0;
  if (!is_empty) {
    Break(variable, RuleId::StartValue, scalar.line,
          fmt::format("expected {} as the start value of {}, found {}", is_full ? "nothing" : "0", Quoted(scalar.name),
                      scalar.HasStart() ? "another" : "none"),
          "write start=\"0\": there is no message yet");
  }
}

void OsmpChecks::CheckVariable(BinaryVariable& variable) {
  if (!fmi::IsStructuredName(variable.name)) {
    Break(variable, RuleId::LegalName, variable.line,
          fmt::format("expected a structured name, found {}", Quoted(variable.name)), "rename the variable");
  }
  for (std::size_t i = 0; variable.is_triple && i < description_.variables.size(); ++i) {
    const Variable& other = description_.variables[i];
    if (other.name != variable.name) continue;
    Break(variable, RuleId::NameTaken, other.line,
          fmt::format("expected no variable of the name {}, found one", Quoted(variable.name)), "rename it");
  }
  CheckMimeType(variable);
  CheckKind(variable);
}

void OsmpChecks::CheckMimeType(BinaryVariable& variable) {
  const std::optional<MimeType> mime = ParseMimeType(variable.mime_type);
  if (!mime) {
    const auto kind = std::ranges::find(KindRules(), variable.kind, &KindRule::kind);
    Break(variable, RuleId::MimeTypeValid, variable.line,
          fmt::format("expected a MIME type, found {}", Quoted(variable.mime_type)),
          fmt::format("write application/x-open-simulation-interface; type={}; version=3.7.0, for instance",
                      kind != KindRules().end() ? kind->message : "SensorView"));
    return;
  }
  if (!mime->IsOsi()) return;
  variable.message = mime->Parameter("type");
  const auto messages = TopLevelMessages();
  if (std::ranges::find(messages, variable.message) == messages.end()) {
    Break(variable, RuleId::MessageKnown, variable.line,
          fmt::format("expected a top-level message of OSI as the type of the MIME type, found {}",
                      Quoted(variable.message)),
          Suggest(variable.message, std::vector<std::string>(messages.begin(), messages.end())));
  }
  variable.osi_version = mime->Parameter("version");
  if (variable.osi_version.empty()) variable.osi_version = model_.osi_version;
  if (!IsOsiVersion(variable.osi_version)) {
    Break(variable, RuleId::OsiVersionGiven, variable.line,
          !variable.osi_version.empty()
              ? fmt::format("expected a version of OSI as x.y.z, found {}", Quoted(variable.osi_version))
              : fmt::format("expected a version of OSI in the MIME type or in the element osmp, found {}",
                            std::ranges::find(mime->parameters, std::pair<std::string, std::string>("version", "")) !=
                                    mime->parameters.end()
                                ? "the parameter version empty"
                                : "none"),
          "write version=3.7.0, for instance, into the MIME type: that which the model was compiled against");
  }
}

void OsmpChecks::CheckKind(BinaryVariable& variable) {
  if (variable.kind == Kind::Other) {
    if (variable.message.empty()) return;
    const std::string named = MessageInName(variable.name);
    const bool differ = !named.empty() && named != variable.message;
    Break(variable, RuleId::KnownPrefix, variable.line,
          fmt::format("expected a name that the packaging knows for a {}, found {}", variable.message,
                      Quoted(variable.name)),
          differ ? fmt::format("did you mean type={} in its MIME type? It is used by what that says", named)
                 : "it is used by what its MIME type says");
    return;
  }
  const KindRule& rule = *std::ranges::find(KindRules(), variable.kind, &KindRule::kind);
  const bool is_parameter = rule.causality != Causality::Input && rule.causality != Causality::Output;
  const Variability variability = variable.variability;
  const bool fits = !is_parameter ? variability == Variability::Discrete
                    : rule.kind == Kind::GroundTruthInit
                        ? variability == Variability::Fixed
                        : variability == Variability::Fixed || variability == Variability::Tunable;
  if (variable.causality != rule.causality || !fits) {
    const char* expected = !is_parameter                        ? "discrete"
                           : rule.kind == Kind::GroundTruthInit ? "fixed"
                                                                : "fixed or tunable";
    Break(variable, RuleId::KindCausality, variable.line,
          fmt::format("expected {} with variability {}, found {} with {}", Name(rule.causality), expected,
                      Name(variable.causality), Name(variability)),
          "give it causality and variability of its kind");
  }
  if (variable.message != rule.message && ParseMimeType(variable.mime_type)) {  // else another rule is broken
    Break(variable, RuleId::KindMessage, variable.line,
          fmt::format("expected a MIME type with type={}, found {}", rule.message,
                      variable.message.empty() ? Quoted(variable.mime_type) : Quoted(variable.message)),
          "give it the MIME type of its kind, or another name");
  }
  if (rule.kind != Kind::GroundTruthInit) return;
  for (const fmi::Index part : variable.parts) {
    if (part == fmi::kNowhere) continue;
    const Variable& scalar = description_.At(part);
    if (scalar.initial == fmi::Initial::Exact || scalar.causality != Causality::Parameter) continue;
    Break(variable, RuleId::GroundTruthExact, scalar.line,
          fmt::format("expected initial exact of {}, found {}", Quoted(scalar.name),
                      scalar.initial == fmi::Initial::None ? "none" : Name(scalar.initial)),
          "write initial=\"exact\"");
  }
}

void OsmpChecks::CheckModel() {
  const bool carries_osi =
      std::ranges::any_of(model_.variables, [](const BinaryVariable& one) { return !one.message.empty(); });
  const std::string_view version = model_.version;
  const bool is_first = version.size() >= 5 && version.starts_with("1.") && version[2] >= '0' && version[2] <= '9' &&
                        IsOsiVersion(version);
  if (!is_first && !model_.Breaks(RuleId::Marker)) {
    Break(RuleId::PackagingVersion, {}, 0, fmt::format("expected version 1.x.y, found {}", Quoted(version)),
          "write the version of the packaging that the model follows");
  }
  const bool fits = carries_osi ? IsOsiVersion(model_.osi_version) : model_.osi_version.empty();
  if (!fits && !model_.Breaks(RuleId::MimeTypeValid)) {
    Break(RuleId::OsiVersion, {}, 0,
          carries_osi ? fmt::format("expected an osi-version of x.y.z, found {}", Quoted(model_.osi_version))
                      : fmt::format("expected no osi-version where no message of OSI is carried, found {}",
                                    Quoted(model_.osi_version)),
          carries_osi ? "write the version of OSI that the model was compiled against" : "remove it");
  }
  if (description_.version == FmiMajor::Fmi1) {
    Break(RuleId::FmiVersion, {}, 0, "expected an FMU of FMI 2.0 or 3.0, found one of 1.0", "export it for FMI 2.0");
  }
  if (!description_.Of(fmi::InterfaceKind::CoSimulation)) {
    Break(RuleId::CoSimulation, {}, 0, "expected an FMU for co-simulation, found one that is not",
          "export it for co-simulation");
  }
  if (!description_.is_structured) {
    Break(RuleId::StructuredNames, {}, 0, "expected variableNamingConvention structured, found flat",
          "write variableNamingConvention=\"structured\"");
  }
  if (!description_.experiment.step) {
    Break(RuleId::StepSize, {}, 0, "expected a stepSize in DefaultExperiment, found none",
          "write the period at which the model takes inputs");
  }
  std::set<fmi::Index> ours;
  for (const BinaryVariable& one : model_.variables) ours.insert(one.parts.begin(), one.parts.end());
  for (std::size_t i = 0; i < description_.variables.size(); ++i) {
    const Variable& variable = description_.variables[i];
    if (variable.causality != Causality::Input || variable.HasStart() || variable.type == VariableType::Clock ||
        ours.contains(static_cast<fmi::Index>(i))) {
      continue;
    }
    Break(RuleId::OtherVariables, variable.name, variable.line, "expected a start value of an input, found none",
          "give it one with which the model runs");
  }
  CheckIndices();
  CheckConfigs();
}

void OsmpChecks::CheckIndices() {
  for (const KindRule& rule : KindRules()) {
    std::vector<BinaryVariable*> all;
    for (BinaryVariable& one : model_.variables) {
      if (one.kind == rule.kind) all.push_back(&one);
    }
    if (rule.kind == Kind::GroundTruthInit) {
      for (BinaryVariable* one : all) {
        if (all.size() == 1 && one->index == 0 && one->name == rule.prefix) continue;
        Break(*one, RuleId::GroundTruthSingle, one->line,
              fmt::format("expected one OSMPGroundTruthInit without index, found {}", Quoted(one->name)),
              "join them into one");
      }
      continue;
    }
    std::ranges::stable_sort(all, {}, &BinaryVariable::index);
    for (std::size_t i = 0; i < all.size(); ++i) {
      BinaryVariable& one = *all[i];
      const bool has_index = one.name != rule.prefix;
      const bool is_config = rule.kind == Kind::SensorViewInConfig || rule.kind == Kind::SensorViewInConfigRequest;
      // the configuration of one input among several
      const bool fits = all.size() == 1 ? !has_index || (is_config && one.index >= 1)
                                        : has_index && one.index == static_cast<int>(i) + 1;
      if (fits || (is_config && has_index && one.index >= 1)) continue;
      Break(one, RuleId::Indices, one.line,
            fmt::format("expected {}, found {}",
                        all.size() == 1 ? Quoted(rule.prefix) : Quoted(fmt::format("{}[{}]", rule.prefix, i + 1)),
                        Quoted(one.name)),
            "count them from 1 without gaps; one alone has no index");
    }
  }
}

void OsmpChecks::CheckConfigs() {
  const auto find = [&](Kind kind, int index) {
    return std::ranges::find_if(model_.variables,
                                [&](const BinaryVariable& one) { return one.kind == kind && one.index == index; });
  };
  for (BinaryVariable& one : model_.variables) {
    if (one.kind != Kind::SensorViewInConfigRequest && one.kind != Kind::SensorViewInConfig) continue;
    if (find(Kind::SensorViewIn, one.index) == model_.variables.end()) {
      Break(one, RuleId::ConfigIndex, one.line,
            fmt::format("expected an OSMPSensorViewIn of the index of {}, found none", Quoted(one.name)),
            "give it the index of the input that it configures");
    }
    if (one.kind != Kind::SensorViewInConfigRequest) continue;
    const auto config = find(Kind::SensorViewInConfig, one.index);
    if (config == model_.variables.end()) {
      Break(one, RuleId::ConfigExists, one.line,
            fmt::format("expected an OSMPSensorViewInConfig beside {}, found none", Quoted(one.name)),
            "add the parameter");
    } else if (config->variability != one.variability) {
      Break(one, RuleId::ConfigVariability, one.line,
            fmt::format("expected the variability of {}, {}, found {}", Quoted(config->name), Name(config->variability),
                        Name(one.variability)),
            "give both the same");
    }
  }
}

}  // namespace openmi::osmp
