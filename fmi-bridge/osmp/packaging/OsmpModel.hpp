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
/// What an FMU says of itself as a model of the OSI Sensor Model Packaging. Nothing here loads a library.

namespace openmi::osmp {

/// The kinds of variables that the packaging knows by the begin of their names.
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
  Other  ///< a name that the packaging does not know: routed by message
};

/// What a kind is like.
struct KindRule {
  Kind kind;
  const char* prefix;   ///< "OSMPSensorViewIn"
  const char* message;  ///< "SensorView"
  fmi::Causality causality;
};
/// All kinds but Other.
std::span<const KindRule> KindRules();
/// The top-level messages of OSI, without "osi3::".
std::span<const std::string_view> TopLevelMessages();

/// A variable that holds bytes: three integers (FMI 2.0, allowed in 3.0), or one of type Binary (3.0).
struct BinaryVariable {
  std::string name;  ///< without ".base.lo" and its like
  Kind kind = Kind::Other;
  int index = 0;  ///< in "OSMPSensorViewIn[2]"; 0 without
  bool is_triple = true;
  std::array<fmi::Index, 3> parts = {fmi::kNowhere, fmi::kNowhere, fmi::kNowhere};  ///< lo, hi, size; or the only one
  fmi::Causality causality = fmi::Causality::Local;
  fmi::Variability variability = fmi::Variability::Discrete;
  std::string mime_type = {};
  std::string message = {};      ///< "SensorView"; empty: no message of OSI
  std::string osi_version = {};  ///< of the MIME type, else of the model
  int line = 0;
  bool is_whole = true;  ///< nothing that refuses it was found
};

/// What a model is, by what it takes and gives. A model may be several.
enum class ModelRole : std::uint8_t {
  EnvironmentEffect,   ///< SensorView to SensorView
  Sensor,              ///< SensorView to SensorData
  Logical,             ///< SensorData to SensorData
  TrafficParticipant,  ///< SensorView, TrafficCommand to TrafficUpdate
  StreamingUpdateConsumer,
  Source  ///< gives messages and takes none: a simulator
};
/// "sensor", ...
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
  bool is_osmp = false;  ///< there is a marker, or a variable with an annotation of the packaging
  std::string version;
  std::string osi_version;
  std::vector<BinaryVariable> variables;
  std::vector<ModelRole> roles;
  std::vector<Breach> breaches;

  /// Whether a rule that can be seen in the description is broken.
  bool Breaks(RuleId rule) const;
};

/// Reads the annotations of a description, puts variables together, and checks every rule that needs no running model.
OsmpModel ReadOsmpModel(const fmi::ModelDescription& description);

/// The breaches as problems of the file, each with "rule 12: " in front: errors where a rule refuses, else warnings.
Problems ProblemsOf(const OsmpModel& model, const std::string& file);

}  // namespace openmi::osmp
