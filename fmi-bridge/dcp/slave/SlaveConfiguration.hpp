#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "fmi-bridge/dcp/protocol/pdu/DataPdu.hpp"
#include "fmi-bridge/dcp/slave/SlaveValues.hpp"

namespace openmi::dcp {

/// The network address of a data_id or param_id: where its data go to or arrive.
struct NetworkPlace {
  TransportProtocol protocol = TransportProtocol::UDP_IPv4;
  std::uint32_t address = 0;
  std::uint16_t port = 0;
  bool operator==(const NetworkPlace&) const = default;
};

/// What arrives under one data_id or param_id.
struct InputGroup {
  DataLayout layout;
  SequenceWatch watch;
  std::optional<NetworkPlace> source;
  std::optional<std::uint32_t> most_missed;  ///< the smallest maxConsecMissedPdus of its variables
  std::uint64_t malformed = 0;               ///< dropped because the length does not fit
  std::uint64_t taken = 0;
  std::uint64_t taken_before = 0;  ///< the value of `taken` when the last step began
  std::uint32_t missing = 0;       ///< consecutive steps that began without new data; each of these losses was reported
};

/// What is sent under one data_id.
struct OutputGroup {
  DataLayout layout;
  std::uint16_t sequence = 0;  ///< of the next PDU
  std::vector<NetworkPlace> targets;
};

/// Everything that CFG PDUs set.
///
/// Each Apply returns the error code for RSP_nack, or NONE when the setting is in force.
class SlaveConfiguration {
 public:
  using Groups = std::map<std::uint16_t, InputGroup>;

  /// \param values  borrowed
  /// \param is_allowed  whether data may be sent to, or received at, what network information names; empty: all
  SlaveConfiguration(SlaveValues& values, std::function<bool(const CfgNetworkInformation&)> is_allowed);

  ErrorCode Apply(const CfgTimeRes& pdu);
  ErrorCode Apply(const CfgSteps& pdu);
  ErrorCode Apply(const CfgInput& pdu);
  ErrorCode Apply(const CfgOutput& pdu);
  ErrorCode Apply(const CfgNetworkInformation& pdu);
  ErrorCode Apply(const CfgParameter& pdu);
  ErrorCode Apply(const CfgTunableParameter& pdu);
  ErrorCode Apply(const CfgLogging& pdu);
  ErrorCode Apply(const CfgScope& pdu);
  /// Resets all settings to those after registration, and all values to their start values.
  void Clear();
  /// Checks whether CONFIGURATION can be left.
  /// \returns NONE, or what is missing. Source: DCP 1.0, table 112 for the order of the checks.
  ErrorCode CheckComplete(OpMode mode) const;

  /// The time resolution in force: the configured one, else the one fixed by the description, else its standard one.
  Resolution TimeResolution() const;
  /// The steps of a data_id; the default of its outputs where none are configured.
  std::uint32_t StepsOf(std::uint16_t data_id) const;
  Scope ScopeOf(std::uint16_t data_id) const;
  bool IsInScope(std::uint16_t data_id, bool initialization) const;

  Groups& Inputs() { return inputs_; }
  Groups& Parameters() { return parameters_; }
  std::map<std::uint16_t, OutputGroup>& Outputs() { return outputs_; }
  const Groups& Inputs() const { return inputs_; }
  const Groups& Parameters() const { return parameters_; }
  const std::map<std::uint16_t, OutputGroup>& Outputs() const { return outputs_; }
  LogMode LogModeOf(std::uint8_t category, LogLevel level) const;
  SlaveValues& Values() { return values_; }
  const SlaveValues& Values() const { return values_; }

 private:
  static constexpr std::size_t kMostPlaces = 1 << 20;
  bool HasRoomFor(const DataLayout& layout, std::uint16_t position);
  ErrorCode PutInput(Groups& groups, std::uint16_t id, std::uint16_t position, Index index, DataType source);

  SlaveValues& values_;
  std::function<bool(const CfgNetworkInformation&)> is_allowed_;
  Groups inputs_;
  Groups parameters_;
  std::map<std::uint16_t, OutputGroup> outputs_;
  std::map<std::uint16_t, std::uint32_t> steps_;
  std::map<std::uint16_t, Scope> scopes_;
  std::optional<Resolution> resolution_;
  std::array<std::array<LogMode, 5>, 256> log_modes_{};  // category, level
  std::size_t places_ = 0;
};

}  // namespace openmi::dcp
