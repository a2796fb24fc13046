#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "fmi-bridge/dcp/protocol/pdu/Codes.hpp"
#include "openmi/standard/Value.hpp"

/// \file
/// Every PDU of DCP 1.0 as a plain struct.
///
/// PDUs with the same fields share a struct and differ by their type. Bytes of variable length (values, arguments,
/// payloads) are views: of the bytes that were decoded, or of those to be encoded.

namespace openmi::dcp {

/// STC_deregister, STC_prepare, STC_configure, STC_initialize, STC_send_outputs, STC_stop or STC_reset.
struct StcPlain {
  PduType type = PduType::STC_stop;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
  State state = State::ALIVE;  ///< the state in which the master believes the slave is
};
struct StcRegister {
  static constexpr PduType type = PduType::STC_register;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
  State state = State::ALIVE;
  Uuid uuid{};
  OpMode mode = OpMode::NRT;
  std::uint8_t major = 1;
  std::uint8_t minor = 0;
};
struct StcRun {
  static constexpr PduType type = PduType::STC_run;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
  State state = State::CONFIGURED;
  std::int64_t time = 0;  ///< Unix seconds; 0: at once
};
struct StcDoStep {
  static constexpr PduType type = PduType::STC_do_step;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
  State state = State::RUNNING;
  std::uint32_t steps = 1;
};

struct CfgTimeRes {
  static constexpr PduType type = PduType::CFG_time_res;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
  std::uint32_t numerator = 1;
  std::uint32_t denominator = 1000;  ///< s = numerator / denominator
};
struct CfgSteps {
  static constexpr PduType type = PduType::CFG_steps;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
  std::uint32_t steps = 1;
  std::uint16_t data_id = 0;
};
struct CfgInput {
  static constexpr PduType type = PduType::CFG_input;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
  std::uint16_t data_id = 0;
  std::uint16_t position = 0;  ///< index in the PDU: 0, 1, 2, ...
  std::uint64_t target_vr = 0;
  DataType source_type = DataType::float64;
};
struct CfgOutput {
  static constexpr PduType type = PduType::CFG_output;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
  std::uint16_t data_id = 0;
  std::uint16_t position = 0;
  std::uint64_t source_vr = 0;
};
struct CfgClear {
  static constexpr PduType type = PduType::CFG_clear;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
};
/// CFG_target_network_information, CFG_source_network_information or CFG_param_network_information.
///
/// Only the layout of UDP/IPv4 and TCP/IPv4 is decoded. Of other transports `rest` holds the bytes after the protocol's
/// number.
struct CfgNetworkInformation {
  PduType type = PduType::CFG_target_network_information;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
  std::uint16_t id = 0;  ///< data_id or param_id
  TransportProtocol protocol = TransportProtocol::UDP_IPv4;
  std::uint16_t port = 0;
  std::uint32_t address = 0;  ///< as a number: 127.0.0.1 is 0x7F000001
  ByteView rest = {};
};
struct CfgParameter {
  static constexpr PduType type = PduType::CFG_parameter;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
  std::uint64_t parameter_vr = 0;
  DataType source_type = DataType::float64;
  ByteView value = {};
};
struct CfgTunableParameter {
  static constexpr PduType type = PduType::CFG_tunable_parameter;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
  std::uint16_t param_id = 0;
  std::uint16_t position = 0;
  std::uint64_t parameter_vr = 0;
  DataType source_type = DataType::float64;
};
struct CfgLogging {
  static constexpr PduType type = PduType::CFG_logging;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
  std::uint8_t category = 0;  ///< 0: all categories
  LogLevel level = LogLevel::Information;
  LogMode mode = LogMode::None;
};
struct CfgScope {
  static constexpr PduType type = PduType::CFG_scope;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
  std::uint16_t data_id = 0;
  Scope scope = Scope::InitializationAndRun;
};

/// INF_state or INF_error.
struct InfPlain {
  PduType type = PduType::INF_state;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
};
struct InfLog {
  static constexpr PduType type = PduType::INF_log;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
  std::uint8_t category = 0;
  std::uint8_t max_entries = 0;
};

struct RspAck {
  static constexpr PduType type = PduType::RSP_ack;
  std::uint16_t sequence = 0;  ///< of the request
  std::uint8_t sender = 0;
};
struct RspNack {
  static constexpr PduType type = PduType::RSP_nack;
  std::uint16_t sequence = 0;
  std::uint8_t sender = 0;
  std::uint16_t expected_sequence = 0;
  ErrorCode error = ErrorCode::NONE;
};
struct RspStateAck {
  static constexpr PduType type = PduType::RSP_state_ack;
  std::uint16_t sequence = 0;
  std::uint8_t sender = 0;
  State state = State::ALIVE;
};
struct RspErrorAck {
  static constexpr PduType type = PduType::RSP_error_ack;
  std::uint16_t sequence = 0;
  std::uint8_t sender = 0;
  ErrorCode error = ErrorCode::NONE;
};
struct RspLogAck {
  static constexpr PduType type = PduType::RSP_log_ack;
  std::uint16_t sequence = 0;
  std::uint8_t sender = 0;
  ByteView entries = {};  ///< one after another: int64 time, uint8 template, arguments as the template requires
};

struct NtfStateChanged {
  static constexpr PduType type = PduType::NTF_state_changed;
  std::uint8_t sender = 0;
  State state = State::ALIVE;
};
struct NtfLog {
  static constexpr PduType type = PduType::NTF_log;
  std::uint8_t sender = 0;
  std::int64_t time = 0;  ///< Unix seconds
  std::uint8_t log_template = 0;
  ByteView arguments = {};
};

/// DAT_input_output or DAT_parameter.
struct Dat {
  PduType type = PduType::DAT_input_output;
  std::uint16_t sequence = 0;
  std::uint16_t id = 0;  ///< data_id or param_id
  ByteView payload = {};
};

using Pdu = std::variant<StcPlain, StcRegister, StcRun, StcDoStep, CfgTimeRes, CfgSteps, CfgInput, CfgOutput, CfgClear,
                         CfgNetworkInformation, CfgParameter, CfgTunableParameter, CfgLogging, CfgScope, InfPlain,
                         InfLog, RspAck, RspNack, RspStateAck, RspErrorAck, RspLogAck, NtfStateChanged, NtfLog, Dat>;

PduType TypeOf(const Pdu& pdu);
/// Bytes of the PDU on the wire, without the frame of a transport.
std::size_t EncodedSize(const Pdu& pdu);
/// Writes a PDU. No allocation.
/// \param out  at least EncodedSize(pdu) bytes
/// \returns bytes written; 0 when `out` is too small, and then nothing is written
[[nodiscard]] std::size_t Encode(const Pdu& pdu, std::span<std::byte> out);

enum class DecodeFault : std::uint8_t {
  None,
  TooShort,     ///< no bytes, or fewer than the four bytes of a request's head
  UnknownType,  ///< DCP 1.0 has no PDU of this number
  WrongLength,  ///< a known type with too few or too many bytes
};
struct Decoded {
  DecodeFault fault = DecodeFault::None;
  Pdu pdu = {};  ///< valid when there is no fault; its views point into the bytes decoded
};
/// Reads a PDU. Any bytes give a PDU or a fault; values of enumerations are not checked. No allocation.
Decoded Decode(ByteView bytes);

/// The fields that start every request (STC, CFG, INF), readable whatever its length.
struct RequestHead {
  PduType type = PduType::INF_state;
  std::uint16_t sequence = 0;
  std::uint8_t receiver = 0;
};
constexpr bool IsRequest(std::uint8_t type) {
  return type >= 0x01 && type <= 0xAF;
}
/// Reads the head of a request.
/// \returns false when the bytes are no request with a complete head
bool DecodeHead(ByteView bytes, RequestHead& head);
/// Whether DCP 1.0 has a PDU of this number.
bool IsKnown(PduType type);

/// One line for a reader: `STC_run seq 17 to 3 state CONFIGURED time 0`. Used by monitors, logs and tests.
std::string Describe(const Pdu& pdu);
/// One line for any bytes; where they are no PDU the line names the fault.
std::string Describe(ByteView bytes);

}  // namespace openmi::dcp
