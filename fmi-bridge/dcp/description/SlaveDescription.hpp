#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/dcp/pdu/Codes.hpp"
#include "fmi-bridge/description/UnitDefinition.hpp"

/// \file
/// What the slave description (.dcpx) of a DCP slave says. Plain structs; nothing here reads XML or opens a socket.

namespace openmi::dcp {

/// The same as in FMI, whose companion DCP is: base value = factor * value + offset, powers of kg m s A K mol cd rad.
using UnitDefinition = described::UnitDefinition;
using DisplayUnit = described::DisplayUnit;
/// XML of a tool, kept as it stands.
using Annotation = described::Annotation;
/// Position in one of the lists of a SlaveDescription; kNowhere for none.
using Index = described::Index;
using described::kNowhere;

using ValueReference = std::uint64_t;

/// How many steps of the time resolution a communication step may have.
struct StepRange {
  std::uint32_t standard = 1;           ///< defaultSteps
  bool is_fixed = true;                 ///< only `standard` is allowed
  std::optional<std::uint32_t> fewest;  ///< minSteps
  std::optional<std::uint32_t> most;    ///< maxSteps

  bool Allows(std::uint32_t steps) const;
};

/// A time resolution of numerator / denominator seconds.
struct Resolution {
  std::uint32_t numerator = 1;
  std::uint32_t denominator = 1000;
  bool is_fixed = true;
  std::optional<bool> is_recommended;
  int line = 0;

  double Seconds() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
};

/// All resolutions from one numerator to another, both included.
struct ResolutionRange {
  std::uint32_t numerator_from = 1;
  std::uint32_t numerator_to = 1;
  std::uint32_t denominator = 1000;
  int line = 0;
};

struct PortRange {
  std::uint16_t from = 0;
  std::uint16_t to = 0;
};

/// Where data are received: nothing stated leaves it to who integrates.
struct DataPorts {
  std::string host;               ///< empty: not stated
  std::vector<PortRange> ranges;  ///< empty: any; a single port is a range of one

  bool Allows(std::uint16_t port) const;
};

/// UDP_IPv4 or TCP_IPv4.
struct Ipv4 {
  std::uint32_t max_pdu_size = 0;
  std::optional<std::string> control_host;
  std::optional<std::uint16_t> control_port;
  bool has_control = false;  ///< whether the element Control is there, even empty
  std::optional<DataPorts> data;
  std::optional<DataPorts> parameters;
  int line = 0;
};
inline constexpr std::uint32_t kMaxUdpPdu = 65'507;
inline constexpr std::uint32_t kMaxTcpPdu = 4'294'967'267U;

struct UsbPipe {
  std::optional<bool> is_in;  ///< direction, where stated
  std::uint8_t endpoint = 0;
  std::uint8_t interval = 0;
};
struct Usb2 {
  std::uint32_t max_pdu_size = 1024;
  std::optional<std::uint8_t> max_power;
  std::vector<UsbPipe> pipes;
};
struct BluetoothAddress {
  std::string address;
  std::uint8_t port = 1;
  std::string alias;
};
struct Bluetooth {
  std::uint32_t max_pdu_size = 1011;
  std::vector<BluetoothAddress> addresses;
};

struct Transports {
  std::optional<Ipv4> udp;
  std::optional<Ipv4> tcp;
  std::optional<Usb2> usb2;
  std::optional<Bluetooth> bluetooth;
  bool can = false;
  const std::optional<Ipv4>& Of(TransportProtocol protocol) const {
    return protocol == TransportProtocol::TCP_IPv4 ? tcp : udp;
  }
};

struct CapabilityFlags {
  bool can_accept_config_pdus = false;
  bool can_handle_reset = false;
  bool can_handle_variable_steps = false;
  bool can_monitor_heartbeat = false;
  bool can_provide_log_on_request = false;
  bool can_provide_log_on_notification = false;
};

/// Least and greatest value, and gradient. Those of integers are also held exactly; a Uint64 by its bits.
struct Limits {
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::optional<double> gradient;
  std::int64_t integer_minimum = 0;  ///< good only where `minimum` is
  std::int64_t integer_maximum = 0;  ///< good only where `maximum` is
};

/// What a type may give and a variable may override.
struct TypeAttributes {
  DataType type = DataType::float64;
  Limits limits;
  std::optional<double> nominal;
  std::string quantity;
  Index unit = kNowhere;                  ///< in SlaveDescription::units
  Index display_unit = kNowhere;          ///< in UnitDefinition::display_units of `unit`
  std::string mime_type;                  ///< Binary; "application/octet-stream" unless given
  std::optional<std::uint32_t> max_size;  ///< String and Binary, in bytes
};

struct TypeDefinition {
  std::string name;
  std::string description;
  TypeAttributes attributes;
  int line = 0;
};

/// "Float64", ... as a description writes it.
const char* ElementName(DataType type);
/// The type that a description calls so.
std::optional<DataType> DataTypeNamed(std::string_view element);
constexpr bool IsFloat(DataType type) {
  return type == DataType::float32 || type == DataType::float64;
}
constexpr bool IsInteger(DataType type) {
  return type <= DataType::int64;
}

enum class VariableKind : std::uint8_t { Input, Output, Parameter, StructuralParameter };
/// "Input", ... as a description writes it.
const char* Name(VariableKind kind);

enum class Variability : std::uint8_t { Fixed, Tunable, Discrete, Continuous };
/// "fixed", ...
const char* Name(Variability variability);

/// A dimension of an array: a size, or the structural parameter that holds it.
struct Dimension {
  std::uint64_t size = 1;     ///< the constant, or the start value of the variable
  Index variable = kNowhere;  ///< structural parameter; kNowhere for a constant
  ValueReference linked = 0;  ///< its value reference
};

struct Dependency {
  Index variable = kNowhere;
  bool is_linear = false;
};

/// What an output depends on; nothing where it is unknown, which means everything.
struct Dependencies {
  std::optional<std::vector<Dependency>> initialization;
  std::optional<std::vector<Dependency>> run;
};

/// Values as a description gives them, each kind in its own list.
struct StartValues {
  std::vector<double> floats;
  std::vector<std::int64_t> integers;  ///< a Uint64 by its bits
  std::string text;                    ///< of String; the bytes of Binary
  bool is_given = false;
};

struct Variable {
  std::string name;
  std::string description;
  ValueReference value_reference = 0;
  VariableKind kind = VariableKind::Input;
  Variability variability = Variability::Continuous;
  TypeAttributes attributes;  ///< those of the declared type, overridden by the variable's own
  StartValues start;
  std::vector<Dimension> dimensions;  ///< none for a scalar
  std::optional<double> pre_edge;     ///< s
  std::optional<double> post_edge;    ///< s
  std::optional<std::uint32_t> max_consecutive_missed_pdus;
  Index declared_type = kNowhere;  ///< in SlaveDescription::types
  StepRange steps;                 ///< Output
  bool is_constant = false;        ///< Output: `initialization`, constant once it was initialised
  Dependencies dependencies;       ///< Output
  std::vector<Annotation> annotations;
  int line = 0;

  DataType Type() const { return attributes.type; }
  bool IsArray() const { return !dimensions.empty(); }
  /// A parameter that may change while the slave runs.
  bool IsTunable() const { return kind == VariableKind::Parameter && variability == Variability::Tunable; }
  /// Product of the sizes with the start values of structural parameters; 1 for a scalar.
  std::uint64_t StartSize() const;
};

struct LogCategory {
  std::uint8_t id = 1;
  std::string name;
};

struct LogTemplate {
  std::uint8_t id = 1;
  std::uint8_t category = 1;
  LogLevel level = LogLevel::Information;
  std::string message;  ///< with %Float64 and its kin where arguments stand, %% for a percent sign
  int line = 0;
};

struct Log {
  std::vector<LogCategory> categories;
  std::vector<LogTemplate> templates;
};

/// Periods of a heartbeat: an INF_state must come at least every numerator / denominator seconds.
struct Heartbeat {
  std::uint32_t numerator = 1;
  std::uint32_t denominator = 1;
  double Seconds() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
};

/// The whole description.
struct SlaveDescription {
  std::string file;  ///< for messages
  std::uint8_t major_version = 1;
  std::uint8_t minor_version = 0;
  std::string name;
  Uuid uuid{};
  std::string description;
  std::string author;
  std::string version;
  std::string copyright;
  std::string license;
  std::string generation_tool;
  std::string generation_time;
  bool is_structured = false;  ///< variableNamingConvention

  bool hard_real_time = false;
  bool soft_real_time = false;
  std::optional<StepRange> non_real_time;
  std::vector<UnitDefinition> units;
  std::vector<TypeDefinition> types;
  std::vector<Annotation> annotations;
  std::vector<Resolution> resolutions;
  std::vector<ResolutionRange> resolution_ranges;
  std::optional<Heartbeat> heartbeat;
  Transports transports;
  CapabilityFlags capabilities;
  std::vector<Variable> variables;
  std::optional<Log> log;

  bool Supports(OpMode mode) const;
  /// Whether a master may configure this resolution. Every one where none is stated.
  bool AllowsResolution(std::uint32_t numerator, std::uint32_t denominator) const;
  /// What a master takes when nobody says: the fixed or recommended one, else the first, else 1/1000 s.
  Resolution StandardResolution() const;
  /// The only resolution that is allowed, if there is one.
  const Resolution* FixedResolution() const;
  const Variable* Find(std::string_view variable_name) const;
  /// Position in `variables`; kNowhere for none. Linear: make a map where it is asked often.
  Index Find(ValueReference reference) const;
  const UnitDefinition* UnitOf(const Variable& variable) const {
    const Index unit = variable.attributes.unit;
    return unit == kNowhere ? nullptr : &units[static_cast<std::size_t>(unit)];
  }
};

}  // namespace openmi::dcp
