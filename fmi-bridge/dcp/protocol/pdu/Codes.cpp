#include "fmi-bridge/dcp/protocol/pdu/Codes.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {
namespace {

int DigitOf(char character) {
  if (character >= '0' && character <= '9') return character - '0';
  if (character >= 'a' && character <= 'f') return character - 'a' + 10;
  if (character >= 'A' && character <= 'F') return character - 'A' + 10;
  return -1;
}

constexpr bool IsDash(std::size_t position) {
  return position == 8 || position == 13 || position == 18 || position == 23;
}

}  // namespace

Uuid UuidFromText(std::string_view text) {
  Uuid uuid{};
  std::size_t digits = 0;
  bool is_good = text.size() == 36;
  for (std::size_t i = 0; is_good && i < text.size(); ++i) {
    if (IsDash(i)) {
      is_good = text[i] == '-';
      continue;
    }
    const int digit = DigitOf(text[i]);
    is_good = digit >= 0;
    if (!is_good) break;
    uuid[digits / 2] = static_cast<std::uint8_t>(uuid[digits / 2] * 16 + digit);
    ++digits;
  }
  if (!is_good) {
    throw FormatError({}, fmt::format("expected a UUID of the form 8-4-4-4-12 hexadecimal digits, found '{}'", text),
                      "make one with uuidgen");
  }
  return uuid;
}

std::string ToText(const Uuid& uuid) {
  std::string text;
  for (const std::uint8_t byte : uuid) {
    if (IsDash(text.size())) text += '-';
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

#define OPENMI_DCP_NAME(Enumerator) \
  case Enumerator:                  \
    return #Enumerator

std::string_view NameOf(PduType type) {
  switch (type) {
    using enum PduType;
    OPENMI_DCP_NAME(STC_register);
    OPENMI_DCP_NAME(STC_deregister);
    OPENMI_DCP_NAME(STC_prepare);
    OPENMI_DCP_NAME(STC_configure);
    OPENMI_DCP_NAME(STC_initialize);
    OPENMI_DCP_NAME(STC_run);
    OPENMI_DCP_NAME(STC_do_step);
    OPENMI_DCP_NAME(STC_send_outputs);
    OPENMI_DCP_NAME(STC_stop);
    OPENMI_DCP_NAME(STC_reset);
    OPENMI_DCP_NAME(CFG_time_res);
    OPENMI_DCP_NAME(CFG_steps);
    OPENMI_DCP_NAME(CFG_input);
    OPENMI_DCP_NAME(CFG_output);
    OPENMI_DCP_NAME(CFG_clear);
    OPENMI_DCP_NAME(CFG_target_network_information);
    OPENMI_DCP_NAME(CFG_source_network_information);
    OPENMI_DCP_NAME(CFG_parameter);
    OPENMI_DCP_NAME(CFG_tunable_parameter);
    OPENMI_DCP_NAME(CFG_param_network_information);
    OPENMI_DCP_NAME(CFG_logging);
    OPENMI_DCP_NAME(CFG_scope);
    OPENMI_DCP_NAME(INF_state);
    OPENMI_DCP_NAME(INF_error);
    OPENMI_DCP_NAME(INF_log);
    OPENMI_DCP_NAME(RSP_ack);
    OPENMI_DCP_NAME(RSP_nack);
    OPENMI_DCP_NAME(RSP_state_ack);
    OPENMI_DCP_NAME(RSP_error_ack);
    OPENMI_DCP_NAME(RSP_log_ack);
    OPENMI_DCP_NAME(NTF_state_changed);
    OPENMI_DCP_NAME(NTF_log);
    OPENMI_DCP_NAME(DAT_input_output);
    OPENMI_DCP_NAME(DAT_parameter);
  }
  return "unknown";
}

std::string_view NameOf(State state) {
  switch (state) {
    using enum State;
    OPENMI_DCP_NAME(ALIVE);
    OPENMI_DCP_NAME(CONFIGURATION);
    OPENMI_DCP_NAME(PREPARING);
    OPENMI_DCP_NAME(PREPARED);
    OPENMI_DCP_NAME(CONFIGURING);
    OPENMI_DCP_NAME(CONFIGURED);
    OPENMI_DCP_NAME(INITIALIZING);
    OPENMI_DCP_NAME(INITIALIZED);
    OPENMI_DCP_NAME(SENDING_I);
    OPENMI_DCP_NAME(SYNCHRONIZING);
    OPENMI_DCP_NAME(SYNCHRONIZED);
    OPENMI_DCP_NAME(RUNNING);
    OPENMI_DCP_NAME(COMPUTING);
    OPENMI_DCP_NAME(COMPUTED);
    OPENMI_DCP_NAME(SENDING_D);
    OPENMI_DCP_NAME(STOPPING);
    OPENMI_DCP_NAME(STOPPED);
    OPENMI_DCP_NAME(ERRORHANDLING);
    OPENMI_DCP_NAME(ERRORRESOLVED);
  }
  return "unknown";
}

std::string_view NameOf(OpMode mode) {
  switch (mode) {
    using enum OpMode;
    OPENMI_DCP_NAME(HRT);
    OPENMI_DCP_NAME(SRT);
    OPENMI_DCP_NAME(NRT);
  }
  return "unknown";
}

std::string_view NameOf(DataType type) {
  switch (type) {
    using enum DataType;
    OPENMI_DCP_NAME(uint8);
    OPENMI_DCP_NAME(uint16);
    OPENMI_DCP_NAME(uint32);
    OPENMI_DCP_NAME(uint64);
    OPENMI_DCP_NAME(int8);
    OPENMI_DCP_NAME(int16);
    OPENMI_DCP_NAME(int32);
    OPENMI_DCP_NAME(int64);
    OPENMI_DCP_NAME(float32);
    OPENMI_DCP_NAME(float64);
    OPENMI_DCP_NAME(string);
    OPENMI_DCP_NAME(binary);
  }
  return "unknown";
}

std::string_view NameOf(TransportProtocol protocol) {
  switch (protocol) {
    using enum TransportProtocol;
    OPENMI_DCP_NAME(UDP_IPv4);
    OPENMI_DCP_NAME(Bluetooth);
    OPENMI_DCP_NAME(CAN);
    OPENMI_DCP_NAME(USB2);
    OPENMI_DCP_NAME(TCP_IPv4);
  }
  return "unknown";
}

std::string_view NameOf(Scope scope) {
  switch (scope) {
    case Scope::InitializationAndRun:
      return "Initialization/Run/NonRealTime";
    case Scope::Initialization:
      return "Initialization";
    case Scope::Run:
      return "Run/NonRealTime";
  }
  return "unknown";
}

std::string_view NameOf(ErrorCode code) {
  switch (code) {
    using enum ErrorCode;
    OPENMI_DCP_NAME(NONE);
    OPENMI_DCP_NAME(PROTOCOL_ERROR_GENERIC);
    OPENMI_DCP_NAME(PROTOCOL_ERROR_HEARTBEAT_MISSED);
    OPENMI_DCP_NAME(PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE);
    OPENMI_DCP_NAME(PROTOCOL_ERROR_PROPERTY_VIOLATED);
    OPENMI_DCP_NAME(PROTOCOL_ERROR_STATE_TRANSITION_IN_PROGRESS);
    OPENMI_DCP_NAME(INVALID_LENGTH);
    OPENMI_DCP_NAME(INVALID_LOG_CATEGORY);
    OPENMI_DCP_NAME(INVALID_LOG_LEVEL);
    OPENMI_DCP_NAME(INVALID_LOG_MODE);
    OPENMI_DCP_NAME(INVALID_MAJOR_VERSION);
    OPENMI_DCP_NAME(INVALID_MINOR_VERSION);
    OPENMI_DCP_NAME(INVALID_NETWORK_INFORMATION);
    OPENMI_DCP_NAME(INVALID_OP_MODE);
    OPENMI_DCP_NAME(INVALID_PAYLOAD);
    OPENMI_DCP_NAME(INVALID_SCOPE);
    OPENMI_DCP_NAME(INVALID_SOURCE_DATA_TYPE);
    OPENMI_DCP_NAME(INVALID_START_TIME);
    OPENMI_DCP_NAME(INVALID_STATE_ID);
    OPENMI_DCP_NAME(INVALID_STEPS);
    OPENMI_DCP_NAME(INVALID_TIME_RESOLUTION);
    OPENMI_DCP_NAME(INVALID_TRANSPORT_PROTOCOL);
    OPENMI_DCP_NAME(INVALID_UUID);
    OPENMI_DCP_NAME(INVALID_VALUE_REFERENCE);
    OPENMI_DCP_NAME(INVALID_SEQUENCE_ID);
    OPENMI_DCP_NAME(INCOMPLETE_CONFIG_GAP_INPUT_POS);
    OPENMI_DCP_NAME(INCOMPLETE_CONFIG_GAP_OUTPUT_POS);
    OPENMI_DCP_NAME(INCOMPLETE_CONFIG_GAP_TUNABLE_POS);
    OPENMI_DCP_NAME(INCOMPLETE_CONFIG_NW_INFO_INPUT);
    OPENMI_DCP_NAME(INCOMPLETE_CONFIG_NW_INFO_OUTPUT);
    OPENMI_DCP_NAME(INCOMPLETE_CONFIG_NW_INFO_TUNABLE);
    OPENMI_DCP_NAME(INCOMPLETE_CONFIG_SCOPE);
    OPENMI_DCP_NAME(INCOMPLETE_CONFIG_STEPS);
    OPENMI_DCP_NAME(INCOMPLETE_CONFIG_TIME_RESOLUTION);
    OPENMI_DCP_NAME(INCOMPLETE_CONFIGURATION);
    OPENMI_DCP_NAME(NOT_SUPPORTED_LOG_ON_NOTIFICATION);
    OPENMI_DCP_NAME(NOT_SUPPORTED_LOG_ON_REQUEST);
    OPENMI_DCP_NAME(NOT_SUPPORTED_VARIABLE_STEPS);
    OPENMI_DCP_NAME(NOT_SUPPORTED_TRANSPORT_PROTOCOL);
    OPENMI_DCP_NAME(NOT_SUPPORTED_PDU);
    OPENMI_DCP_NAME(NOT_SUPPORTED_PDU_SIZE);
  }
  return "unknown";
}

#undef OPENMI_DCP_NAME

}  // namespace openmi::dcp
