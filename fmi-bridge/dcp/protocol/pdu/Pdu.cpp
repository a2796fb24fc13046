#include "fmi-bridge/dcp/protocol/pdu/Pdu.hpp"

#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

namespace openmi::dcp {
namespace {

static_assert(std::endian::native == std::endian::little,
              "PDUs are little-endian, and so are the hosts this is built for");

template <class... Ts>
inline constexpr bool kIsOneOf = false;
template <class T, class... Ts>
inline constexpr bool kIsOneOf<T, Ts...> = (std::is_same_v<T, Ts> || ...);

template <class T>
inline constexpr bool kIsRequest =
    kIsOneOf<T, StcPlain, StcRegister, StcRun, StcDoStep, CfgTimeRes, CfgSteps, CfgInput, CfgOutput, CfgClear,
             CfgNetworkInformation, CfgParameter, CfgTunableParameter, CfgLogging, CfgScope, InfPlain, InfLog>;
template <class T>
inline constexpr bool kHasState = kIsOneOf<T, StcPlain, StcRegister, StcRun, StcDoStep>;
template <class T>
inline constexpr bool kIsResponse = kIsOneOf<T, RspAck, RspNack, RspStateAck, RspErrorAck, RspLogAck>;

/// Calls `take` with each field after the type, in the order of the wire.
///
/// The layouts are defined only here: sizes, writing and reading all use it. Source: DCP 1.0, tables of the PDUs.
template <class P, class Take>
void ForEachField(P& pdu, Take&& take) {
  using T = std::remove_const_t<P>;
  if constexpr (kIsRequest<T>) take(pdu.sequence), take(pdu.receiver);
  if constexpr (kHasState<T>) take(pdu.state);
  if constexpr (kIsResponse<T>) take(pdu.sequence), take(pdu.sender);
  if constexpr (std::is_same_v<T, StcRegister>) {
    take(pdu.uuid), take(pdu.mode), take(pdu.major), take(pdu.minor);
  } else if constexpr (std::is_same_v<T, StcRun>) {
    take(pdu.time);
  } else if constexpr (std::is_same_v<T, StcDoStep>) {
    take(pdu.steps);
  } else if constexpr (std::is_same_v<T, CfgTimeRes>) {
    take(pdu.numerator), take(pdu.denominator);
  } else if constexpr (std::is_same_v<T, CfgSteps>) {
    take(pdu.steps), take(pdu.data_id);
  } else if constexpr (std::is_same_v<T, CfgInput>) {
    take(pdu.data_id), take(pdu.position), take(pdu.target_vr), take(pdu.source_type);
  } else if constexpr (std::is_same_v<T, CfgOutput>) {
    take(pdu.data_id), take(pdu.position), take(pdu.source_vr);
  } else if constexpr (std::is_same_v<T, CfgNetworkInformation>) {
    take(pdu.id), take(pdu.protocol);
    if (pdu.protocol == TransportProtocol::UDP_IPv4 || pdu.protocol == TransportProtocol::TCP_IPv4) {
      take(pdu.port), take(pdu.address);
    } else {
      take(pdu.rest);
    }
  } else if constexpr (std::is_same_v<T, CfgParameter>) {
    take(pdu.parameter_vr), take(pdu.source_type), take(pdu.value);
  } else if constexpr (std::is_same_v<T, CfgTunableParameter>) {
    take(pdu.param_id), take(pdu.position), take(pdu.parameter_vr), take(pdu.source_type);
  } else if constexpr (std::is_same_v<T, CfgLogging>) {
    take(pdu.category), take(pdu.level), take(pdu.mode);
  } else if constexpr (std::is_same_v<T, CfgScope>) {
    take(pdu.data_id), take(pdu.scope);
  } else if constexpr (std::is_same_v<T, InfLog>) {
    take(pdu.category), take(pdu.max_entries);
  } else if constexpr (std::is_same_v<T, RspNack>) {
    take(pdu.expected_sequence), take(pdu.error);
  } else if constexpr (std::is_same_v<T, RspStateAck>) {
    take(pdu.state);
  } else if constexpr (std::is_same_v<T, RspErrorAck>) {
    take(pdu.error);
  } else if constexpr (std::is_same_v<T, RspLogAck>) {
    take(pdu.entries);
  } else if constexpr (std::is_same_v<T, NtfStateChanged>) {
    take(pdu.sender), take(pdu.state);
  } else if constexpr (std::is_same_v<T, NtfLog>) {
    take(pdu.sender), take(pdu.time), take(pdu.log_template), take(pdu.arguments);
  } else if constexpr (std::is_same_v<T, Dat>) {
    take(pdu.sequence), take(pdu.id), take(pdu.payload);
  }
}

struct Sizer {
  std::size_t size = 1;
  template <class T>
  void operator()(const T&) {
    size += sizeof(T);
  }
  void operator()(const Bytes& bytes) { size += bytes.size(); }
};

struct Writer {
  std::byte* at;
  template <class T>
  void operator()(const T& field) {
    std::memcpy(at, &field, sizeof(T));
    at += sizeof(T);
  }
  void operator()(const Bytes& bytes) {
    if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
    at += bytes.size();
  }
};

struct Reader {
  Bytes left;
  bool is_short = false;
  template <class T>
  void operator()(T& field) {
    if (is_short || left.size() < sizeof(T)) {
      is_short = true;
      return;
    }
    std::memcpy(&field, left.data(), sizeof(T));
    left = left.subspan(sizeof(T));
  }
  void operator()(Bytes& bytes) { bytes = std::exchange(left, {}); }
};

template <class P>
Decoded DecodeAs(P pdu, Bytes bytes) {
  Reader reader{.left = bytes.subspan(1)};
  ForEachField(pdu, reader);
  const bool fits = !reader.is_short && reader.left.empty();
  return {.fault = fits ? DecodeFault::None : DecodeFault::WrongLength, .pdu = pdu};
}

}  // namespace

PduType TypeOf(const Pdu& pdu) {
  return std::visit([](const auto& one) { return one.type; }, pdu);
}

std::size_t EncodedSize(const Pdu& pdu) {
  Sizer sizer;
  std::visit([&](const auto& one) { ForEachField(one, sizer); }, pdu);
  return sizer.size;
}

std::size_t Encode(const Pdu& pdu, std::span<std::byte> out) {
  const std::size_t size = EncodedSize(pdu);
  if (size > out.size()) return 0;
  out[0] = static_cast<std::byte>(TypeOf(pdu));
  Writer writer{.at = out.data() + 1};
  std::visit([&](const auto& one) { ForEachField(one, writer); }, pdu);
  return size;
}

Decoded Decode(Bytes bytes) {
  if (bytes.empty()) return {.fault = DecodeFault::TooShort};
  const auto type = static_cast<PduType>(bytes[0]);
  if (!IsKnown(type)) return {.fault = DecodeFault::UnknownType};
  if (IsRequest(static_cast<std::uint8_t>(type)) && bytes.size() < 4) return {.fault = DecodeFault::TooShort};
  switch (type) {
    using enum PduType;
    case STC_register:
      return DecodeAs(StcRegister{}, bytes);
    case STC_run:
      return DecodeAs(StcRun{}, bytes);
    case STC_do_step:
      return DecodeAs(StcDoStep{}, bytes);
    case STC_deregister:
    case STC_prepare:
    case STC_configure:
    case STC_initialize:
    case STC_send_outputs:
    case STC_stop:
    case STC_reset:
      return DecodeAs(StcPlain{.type = type}, bytes);
    case CFG_time_res:
      return DecodeAs(CfgTimeRes{}, bytes);
    case CFG_steps:
      return DecodeAs(CfgSteps{}, bytes);
    case CFG_input:
      return DecodeAs(CfgInput{}, bytes);
    case CFG_output:
      return DecodeAs(CfgOutput{}, bytes);
    case CFG_clear:
      return DecodeAs(CfgClear{}, bytes);
    case CFG_target_network_information:
    case CFG_source_network_information:
    case CFG_param_network_information:
      return DecodeAs(CfgNetworkInformation{.type = type}, bytes);
    case CFG_parameter:
      return DecodeAs(CfgParameter{}, bytes);
    case CFG_tunable_parameter:
      return DecodeAs(CfgTunableParameter{}, bytes);
    case CFG_logging:
      return DecodeAs(CfgLogging{}, bytes);
    case CFG_scope:
      return DecodeAs(CfgScope{}, bytes);
    case INF_state:
    case INF_error:
      return DecodeAs(InfPlain{.type = type}, bytes);
    case INF_log:
      return DecodeAs(InfLog{}, bytes);
    case RSP_ack:
      return DecodeAs(RspAck{}, bytes);
    case RSP_nack:
      return DecodeAs(RspNack{}, bytes);
    case RSP_state_ack:
      return DecodeAs(RspStateAck{}, bytes);
    case RSP_error_ack:
      return DecodeAs(RspErrorAck{}, bytes);
    case RSP_log_ack:
      return DecodeAs(RspLogAck{}, bytes);
    case NTF_state_changed:
      return DecodeAs(NtfStateChanged{}, bytes);
    case NTF_log:
      return DecodeAs(NtfLog{}, bytes);
    case DAT_input_output:
    case DAT_parameter:
      return DecodeAs(Dat{.type = type}, bytes);
  }
  return {.fault = DecodeFault::UnknownType};
}

bool DecodeHead(Bytes bytes, RequestHead& head) {
  if (bytes.size() < 4 || !IsRequest(static_cast<std::uint8_t>(bytes[0]))) return false;
  head.type = static_cast<PduType>(bytes[0]);
  Reader reader{.left = bytes.subspan(1)};
  reader(head.sequence);
  reader(head.receiver);
  return true;
}

bool IsKnown(PduType type) {
  return NameOf(type) != "unknown";
}

}  // namespace openmi::dcp
