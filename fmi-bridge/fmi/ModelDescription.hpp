#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/common/description/UnitDefinition.hpp"
#include "openmi/sdk/EnumNames.hpp"

/// \file
/// The content of the modelDescription.xml of an FMU, for FMI 1.0, 2.0 and 3.0 together.
///
/// Plain structs; nothing here reads XML or loads a library. What a version does not have gets the value that the
/// version implies.

namespace openmi::fmi {

enum class FmiMajor : std::uint8_t { Fmi1 = 1, Fmi2 = 2, Fmi3 = 3 };

enum class InterfaceKind : std::uint8_t { ModelExchange, CoSimulation, ScheduledExecution };
inline constexpr std::size_t kInterfaceKindCount = 3;
inline constexpr EnumNames<InterfaceKind> kInterfaceKinds{"ModelExchange", "CoSimulation", "ScheduledExecution"};
inline const char* Name(InterfaceKind kind) {
  return kInterfaceKinds.NameOf(kind);
}

/// How an FMU is run, in arguments.
inline constexpr EnumNames<InterfaceKind> kWaysToRun{{"co-simulation", InterfaceKind::CoSimulation},
                                                     {"model-exchange", InterfaceKind::ModelExchange},
                                                     {"scheduled-execution", InterfaceKind::ScheduledExecution}};

/// The types of FMI 3.0. In other versions, Real is Float64 and Integer is Int32.
enum class VariableType : std::uint8_t {
  Float32,
  Float64,
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Boolean,
  String,
  Binary,
  Enumeration,
  Clock
};
/// The name in FMI 3.0: "Float64", ...
inline constexpr EnumNames<VariableType> kVariableTypes{"Float32", "Float64", "Int8",   "UInt8",       "Int16",
                                                        "UInt16",  "Int32",   "UInt32", "Int64",       "UInt64",
                                                        "Boolean", "String",  "Binary", "Enumeration", "Clock"};
inline const char* Name(VariableType type) {
  return kVariableTypes.NameOf(type);
}
/// The name in a version: "Real" and "Integer" before 3.0.
const char* Name(VariableType type, FmiMajor version);

/// Float32 or Float64.
constexpr bool IsFloat(VariableType type) {
  return type <= VariableType::Float64;
}
/// Int8 to UInt64, without Enumeration.
constexpr bool IsInteger(VariableType type) {
  return type >= VariableType::Int8 && type <= VariableType::UInt64;
}

enum class Causality : std::uint8_t {
  Parameter,
  CalculatedParameter,
  Input,
  Output,
  Local,
  Independent,
  StructuralParameter
};
inline constexpr EnumNames<Causality> kCausalities{"parameter",   "calculatedParameter", "input", "output", "local",
                                                   "independent", "structuralParameter"};
inline const char* Name(Causality causality) {
  return kCausalities.NameOf(causality);
}

enum class Variability : std::uint8_t { Constant, Fixed, Tunable, Discrete, Continuous };
inline constexpr EnumNames<Variability> kVariabilities{"constant", "fixed", "tunable", "discrete", "continuous"};
inline const char* Name(Variability variability) {
  return kVariabilities.NameOf(variability);
}

/// How the start value is used. Inputs and independent variables, which must not have the attribute, have Exact and
/// None.
enum class Initial : std::uint8_t { Exact, Approx, Calculated, None };
/// "exact", ...; "" for None.
inline constexpr EnumNames<Initial> kInitials{"exact", "approx", "calculated"};
inline const char* Name(Initial initial) {
  return kInitials.NameOf(initial);
}

using ValueReference = std::uint32_t;

using described::Annotation;
using described::DisplayUnit;
using described::Index;
using described::kNowhere;
using described::Limits;
using described::UnitDefinition;

struct EnumerationItem {
  std::string name;
  std::int64_t value = 0;
  std::string description;
};

enum class IntervalVariability : std::uint8_t { Constant, Fixed, Tunable, Changing, Countdown, Triggered };
inline constexpr EnumNames<IntervalVariability> kIntervalVariabilities{"constant", "fixed",     "tunable",
                                                                       "changing", "countdown", "triggered"};
inline const char* Name(IntervalVariability variability) {
  return kIntervalVariabilities.NameOf(variability);
}

/// The attributes that only clocks have (3.0).
struct ClockAttributes {
  IntervalVariability interval_variability = IntervalVariability::Triggered;
  bool can_be_deactivated = false;
  std::optional<std::uint32_t> priority;
  std::optional<double> interval_decimal;  ///< in units of the independent variable
  double shift_decimal = 0.0;
  bool supports_fraction = false;
  std::optional<std::uint64_t> resolution;
  std::optional<std::uint64_t> interval_counter;
  std::uint64_t shift_counter = 0;
  /// Whether the time of a tick is known before: to the importer, or because the FMU announces it. All but Triggered.
  bool IsTimeBased() const { return interval_variability != IntervalVariability::Triggered; }
};

/// The attributes that a type definition may set and a variable may override.
struct TypeAttributes {
  Index unit = kNowhere;           ///< in ModelDescription::units
  Index display_unit = kNowhere;   ///< in UnitDefinition::display_units of `unit`
  bool relative_quantity = false;  ///< the offset of the unit does not apply
  bool unbounded = false;
  double nominal = 1.0;
  Limits limits;
  std::string quantity;
  std::string mime_type;                  ///< Binary; default "application/octet-stream"
  std::optional<std::uint64_t> max_size;  ///< Binary
};

struct TypeDefinition {
  std::string name;
  std::string description;
  VariableType type = VariableType::Float64;
  TypeAttributes attributes;
  std::vector<EnumerationItem> items;    ///< Enumeration
  std::optional<ClockAttributes> clock;  ///< Clock; always has an interval variability
  int line = 0;
};

/// A dimension of an array: a size, or the variable that defines it.
struct ArrayDimension {
  std::uint64_t size = 0;     ///< the fixed size, or the start value of the variable
  Index variable = kNowhere;  ///< structural parameter or constant; kNowhere if fixed
};

/// Another name of a variable (3.0); part of the variable.
struct AliasName {
  std::string name;
  std::string description;
  Index display_unit = kNowhere;
};

/// The relation of a variable to another one with the same value reference (1.0 and 2.0).
enum class AliasKind : std::uint8_t {
  None,
  Alias,   ///< the same value
  Negated  ///< the value with the opposite sign (1.0)
};

struct Variable {
  std::string name;
  std::string description;
  TypeAttributes attributes;               ///< those of the declared type, overridden by the variable's own
  std::vector<ArrayDimension> dimensions;  ///< none for a scalar
  std::vector<Index> clocks;               ///< variables: this one is accessible only while one of these clocks ticks
  std::vector<AliasName> aliases;
  std::vector<Annotation> annotations;
  ValueReference value_reference = 0;
  Index declared_type = kNowhere;  ///< in ModelDescription::types
  Index derivative_of = kNowhere;  ///< the state whose derivative this is
  Index previous = kNowhere;       ///< the variable with the value of the previous tick
  Index clock = kNowhere;          ///< in ModelDescription::clocks, for a Clock
  Index alias_of = kNowhere;       ///< the first variable with the same value reference, before 3.0
  std::uint32_t start_begin = 0;   ///< see ModelDescription::Floats and its neighbours
  std::uint32_t start_count = 0;   ///< 0 without a start value; 1 for all elements of an array, or one for each
  int line = 0;
  VariableType type = VariableType::Float64;
  Causality causality = Causality::Local;
  Variability variability = Variability::Continuous;
  Initial initial = Initial::None;  ///< the default of the standard if the attribute is missing
  AliasKind alias = AliasKind::None;
  bool can_handle_multiple_set = true;
  bool intermediate_update = false;
  bool reinit = false;

  bool HasStart() const { return start_count > 0; }
  bool IsArray() const { return !dimensions.empty(); }
  /// The product of the sizes with the start values of structural parameters; 1 for a scalar.
  std::uint64_t StartSize() const;
};

enum class DependencyKind : std::uint8_t { Dependent, Constant, Fixed, Tunable, Discrete };
inline constexpr EnumNames<DependencyKind> kDependencyKinds{"dependent", "constant", "fixed", "tunable", "discrete"};
inline const char* Name(DependencyKind kind) {
  return kDependencyKinds.NameOf(kind);
}

/// An entry of the model structure.
struct Unknown {
  Index variable = kNowhere;
  bool depends_on_all = true;  ///< there is no list of dependencies
  std::vector<Index> dependencies = {};
  std::vector<DependencyKind> kinds = {};  ///< one for each dependency; empty: all Dependent
  int line = 0;
};

struct ModelStructure {
  std::vector<Unknown> outputs;
  std::vector<Unknown> derivatives;  ///< in the order of the state vector
  std::vector<Unknown> clocked_states;
  std::vector<Unknown> initial_unknowns;
  std::vector<Unknown> event_indicators;
};

/// One way to run the FMU. Properties of other kinds or versions have their defaults.
struct Interface {
  std::string model_identifier;
  bool needs_execution_tool = false;
  bool only_once_per_process = false;
  bool no_memory_functions = false;  ///< 2.0 canNotUseMemoryManagementFunctions
  bool can_get_and_set_state = false;
  bool can_serialize_state = false;
  bool provides_directional_derivatives = false;
  bool provides_adjoint_derivatives = false;
  bool provides_per_element_dependencies = false;
  bool needs_completed_integrator_step = true;  ///< Model Exchange
  bool provides_evaluate_discrete_states = false;
  // Co-Simulation
  bool can_handle_variable_step = false;
  bool can_interpolate_inputs = false;
  bool can_run_asynchronously = false;
  bool can_handle_events = false;  ///< 1.0
  bool can_reject_steps = false;   ///< 1.0
  bool can_signal_events = false;  ///< 1.0 (tool coupling)
  bool provides_intermediate_update = false;
  bool might_return_early = false;
  bool can_return_early_after_intermediate_update = false;
  bool has_event_mode = false;
  std::uint32_t max_output_derivative_order = 0;
  std::uint32_t recommended_input_smoothness = 0;
  std::optional<double> fixed_internal_step;
  std::vector<std::string> source_files;  ///< 2.0 SourceFiles
  int line = 0;
};

struct DefaultExperiment {
  std::optional<double> start;
  std::optional<double> stop;
  std::optional<double> tolerance;
  std::optional<double> step;
};

struct LogCategory {
  std::string name;
  std::string description;
};

/// The complete description.
struct ModelDescription {
  std::string file;  ///< file name for messages
  FmiMajor version = FmiMajor::Fmi2;
  std::string version_text;  ///< "2.0", "3.0.1", ...
  std::string model_name;
  std::string token;  ///< guid or instantiationToken
  std::string description;
  std::string author;
  std::string model_version;
  std::string copyright;
  std::string license;
  std::string generation_tool;
  std::string generation_time;
  bool is_structured = false;        ///< variableNamingConvention
  std::size_t event_indicators = 0;  ///< before 3.0 the attribute, in 3.0 the number of elements (each may be an array)
  std::size_t continuous_states = 0;  ///< elements of the state vector with start sizes

  std::array<std::optional<Interface>, kInterfaceKindCount> interfaces;
  std::vector<UnitDefinition> units;
  std::vector<TypeDefinition> types;
  std::vector<LogCategory> log_categories;
  DefaultExperiment experiment;
  std::vector<Variable> variables;
  std::vector<ClockAttributes> clocks;
  ModelStructure structure;
  std::vector<Annotation> annotations;
  Index independent = kNowhere;

  // Start values; those of a variable are contiguous. See Floats, Integers, Texts.
  std::vector<double> floats;
  std::vector<std::int64_t> integers;
  std::vector<std::string> texts;

  /// The interface of that kind; nothing if the FMU does not have it.
  const std::optional<Interface>& Of(InterfaceKind kind) const { return interfaces[static_cast<std::size_t>(kind)]; }
  std::optional<Interface>& Of(InterfaceKind kind) { return interfaces[static_cast<std::size_t>(kind)]; }

  /// Start values of a Float32 or Float64; empty if there are none.
  std::span<const double> Floats(const Variable& variable) const {
    return std::span(floats).subspan(variable.start_begin, variable.start_count);
  }
  /// Start values of an integer, an Enumeration or a Boolean (0 or 1); a UInt64 with its bits. Empty if there are none.
  std::span<const std::int64_t> Integers(const Variable& variable) const {
    return std::span(integers).subspan(variable.start_begin, variable.start_count);
  }
  /// Start values of a String, or of a Binary as bytes; empty if there are none.
  std::span<const std::string> Texts(const Variable& variable) const {
    return std::span(texts).subspan(variable.start_begin, variable.start_count);
  }
  /// A variable, by its position.
  const Variable& At(Index index) const { return variables[static_cast<std::size_t>(index)]; }
  /// The attributes of a Clock.
  const ClockAttributes& ClockOf(const Variable& variable) const {
    return clocks[static_cast<std::size_t>(variable.clock)];
  }
  /// The unit of a variable; null if it has none.
  const UnitDefinition* UnitOf(const Variable& variable) const {
    const Index unit = variable.attributes.unit;
    return unit == kNowhere ? nullptr : &units[static_cast<std::size_t>(unit)];
  }
  /// The declared type of a variable; null if it has none.
  const TypeDefinition* TypeOf(const Variable& variable) const {
    return variable.declared_type == kNowhere ? nullptr : &types[static_cast<std::size_t>(variable.declared_type)];
  }
};

/// Finds variables by name in constant time. The names of aliases (3.0) give their variable.
class VariableNames {
 public:
  VariableNames() = default;
  /// \param description  borrowed; must outlive this object, with unchanged variables
  explicit VariableNames(const ModelDescription& description);

  /// The position in ModelDescription::variables; kNowhere if there is no variable of that name.
  Index Find(std::string_view name) const;
  /// Names that occur twice, as (first variable, later variable), in the order of the file.
  const std::vector<std::pair<Index, Index>>& Duplicates() const { return duplicates_; }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    Index variable = kNowhere;
    Index alias = kNowhere;  // in Variable::aliases
  };
  std::string_view NameOf(const Slot& slot) const;
  void Add(std::string_view name, Slot slot);

  const ModelDescription* description_ = nullptr;
  std::vector<Slot> slots_;  // a power of two
  std::vector<std::pair<Index, Index>> duplicates_;
};

/// Whether `name` follows variableNamingConvention="structured".
///
/// Identifiers or quoted names joined by dots, each with indices in brackets if it is an element; the whole inside
/// der(...) or der(..., n) for a derivative.
///
/// Source: FMI 2.0.4, section 2.2.9; FMI 3.0, section 2.4.7.5.1.
bool IsStructuredName(std::string_view name);

/// The folders in `binaries` for this machine: first that of the version, then that of the other versions.
std::array<const char*, 2> PlatformFolders(FmiMajor version);
/// The same for Windows of 64 bits, whose libraries Wine runs here.
std::array<const char*, 2> WindowsFolders(FmiMajor version);

/// The program that an FMU with needsExecutionTool needs, in words: the one that generated it, if the description names
/// it.
std::string ToolOf(const ModelDescription& description);

}  // namespace openmi::fmi
