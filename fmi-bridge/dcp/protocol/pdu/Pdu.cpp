#include "fmi-bridge/dcp/protocol/pdu/Pdu.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

namespace openmi::dcp {
namespace {

static_assert(std::endian::native == std::endian::little,
              "PDUs are little-endian, and so are the hosts this is built for");

/// The types of the PDUs of a struct.
template <class P>
constexpr std::array kTypesOf = {P::type};
template <>
constexpr std::array kTypesOf<StcPlain> = {PduType::STC_deregister, PduType::STC_prepare,      PduType::STC_configure,
                                           PduType::STC_initialize, PduType::STC_send_outputs, PduType::STC_stop,
                                           PduType::STC_reset};
template <>
constexpr std::array kTypesOf<CfgNetworkInformation> = {PduType::CFG_target_network_information,
                                                        PduType::CFG_source_network_information,
                                                        PduType::CFG_param_network_information};
template <>
constexpr std::array kTypesOf<InfPlain> = {PduType::INF_state, PduType::INF_error};
template <>
constexpr std::array kTypesOf<Dat> = {PduType::DAT_input_output, PduType::DAT_parameter};

template <class P>
constexpr bool Holds(PduType type) {
  return std::ranges::find(kTypesOf<P>, type) != kTypesOf<P>.end();
}

/// Calls `take` with each field after the type, in the order of the wire.
///
/// The layouts are defined only here: sizes, writing and reading all use it. Source: DCP 1.0, tables of the PDUs.
template <class P, class Take>
void ForEachField(P& pdu, Take&& take) {
  using T = std::remove_const_t<P>;
  if constexpr (requires { pdu.sequence; }) take(pdu.sequence);
  if constexpr (requires { pdu.receiver; }) take(pdu.receiver);
  if constexpr (requires { pdu.sender; }) take(pdu.sender);
  if constexpr (requires { pdu.state; }) take(pdu.state);
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
  } else if constexpr (std::is_same_v<T, RspErrorAck>) {
    take(pdu.error);
  } else if constexpr (std::is_same_v<T, RspLogAck>) {
    take(pdu.entries);
  } else if constexpr (std::is_same_v<T, NtfLog>) {
    take(pdu.time), take(pdu.log_template), take(pdu.arguments);
  } else if constexpr (std::is_same_v<T, Dat>) {
    take(pdu.id), take(pdu.payload);
  }
}

struct Sizer {
  std::size_t size = 1;
  template <class T>
  void operator()(const T&) {
    size += sizeof(T);
  }
  void operator()(const ByteView& bytes) { size += bytes.size(); }
};

struct Writer {
  std::byte* at;
  template <class T>
  void operator()(const T& field) {
    std::memcpy(at, &field, sizeof(T));
    at += sizeof(T);
  }
  void operator()(const ByteView& bytes) {
    if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
    at += bytes.size();
  }
};

struct Reader {
  ByteView left;
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
  void operator()(ByteView& bytes) { bytes = std::exchange(left, {}); }
};

template <class P>
Decoded DecodeAs(PduType type, ByteView bytes) {
  P pdu{};
  if constexpr (requires { pdu.receiver; }) {
    if (bytes.size() < 4) return {.fault = DecodeFault::TooShort};
  }
  if constexpr (kTypesOf<P>.size() > 1) pdu.type = type;
  Reader reader{.left = bytes.subspan(1)};
  ForEachField(pdu, reader);
  const bool fits = !reader.is_short && reader.left.empty();
  return {.fault = fits ? DecodeFault::None : DecodeFault::WrongLength, .pdu = pdu};
}

/// Decodes bytes as the struct of the variant that holds the type.
template <class... Ps>
Decoded DecodeAmong(const std::variant<Ps...>*, PduType type, ByteView bytes) {
  Decoded decoded{.fault = DecodeFault::UnknownType};
  static_cast<void>(((Holds<Ps>(type) && (decoded = DecodeAs<Ps>(type, bytes), true)) || ...));
  return decoded;
}

template <class... Ps>
bool IsAmong(const std::variant<Ps...>*, PduType type) {
  return (Holds<Ps>(type) || ...);
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

Decoded Decode(ByteView bytes) {
  if (bytes.empty()) return {.fault = DecodeFault::TooShort};
  return DecodeAmong(static_cast<const Pdu*>(nullptr), static_cast<PduType>(bytes[0]), bytes);
}

bool DecodeHead(ByteView bytes, RequestHead& head) {
  if (bytes.size() < 4 || !IsRequest(static_cast<std::uint8_t>(bytes[0]))) return false;
  head.type = static_cast<PduType>(bytes[0]);
  Reader reader{.left = bytes.subspan(1)};
  reader(head.sequence);
  reader(head.receiver);
  return true;
}

bool IsKnown(PduType type) {
  return IsAmong(static_cast<const Pdu*>(nullptr), type);
}

}  // namespace openmi::dcp
