#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/osmp/packaging/Rules.hpp"
#include "openmi/sdk/Problem.hpp"

/// \file
/// What the description of an FMU states about it as a model of the OSI Sensor Model Packaging. Nothing here loads a
/// library.

namespace openmi::osmp {

/// The kinds of variables that the packaging distinguishes by the start of their names.
enum class Kind : std::uint8_t {
  SensorViewIn,
  SensorViewInConfigRequest,
  SensorViewInConfig,
  SensorViewOut,
  SensorDataIn,
  SensorDataOut,
  TrafficCommandIn,
  TrafficCommandUpdateOut,
  TrafficUpdateOut,
  StreamingUpdateIn,
  GroundTruthInit,
  Other  ///< a name without a known prefix; its message type decides
};

/// What the packaging requires of a kind.
struct KindRule {
  Kind kind;
  const char* prefix;   ///< "OSMPSensorViewIn"
  const char* message;  ///< "SensorView"
  fmi::Causality causality;
};
/// All kinds except Other.
std::span<const KindRule> KindRules();
/// The top-level messages of OSI, without "osi3::".
std::span<const std::string_view> TopLevelMessages();
/// The message of OSI that the name of a variable states: "TrafficCommand" in "OSMPTrafficCommandOut[1]"; empty where
/// it states none.
std::string MessageInName(std::string_view name);

/// A variable that holds bytes: three integers (FMI 2.0, allowed in 3.0), or one variable of type Binary (3.0).
struct BinaryVariable {
  std::string name;  ///< without ".base.lo" and the like
  Kind kind = Kind::Other;
  int index = 0;  ///< 2 in "OSMPSensorViewIn[2]"; 0 without an index
  bool is_triple = true;
  /// lo, hi, size; or the only one first
  std::array<fmi::Index, 3> parts = {fmi::kNowhere, fmi::kNowhere, fmi::kNowhere};
  fmi::Causality causality = fmi::Causality::Local;
  fmi::Variability variability = fmi::Variability::Discrete;
  std::string mime_type = {};
  std::string message = {};      ///< "SensorView"; empty: no message of OSI
  std::string osi_version = {};  ///< from the MIME type, else from the model
  int line = 0;
  bool is_whole = true;  ///< no rule that refuses it is broken
};

/// The role of a model, defined by its inputs and outputs. A model may have several.
enum class ModelRole : std::uint8_t {
  EnvironmentEffect,   ///< SensorView to SensorView
  Sensor,              ///< SensorView to SensorData
  Logical,             ///< SensorData to SensorData
  TrafficParticipant,  ///< SensorView, TrafficCommand to TrafficUpdate
  StreamingUpdateConsumer,
  Source  ///< has messages as outputs and none as inputs: a simulator
};
/// The name of a role, such as "sensor".
const char* Name(ModelRole role);

/// A rule that a model breaks.
struct Breach {
  RuleId rule;
  std::string variable;  ///< empty: the model as a whole
  int line = 0;
  std::string problem;  ///< "expected ..., found ..."
  std::string remedy;
};

struct OsmpModel {
  bool is_osmp = false;  ///< it has a marker, or a variable with an annotation of the packaging
  std::string version;
  std::string osi_version;
  std::vector<BinaryVariable> variables;
  std::vector<ModelRole> roles;
  std::vector<Breach> breaches;

  /// Whether the description breaks a rule.
  bool Breaks(RuleId rule) const;
};

/// Reads the annotations of a description, assembles the variables, and checks every rule that needs no running model.
OsmpModel ReadOsmpModel(const fmi::ModelDescription& description);

/// The breaches as problems of the file, each with the prefix "rule 12: ". A rule that refuses gives an error, another
/// a warning.
Problems ProblemsOf(const OsmpModel& model, const std::string& file);

}  // namespace openmi::osmp
