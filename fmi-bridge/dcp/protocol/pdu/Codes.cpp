#include "fmi-bridge/dcp/protocol/pdu/Codes.hpp"

#include <fmt/format.h>

#include <charconv>
#include <span>
#include <system_error>

#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {
namespace {

constexpr bool IsDash(std::size_t position) {
  return position == 8 || position == 13 || position == 18 || position == 23;
}

/// The names of the numbers from `first` on, each with a space behind it.
struct Names {
  unsigned first;
  std::string_view names;
};

constexpr Names kPduTypes[] = {
    {0x01,
     "STC_register STC_deregister STC_prepare STC_configure STC_initialize STC_run STC_do_step "
     "STC_send_outputs STC_stop STC_reset "},
    {0x20,
     "CFG_time_res CFG_steps CFG_input CFG_output CFG_clear CFG_target_network_information "
     "CFG_source_network_information CFG_parameter CFG_tunable_parameter "
     "CFG_param_network_information CFG_logging CFG_scope "},
    {0x80, "INF_state INF_error INF_log "},
    {0xB0, "RSP_ack RSP_nack RSP_state_ack RSP_error_ack RSP_log_ack "},
    {0xE0, "NTF_state_changed NTF_log "},
    {0xF0, "DAT_input_output DAT_parameter "}};
constexpr Names kStateNames[] = {
    {0,
     "ALIVE CONFIGURATION PREPARING PREPARED CONFIGURING CONFIGURED INITIALIZING INITIALIZED "
     "SENDING_I SYNCHRONIZING SYNCHRONIZED RUNNING COMPUTING COMPUTED SENDING_D STOPPING STOPPED "
     "ERRORHANDLING ERRORRESOLVED "}};
constexpr Names kOpModes[] = {{0, "HRT SRT NRT "}};
constexpr Names kDataTypeNames[] = {
    {0, "uint8 uint16 uint32 uint64 int8 int16 int32 int64 float32 float64 string binary "}};
constexpr Names kTransportProtocols[] = {{0, "UDP_IPv4 Bluetooth CAN USB2 TCP_IPv4 "}};
constexpr Names kScopes[] = {{0, "Initialization/Run/NonRealTime Initialization Run/NonRealTime "}};
constexpr Names kErrorCodes[] = {
    {0x0000, "NONE "},
    {0x1001,
     "PROTOCOL_ERROR_GENERIC PROTOCOL_ERROR_HEARTBEAT_MISSED "
     "PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE PROTOCOL_ERROR_PROPERTY_VIOLATED "
     "PROTOCOL_ERROR_STATE_TRANSITION_IN_PROGRESS "},
    {0x2001,
     "INVALID_LENGTH INVALID_LOG_CATEGORY INVALID_LOG_LEVEL INVALID_LOG_MODE INVALID_MAJOR_VERSION "
     "INVALID_MINOR_VERSION INVALID_NETWORK_INFORMATION INVALID_OP_MODE INVALID_PAYLOAD INVALID_SCOPE "
     "INVALID_SOURCE_DATA_TYPE INVALID_START_TIME INVALID_STATE_ID INVALID_STEPS "
     "INVALID_TIME_RESOLUTION INVALID_TRANSPORT_PROTOCOL INVALID_UUID INVALID_VALUE_REFERENCE "
     "INVALID_SEQUENCE_ID "},
    {0x3001,
     "INCOMPLETE_CONFIG_GAP_INPUT_POS INCOMPLETE_CONFIG_GAP_OUTPUT_POS "
     "INCOMPLETE_CONFIG_GAP_TUNABLE_POS INCOMPLETE_CONFIG_NW_INFO_INPUT "
     "INCOMPLETE_CONFIG_NW_INFO_OUTPUT INCOMPLETE_CONFIG_NW_INFO_TUNABLE INCOMPLETE_CONFIG_SCOPE "
     "INCOMPLETE_CONFIG_STEPS INCOMPLETE_CONFIG_TIME_RESOLUTION INCOMPLETE_CONFIGURATION "},
    {0x4001,
     "NOT_SUPPORTED_LOG_ON_NOTIFICATION NOT_SUPPORTED_LOG_ON_REQUEST NOT_SUPPORTED_VARIABLE_STEPS "
     "NOT_SUPPORTED_TRANSPORT_PROTOCOL NOT_SUPPORTED_PDU NOT_SUPPORTED_PDU_SIZE "}};

constexpr std::string_view NameIn(std::span<const Names> groups, auto value) {
  for (const Names& group : groups) {
    std::string_view rest = group.names;
    for (auto number = group.first; !rest.empty(); ++number) {
      const std::size_t size = rest.find(' ');
      if (number == static_cast<unsigned>(value)) return rest.substr(0, size);
      rest.remove_prefix(size + 1);
    }
  }
  return "unknown";
}

}  // namespace

Uuid UuidFromText(std::string_view text) {
  Uuid uuid{};
  bool is_good = text.size() == 36;
  const char* at = text.data();
  for (std::uint8_t& byte : uuid) {
    if (!is_good) break;
    const bool is_dash = IsDash(static_cast<std::size_t>(at - text.data()));
    if (is_dash && *at++ != '-') is_good = false;
    const auto [end, error] = std::from_chars(at, at + 2, byte, 16);
    is_good = is_good && error == std::errc() && end == at + 2;
    at += 2;
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

std::string_view NameOf(PduType type) {
  return NameIn(kPduTypes, type);
}

std::string_view NameOf(State state) {
  return NameIn(kStateNames, state);
}

std::string_view NameOf(OpMode mode) {
  return NameIn(kOpModes, mode);
}

std::string_view NameOf(DataType type) {
  return NameIn(kDataTypeNames, type);
}

std::string_view NameOf(TransportProtocol protocol) {
  return NameIn(kTransportProtocols, protocol);
}

std::string_view NameOf(Scope scope) {
  return NameIn(kScopes, scope);
}

std::string_view NameOf(ErrorCode code) {
  return NameIn(kErrorCodes, code);
}

}  // namespace openmi::dcp
