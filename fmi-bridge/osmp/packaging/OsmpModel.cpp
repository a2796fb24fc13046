#include "fmi-bridge/osmp/packaging/OsmpModel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/osmp/packaging/OsmpChecks.hpp"

namespace openmi::osmp {
namespace {

using fmi::Causality;
using fmi::ModelDescription;
using fmi::Variable;

constexpr std::string_view kTool = "net.pmsf.osmp";
constexpr std::string_view kNamespace = "http://xsd.pmsf.net/OSISensorModelPackaging";
constexpr std::string_view kPlainBytes = "application/octet-stream";

constexpr std::array kKinds = {
    KindRule{Kind::SensorViewIn, "OSMPSensorViewIn", "SensorView", Causality::Input},
    KindRule{Kind::SensorViewInConfigRequest, "OSMPSensorViewInConfigRequest", "SensorViewConfiguration",
             Causality::CalculatedParameter},
    KindRule{Kind::SensorViewInConfig, "OSMPSensorViewInConfig", "SensorViewConfiguration", Causality::Parameter},
    KindRule{Kind::SensorViewOut, "OSMPSensorViewOut", "SensorView", Causality::Output},
    KindRule{Kind::SensorDataIn, "OSMPSensorDataIn", "SensorData", Causality::Input},
    KindRule{Kind::SensorDataOut, "OSMPSensorDataOut", "SensorData", Causality::Output},
    KindRule{Kind::TrafficCommandIn, "OSMPTrafficCommandIn", "TrafficCommand", Causality::Input},
    KindRule{Kind::TrafficCommandUpdateOut, "OSMPTrafficCommandUpdateOut", "TrafficCommandUpdate", Causality::Output},
    KindRule{Kind::TrafficUpdateOut, "OSMPTrafficUpdateOut", "TrafficUpdate", Causality::Output},
    KindRule{Kind::StreamingUpdateIn, "OSMPStreamingUpdateIn", "StreamingUpdate", Causality::Input},
    KindRule{Kind::GroundTruthInit, "OSMPGroundTruthInit", "GroundTruth", Causality::Parameter},
};
constexpr std::array<std::string_view, 10> kMessages = {
    "GroundTruth",    "SensorView",           "SensorViewConfiguration", "SensorData",    "HostVehicleData",
    "TrafficCommand", "TrafficCommandUpdate", "TrafficUpdate",           "MotionRequest", "StreamingUpdate"};

constexpr std::array<std::string_view, 4> kRoles = {"base.lo", "base.hi", "size", "full"};

std::string AttributeOf(const described::AnnotationElement& element, std::string_view name) {
  for (const auto& [key, value] : element.attributes) {
    if (key == name) return value;
  }
  return {};
}

/// Visits the elements of the packaging's namespace among annotations, and those without a namespace.
template <class Visit>
void ForEachElement(const std::vector<fmi::Annotation>& annotations, std::string_view name, Visit visit) {
  for (const fmi::Annotation& annotation : annotations) {
    if (annotation.type != kTool) continue;
    for (const described::AnnotationElement& element : annotation.elements) {
      if (element.name == name) visit(element, annotation);
    }
  }
}

/// Splits "OSMPSensorViewIn[2]" into the kind and the index 2.
void FindKind(BinaryVariable& variable) {
  std::string_view name = variable.name;
  int index = 0;
  if (name.ends_with(']')) {
    const std::size_t open = name.rfind('[');
    if (open != std::string_view::npos) {
      const auto number = described::ParseUnsigned(name.substr(open + 1, name.size() - open - 2));
      if (number && *number < 1'000'000) {
        index = static_cast<int>(*number);
        name = name.substr(0, open);
      }
    }
  }
  for (const KindRule& rule : kKinds) {
    if (name != rule.prefix) continue;
    variable.kind = rule.kind;
    variable.index = index;
  }
}

class ModelReader {
 public:
  explicit ModelReader(const ModelDescription& description) : description_(description), checks_(description, model_) {}

  OsmpModel Read() {
    ReadMarker();
    const bool has_marker = model_.is_osmp;
    ReadAnnotations();
    if (model_.is_osmp) ReadUnannotated();
    if (!model_.is_osmp) return std::move(model_);
    if (!has_marker) {
      checks_.Break(RuleId::Marker, {}, 0, "expected an element osmp in the annotations of the description, found none",
                    "add it, with version and osi-version");
    }
    std::ranges::stable_sort(parts_, {}, &Part::variable);
    for (const Part& part : parts_) Put(part);
    for (BinaryVariable& variable : model_.variables) Finish(variable);
    checks_.CheckModel();
    FindRoles();
    return std::move(model_);
  }

 private:
  struct Part {
    fmi::Index variable = fmi::kNowhere;
    std::string name;
    std::string role;
    std::string mime_type;
    bool annotated = true;
  };

  const Variable& At(fmi::Index index) const { return description_.At(index); }

  void ReadMarker() {
    int count = 0;
    ForEachElement(description_.annotations, "osmp", [&](const auto& element, const auto& annotation) {
      if (++count > 1) {
        checks_.Break(RuleId::Marker, {}, annotation.line, "expected one element osmp, found another", "remove one");
        return;
      }
      model_.is_osmp = true;
      model_.version = AttributeOf(element, "version");
      model_.osi_version = AttributeOf(element, "osi-version");
      if (element.namespace_uri != kNamespace) {
        checks_.Break(RuleId::Marker, {}, annotation.line,
                      fmt::format("expected the element osmp in the namespace {}, found it in {}", kNamespace,
                                  element.namespace_uri.empty() ? "none" : Quoted(element.namespace_uri)),
                      "declare the prefix with that namespace");
      }
    });
  }

  void ReadAnnotations() {
    for (std::size_t i = 0; i < description_.variables.size(); ++i) {
      const Variable& variable = description_.variables[i];
      int count = 0;
      ForEachElement(variable.annotations, "osmp-binary-variable", [&](const auto& element, const auto& annotation) {
        model_.is_osmp = true;
        Part part{static_cast<fmi::Index>(i), AttributeOf(element, "name"), AttributeOf(element, "role"),
                  AttributeOf(element, "mime-type")};
        if (part.mime_type.empty()) part.mime_type = kPlainBytes;
        const bool is_known = std::ranges::find(kRoles, part.role) != kRoles.end() &&
                              (part.role != "full" || description_.version == fmi::FmiMajor::Fmi3);
        if (!is_known || part.name.empty() || ++count > 1) {
          checks_.Break(RuleId::RoleKnown, variable.name, annotation.line,
                        fmt::format("expected an annotation with a name and one of the roles base.lo, base.hi, size{}, "
                                    "found name {} and role {}",
                                    description_.version == fmi::FmiMajor::Fmi3 ? ", full" : "", Quoted(part.name),
                                    Quoted(part.role)),
                        "write name and role");
          return;
        }
        parts_.push_back(std::move(part));
      });
    }
  }

  /// Finds variables of old models without annotations: names that end as the three parts do and start with a known
  /// prefix.
  void ReadUnannotated() {
    std::vector<bool> annotated(description_.variables.size(), false);
    for (const Part& part : parts_) annotated[static_cast<std::size_t>(part.variable)] = true;
    for (std::size_t i = 0; i < description_.variables.size(); ++i) {
      const Variable& variable = description_.variables[i];
      if (annotated[i] || !variable.name.starts_with("OSMP")) continue;
      for (std::size_t role = 0; role < 4; ++role) {
        const std::string ending = role < 3 ? fmt::format(".{}", kRoles[role]) : std::string();
        if (!variable.name.ends_with(ending) || (role == 3) != (variable.type == fmi::VariableType::Binary)) continue;
        BinaryVariable named{.name = variable.name.substr(0, variable.name.size() - ending.size())};
        FindKind(named);
        if (named.kind == Kind::Other) break;
        checks_.Break(RuleId::Annotated, variable.name, variable.line,
                      "expected an annotation osmp-binary-variable, found none; the name was taken for what it says",
                      "annotate the variable");
        const auto* rule = std::ranges::find(kKinds, named.kind, &KindRule::kind);
        parts_.push_back({static_cast<fmi::Index>(i), named.name, std::string(kRoles[role]),
                          fmt::format("application/x-open-simulation-interface; type={}", rule->message), false});
        for (const Part& other : parts_) {  // its MIME type is that of the annotated parts
          if (other.annotated && other.name == named.name) parts_.back().mime_type = other.mime_type;
        }
        break;
      }
    }
  }

  void Put(const Part& part) {
    const Variable& scalar = At(part.variable);
    auto found = std::ranges::find(model_.variables, part.name, &BinaryVariable::name);
    const bool is_full = part.role == "full";
    if (found == model_.variables.end()) {
      BinaryVariable variable{.name = part.name, .is_triple = !is_full};
      variable.causality = scalar.causality;
      variable.variability = scalar.variability;
      variable.mime_type = part.mime_type;
      variable.line = scalar.line;
      FindKind(variable);
      found = model_.variables.insert(model_.variables.end(), std::move(variable));
    }
    BinaryVariable& variable = *found;
    const auto role = static_cast<std::size_t>(std::ranges::find(kRoles, part.role) - kRoles.begin());
    fmi::Index& place = variable.parts[is_full ? 0 : role];
    if (variable.is_triple == is_full || place != fmi::kNowhere) {
      checks_.Break(variable, RuleId::OneOfEachRole, scalar.line,
                    fmt::format("expected one scalar of role {}, found {} too", part.role, Quoted(scalar.name)),
                    "give each binary variable a name of its own");
      return;
    }
    place = part.variable;
    checks_.CheckPart(variable, scalar, is_full, part.role, part.mime_type);
  }

  void Finish(BinaryVariable& variable) {
    for (std::size_t i = 0; i < (variable.is_triple ? 3 : 1); ++i) {
      if (variable.parts[i] != fmi::kNowhere) continue;
      checks_.Break(variable, RuleId::OneOfEachRole, variable.line,
                    fmt::format("expected one scalar of each role, found none of role {}", kRoles[i]),
                    "add the scalar");
    }
    checks_.CheckVariable(variable);
  }

  void FindRoles() {
    const auto has = [&](Causality causality, std::string_view message) {
      return std::ranges::any_of(model_.variables, [&](const BinaryVariable& one) {
        return one.causality == causality && one.message == message;
      });
    };
    const bool views = has(Causality::Input, "SensorView");
    const bool data = has(Causality::Input, "SensorData");
    std::vector<ModelRole>& roles = model_.roles;
    if (views && has(Causality::Output, "SensorView")) roles.push_back(ModelRole::EnvironmentEffect);
    if (views && has(Causality::Output, "SensorData")) roles.push_back(ModelRole::Sensor);
    if (data && has(Causality::Output, "SensorData")) roles.push_back(ModelRole::Logical);
    if (has(Causality::Output, "TrafficUpdate")) roles.push_back(ModelRole::TrafficParticipant);
    if (has(Causality::Input, "StreamingUpdate")) roles.push_back(ModelRole::StreamingUpdateConsumer);
    const auto carries = [&](Causality causality) {
      return std::ranges::any_of(model_.variables, [&](const BinaryVariable& one) {
        return one.causality == causality && !one.message.empty();
      });
    };
    if (roles.empty() && carries(Causality::Output) && !carries(Causality::Input)) roles.push_back(ModelRole::Source);
  }

  const ModelDescription& description_;
  OsmpModel model_;
  OsmpChecks checks_;
  std::vector<Part> parts_;
};

}  // namespace

std::span<const KindRule> KindRules() {
  return kKinds;
}

std::span<const std::string_view> TopLevelMessages() {
  return kMessages;
}

std::string MessageInName(std::string_view name) {
  std::string_view longest;  // a TrafficCommandUpdate is no TrafficCommand
  for (const std::string_view message : kMessages) {
    if (message.size() > longest.size() && name.find(message) != std::string_view::npos) longest = message;
  }
  return std::string(longest);
}

const char* Name(ModelRole role) {
  constexpr const char* kNames[] = {"environment effect",        "sensor", "logical", "traffic participant",
                                    "streaming update consumer", "source"};
  return kNames[static_cast<std::size_t>(role)];
}

bool OsmpModel::Breaks(RuleId rule) const {
  return std::ranges::find(breaches, rule, &Breach::rule) != breaches.end();
}

OsmpModel ReadOsmpModel(const ModelDescription& description) {
  return ModelReader(description).Read();
}

Problems ProblemsOf(const OsmpModel& model, const std::string& file) {
  Problems problems;
  for (const Breach& breach : model.breaches) {
    const Rule& rule = RuleOf(breach.rule);
    problems.push_back({rule.weight == RuleWeight::Refuses ? Problem::Error : Problem::Warning,
                        {.file = file, .line = breach.line, .item = breach.variable},
                        fmt::format("OSMP rule {}: {}", rule.Number(), breach.problem),
                        breach.remedy});
  }
  return problems;
}

}  // namespace openmi::osmp
