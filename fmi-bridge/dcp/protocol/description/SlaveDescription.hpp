#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi-bridge/common/description/UnitDefinition.hpp"
#include "fmi-bridge/dcp/protocol/pdu/Codes.hpp"
#include "openmi/sdk/EnumNames.hpp"
#include "openmi/sdk/Problem.hpp"

/// \file
/// What the slave description (.dcpx) of a DCP slave contains, as plain structs, and its reader and writer.

namespace openmi::dcp {

/// As in FMI, the companion standard: base value = factor * value + offset; the base unit is a product of powers of kg
/// m s A K mol cd rad.
using UnitDefinition = described::UnitDefinition;
using DisplayUnit = described::DisplayUnit;
/// XML of another tool, kept unchanged.
using Annotation = described::Annotation;
/// A position in one of the lists of a SlaveDescription; kNowhere for none.
using Index = described::Index;
using described::kNowhere;
using described::Limits;

using ValueReference = std::uint64_t;

/// How many steps of the time resolution a communication step may have.
struct StepRange {
  std::uint32_t standard = 1;           ///< defaultSteps
  bool is_fixed = true;                 ///< only `standard` is allowed
  std::optional<std::uint32_t> fewest;  ///< minSteps
  std::optional<std::uint32_t> most;    ///< maxSteps

  /// Whether a communication step may have that many steps.
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

/// A range of ports, both ends included.
struct PortRange {
  std::uint16_t from = 0;
  std::uint16_t to = 0;
};

/// Where data are received. What the description does not state, the integrator chooses.
struct DataPorts {
  std::string host;               ///< empty: not stated
  std::vector<PortRange> ranges;  ///< empty: any port; a single port is a range of one

  /// Whether data may be received at that port.
  bool Allows(std::uint16_t port) const;
};

/// The transport UDP_IPv4 or TCP_IPv4.
struct Ipv4 {
  std::uint32_t max_pdu_size = 0;
  std::optional<std::string> control_host;
  std::optional<std::uint16_t> control_port;
  bool has_control = false;  ///< whether the element Control is present, even empty
  std::optional<DataPorts> data;
  std::optional<DataPorts> parameters;
  int line = 0;
};
inline constexpr std::uint32_t kMaxUdpPdu = 65'507;
/// The largest `max_pdu_size`, in bytes.
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
/// The flags with their names in the standard.
inline constexpr std::array<std::pair<const char*, bool CapabilityFlags::*>, 6> kCapabilityFlags = {{
    {"canAcceptConfigPdus", &CapabilityFlags::can_accept_config_pdus},
    {"canHandleReset", &CapabilityFlags::can_handle_reset},
    {"canHandleVariableSteps", &CapabilityFlags::can_handle_variable_steps},
    {"canMonitorHeartbeat", &CapabilityFlags::can_monitor_heartbeat},
    {"canProvideLogOnRequest", &CapabilityFlags::can_provide_log_on_request},
    {"canProvideLogOnNotification", &CapabilityFlags::can_provide_log_on_notification},
}};

/// Attributes that a type may set and a variable may override.
struct TypeAttributes {
  DataType type = DataType::float64;
  Limits limits;
  std::optional<double> nominal;
  std::string quantity;
  Index unit = kNowhere;                  ///< position in SlaveDescription::units
  Index display_unit = kNowhere;          ///< position in UnitDefinition::display_units of `unit`
  std::string mime_type;                  ///< Binary; "application/octet-stream" unless set
  std::optional<std::uint32_t> max_size;  ///< String and Binary, in bytes
};

struct TypeDefinition {
  std::string name;
  std::string description;
  TypeAttributes attributes;
  int line = 0;
};

/// The name of a type in a description, such as "Float64".
const char* ElementName(DataType type);
/// The type with that name in a description; nothing for an unknown name.
std::optional<DataType> DataTypeNamed(std::string_view element);
constexpr bool IsFloat(DataType type) {
  return type == DataType::float32 || type == DataType::float64;
}
constexpr bool IsInteger(DataType type) {
  return type <= DataType::int64;
}

enum class VariableKind : std::uint8_t { Input, Output, Parameter, StructuralParameter };
/// The name in a description, such as "Input".
inline constexpr EnumNames<VariableKind> kVariableKinds{"Input", "Output", "Parameter", "StructuralParameter"};
inline const char* Name(VariableKind kind) {
  return kVariableKinds.NameOf(kind);
}

enum class Variability : std::uint8_t { Fixed, Tunable, Discrete, Continuous };
/// The name in a description, such as "fixed".
inline constexpr EnumNames<Variability> kVariabilities{"fixed", "tunable", "discrete", "continuous"};
inline const char* Name(Variability variability) {
  return kVariabilities.NameOf(variability);
}

/// A dimension of an array: a constant size, or the structural parameter that holds it.
struct Dimension {
  std::uint64_t size = 1;     ///< the constant, or the start value of the structural parameter
  Index variable = kNowhere;  ///< the structural parameter; kNowhere for a constant
  ValueReference linked = 0;  ///< value reference of the structural parameter
};

struct Dependency {
  Index variable = kNowhere;
  bool is_linear = false;
};

/// What an output depends on. Nothing where that is unknown, which means that it depends on everything.
struct Dependencies {
  std::optional<std::vector<Dependency>> initialization;
  std::optional<std::vector<Dependency>> run;
};

/// Start values as a description states them; each kind has its own list.
struct StartValues {
  std::vector<double> floats;
  std::vector<std::int64_t> integers;  ///< a Uint64 as the same bits
  std::string text;                    ///< of a String; the bytes of a Binary
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
  Index declared_type = kNowhere;  ///< position in SlaveDescription::types
  StepRange steps;                 ///< Output
  bool is_constant = false;        ///< Output: `initialization`, constant once it is initialized
  Dependencies dependencies;       ///< Output
  std::vector<Annotation> annotations;
  int line = 0;

  DataType Type() const { return attributes.type; }
  bool IsArray() const { return !dimensions.empty(); }
  /// Whether it is a parameter that may change while the slave runs.
  bool IsTunable() const { return kind == VariableKind::Parameter && variability == Variability::Tunable; }
  /// The number of elements with the start values of structural parameters: the product of the sizes; 1 for a scalar.
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
  std::string message;  ///< text with placeholders such as `%Float64` for arguments, and `%%` for a percent sign
  int line = 0;
};

struct Log {
  std::vector<LogCategory> categories;
  std::vector<LogTemplate> templates;
};

/// The longest time between two INF_state of the master: numerator / denominator seconds.
struct Heartbeat {
  std::uint32_t numerator = 1;
  std::uint32_t denominator = 1;
  double Seconds() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
};

/// The whole description.
struct SlaveDescription {
  std::string file;  ///< name for messages
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
  bool is_structured = false;  ///< variableNamingConvention is structured

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
  /// Whether a master may configure this resolution. Every resolution is allowed where the description states none.
  bool AllowsResolution(std::uint32_t numerator, std::uint32_t denominator) const;
  /// The resolution that a master uses when none is set: the fixed or recommended one, else the first, else the start
  /// of the first range, else 1/1000 s.
  Resolution StandardResolution() const;
  /// The resolution in which a communication step has a whole number of parts that `allows` accepts: the standard one,
  /// else the first of the list, else the coarsest of the first range that has one.
  /// \param step  s, above 0
  /// \param allows  whether a step may have that many parts
  /// \returns nothing where the slave allows no such resolution
  std::optional<Resolution> ResolutionFor(double step, const std::function<bool(std::uint32_t)>& allows) const;
  /// The resolutions that the slave allows, such as "1/100 s, 2 to 8/1000 s".
  std::string ResolutionsText() const;
  /// The fixed resolution, which is then the only one allowed; null where none is fixed.
  const Resolution* FixedResolution() const;
  /// The variable of that name, or null.
  const Variable* Find(std::string_view variable_name) const;
  /// The position in `variables` of a value reference; kNowhere for none. Linear: build a map for many calls.
  Index Find(ValueReference reference) const;
  /// A variable, by its position.
  const Variable& At(Index index) const { return variables[static_cast<std::size_t>(index)]; }
  /// The unit of a variable, or null.
  const UnitDefinition* UnitOf(const Variable& variable) const {
    const Index unit = variable.attributes.unit;
    return unit == kNowhere ? nullptr : &units[static_cast<std::size_t>(unit)];
  }
};

/// Reads a slave description (.dcpx) and checks it.
///
/// It is checked against the schema and every rule of DCP 1.0 that needs no running slave. What makes the description
/// unusable is an error; what is unusual but usable is a warning. Each problem names file, line, variable, expectation
/// and remedy. Nothing outside the text is opened.
/// \param bytes  the file; at most 64 MiB
/// \param file  only for messages
/// \returns what could be read, even with problems
/// \throws FormatError  no XML, no slave description, or one of another major version
SlaveDescription ReadSlaveDescription(std::string_view bytes, const std::string& file, Problems& problems);

/// Reads and checks a file: a description, a .dcp archive, or an unpacked archive.
///
/// An archive (or its folder) contains `v1.0/dcpSlaveDescription.dcpx`.
/// \throws FileError  the file cannot be read
/// \throws FormatError  as ReadSlaveDescription; also where the archive cannot be read
SlaveDescription LoadSlaveDescription(const std::filesystem::path& path, Problems& problems);

/// Reads and checks the .dcpx of a simulator that is itself the slave, by every rule but the schema: a simulator then
/// links neither a validator nor a reader of archives (target `openmi::dcp_slave`). `openmi dcp check` also validates.
/// \throws FileError  the file cannot be read
/// \throws FormatError  as ReadSlaveDescription; also where `path` is a .dcp archive
SlaveDescription LoadOwnDescription(const std::filesystem::path& path, Problems& problems);

/// Where the description is in an archive.
inline constexpr std::string_view kDescriptionEntry = "v1.0/dcpSlaveDescription.dcpx";

/// The description as the text of a .dcpx. ReadSlaveDescription reads the same description back; defaults are omitted.
/// \throws FormatError  the description would break a rule of DCP 1.0; the message is the reader's
std::string SlaveDescriptionText(const SlaveDescription& description);

/// Writes the description to `path`: a .dcp archive if the name ends with `.dcp`, else a .dcpx.
/// \throws FormatError  as SlaveDescriptionText
/// \throws FileError  the file cannot be written
void WriteSlaveDescription(const SlaveDescription& description, const std::filesystem::path& path);

/// A description as JSON, for other programs: modes, times, transports, capabilities, variables.
std::string SlaveJson(const SlaveDescription& description);

/// Start values as a user writes them: numbers separated by blanks, bytes as hexadecimal digits; empty where none is
/// given.
std::string StartText(const Variable& variable);

}  // namespace openmi::dcp
