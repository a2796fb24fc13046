#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// The numbers of DCP 1.0 and their names.
///
/// Every enumeration has a fixed underlying type, so that it can hold any byte received before it is checked.

namespace openmi::dcp {

/// Kinds of PDUs. STC 01-1F, CFG 20-7F, INF 80-AF, RSP B0-DF, NTF E0-EF, DAT F0-FF.
enum class PduType : std::uint8_t {
  STC_register = 0x01,
  STC_deregister = 0x02,
  STC_prepare = 0x03,
  STC_configure = 0x04,
  STC_initialize = 0x05,
  STC_run = 0x06,
  STC_do_step = 0x07,
  STC_send_outputs = 0x08,
  STC_stop = 0x09,
  STC_reset = 0x0A,
  CFG_time_res = 0x20,
  CFG_steps = 0x21,
  CFG_input = 0x22,
  CFG_output = 0x23,
  CFG_clear = 0x24,
  CFG_target_network_information = 0x25,
  CFG_source_network_information = 0x26,
  CFG_parameter = 0x27,
  CFG_tunable_parameter = 0x28,
  CFG_param_network_information = 0x29,
  CFG_logging = 0x2A,
  CFG_scope = 0x2B,
  INF_state = 0x80,
  INF_error = 0x81,
  INF_log = 0x82,
  RSP_ack = 0xB0,
  RSP_nack = 0xB1,
  RSP_state_ack = 0xB2,
  RSP_error_ack = 0xB3,
  RSP_log_ack = 0xB4,
  NTF_state_changed = 0xE0,
  NTF_log = 0xE1,
  DAT_input_output = 0xF0,
  DAT_parameter = 0xF1,
};

/// The nineteen states of a slave.
enum class State : std::uint8_t {
  ALIVE = 0x00,
  CONFIGURATION = 0x01,
  PREPARING = 0x02,
  PREPARED = 0x03,
  CONFIGURING = 0x04,
  CONFIGURED = 0x05,
  INITIALIZING = 0x06,
  INITIALIZED = 0x07,
  SENDING_I = 0x08,
  SYNCHRONIZING = 0x09,
  SYNCHRONIZED = 0x0A,
  RUNNING = 0x0B,
  COMPUTING = 0x0C,
  COMPUTED = 0x0D,
  SENDING_D = 0x0E,
  STOPPING = 0x0F,
  STOPPED = 0x10,
  ERRORHANDLING = 0x11,
  ERRORRESOLVED = 0x12,
};
inline constexpr std::size_t kStates = 19;

enum class OpMode : std::uint8_t { HRT = 0, SRT = 1, NRT = 2 };

enum class DataType : std::uint8_t {
  uint8 = 0,
  uint16 = 1,
  uint32 = 2,
  uint64 = 3,
  int8 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  float32 = 8,
  float64 = 9,
  string = 10,
  binary = 11,
};
inline constexpr std::size_t kDataTypes = 12;

/// Identifiers of transport protocols in network information.
enum class TransportProtocol : std::uint8_t { UDP_IPv4 = 0, Bluetooth = 1, CAN = 2, USB2 = 3, TCP_IPv4 = 4 };

/// When the outputs of a data_id are sent.
enum class Scope : std::uint8_t { InitializationAndRun = 0, Initialization = 1, Run = 2 };

enum class LogMode : std::uint8_t { None = 0, OnRequest = 1, OnNotification = 2 };
enum class LogLevel : std::uint8_t { Fatal = 0, Error = 1, Warning = 2, Information = 3, Debug = 4 };

enum class ErrorCode : std::uint16_t {
  NONE = 0x0000,
  PROTOCOL_ERROR_GENERIC = 0x1001,
  PROTOCOL_ERROR_HEARTBEAT_MISSED = 0x1002,
  PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE = 0x1003,
  PROTOCOL_ERROR_PROPERTY_VIOLATED = 0x1004,
  PROTOCOL_ERROR_STATE_TRANSITION_IN_PROGRESS = 0x1005,
  INVALID_LENGTH = 0x2001,
  INVALID_LOG_CATEGORY = 0x2002,
  INVALID_LOG_LEVEL = 0x2003,
  INVALID_LOG_MODE = 0x2004,
  INVALID_MAJOR_VERSION = 0x2005,
  INVALID_MINOR_VERSION = 0x2006,
  INVALID_NETWORK_INFORMATION = 0x2007,
  INVALID_OP_MODE = 0x2008,
  INVALID_PAYLOAD = 0x2009,
  INVALID_SCOPE = 0x200A,
  INVALID_SOURCE_DATA_TYPE = 0x200B,
  INVALID_START_TIME = 0x200C,
  INVALID_STATE_ID = 0x200D,
  INVALID_STEPS = 0x200E,
  INVALID_TIME_RESOLUTION = 0x200F,
  INVALID_TRANSPORT_PROTOCOL = 0x2010,
  INVALID_UUID = 0x2011,
  INVALID_VALUE_REFERENCE = 0x2012,
  INVALID_SEQUENCE_ID = 0x2013,
  INCOMPLETE_CONFIG_GAP_INPUT_POS = 0x3001,
  INCOMPLETE_CONFIG_GAP_OUTPUT_POS = 0x3002,
  INCOMPLETE_CONFIG_GAP_TUNABLE_POS = 0x3003,
  INCOMPLETE_CONFIG_NW_INFO_INPUT = 0x3004,
  INCOMPLETE_CONFIG_NW_INFO_OUTPUT = 0x3005,
  INCOMPLETE_CONFIG_NW_INFO_TUNABLE = 0x3006,
  INCOMPLETE_CONFIG_SCOPE = 0x3007,
  INCOMPLETE_CONFIG_STEPS = 0x3008,
  INCOMPLETE_CONFIG_TIME_RESOLUTION = 0x3009,
  INCOMPLETE_CONFIGURATION = 0x300A,
  NOT_SUPPORTED_LOG_ON_NOTIFICATION = 0x4001,
  NOT_SUPPORTED_LOG_ON_REQUEST = 0x4002,
  NOT_SUPPORTED_VARIABLE_STEPS = 0x4003,
  NOT_SUPPORTED_TRANSPORT_PROTOCOL = 0x4004,
  NOT_SUPPORTED_PDU = 0x4005,
  NOT_SUPPORTED_PDU_SIZE = 0x4006,
};

/// The 16 bytes that identify a slave, in the textual order of "8-4-4-4-12" hexadecimal digits.
using Uuid = std::array<std::uint8_t, 16>;
/// \throws FormatError  not 36 characters of that form
Uuid UuidFromText(std::string_view text);
std::string ToText(const Uuid& uuid);

// Names as the standard writes them; "unknown" for a number without a name.
std::string_view NameOf(PduType type);
std::string_view NameOf(State state);
std::string_view NameOf(OpMode mode);
std::string_view NameOf(DataType type);
std::string_view NameOf(TransportProtocol protocol);
std::string_view NameOf(Scope scope);
std::string_view NameOf(ErrorCode code);

constexpr bool IsState(std::uint8_t byte) {
  return byte < kStates;
}
constexpr bool IsDataType(DataType type) {
  return static_cast<std::uint8_t>(type) < kDataTypes;
}
/// Whether it is a string or binary: its bytes follow a length of four bytes.
constexpr bool IsText(DataType type) {
  return type == DataType::string || type == DataType::binary;
}
/// Bytes of one element on the wire; 0 for string and binary, where each value has its length.
constexpr std::size_t SizeOf(DataType type) {
  constexpr std::array<std::uint8_t, kDataTypes> kSizes{1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 0, 0};
  return IsDataType(type) ? kSizes[static_cast<std::size_t>(type)] : 0;
}
/// Whether a variable of type `to` may receive values of type `from`: the same type, or one that holds each of its
/// values exactly. Source: DCP 1.0, table of allowed data type conversions.
constexpr bool CanConvert(DataType from, DataType to) {
  if (!IsDataType(from) || !IsDataType(to)) return false;
  if (from == to) return true;
  if (IsText(from) || IsText(to)) return false;
  const auto is_float = [](DataType type) { return type == DataType::float32 || type == DataType::float64; };
  const auto is_signed = [](DataType type) { return type >= DataType::int8 && type <= DataType::int64; };
  if (is_float(from)) return from == DataType::float32 && to == DataType::float64;
  if (is_float(to)) return SizeOf(from) < SizeOf(to);
  if (is_signed(from) && !is_signed(to)) return false;
  return SizeOf(from) < SizeOf(to);
}

}  // namespace openmi::dcp
