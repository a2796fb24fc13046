#include <fmt/format.h>

#include <type_traits>

#include "fmi-bridge/dcp/protocol/pdu/Pdu.hpp"

namespace openmi::dcp {
namespace {

/// The name, or the number where there is none.
template <class Enumeration>
std::string Named(Enumeration value) {
  const std::string_view name = NameOf(value);
  if (name != "unknown") return std::string(name);
  return fmt::format("0x{:02X}", static_cast<std::underlying_type_t<Enumeration>>(value));
}

std::string Hex(ByteView bytes) {
  constexpr std::size_t kShown = 32;
  std::string text = fmt::format("{} bytes", bytes.size());
  if (bytes.empty()) return text;
  text += ':';
  for (const std::byte byte : bytes.first(std::min(bytes.size(), kShown))) {
    text += fmt::format(" {:02x}", static_cast<unsigned>(byte));
  }
  if (bytes.size() > kShown) text += " ...";
  return text;
}

std::string Address(const CfgNetworkInformation& pdu) {
  if (pdu.protocol != TransportProtocol::UDP_IPv4 && pdu.protocol != TransportProtocol::TCP_IPv4) return Hex(pdu.rest);
  return fmt::format("{}.{}.{}.{}:{}", pdu.address >> 24, (pdu.address >> 16) & 0xFF, (pdu.address >> 8) & 0xFF,
                     pdu.address & 0xFF, pdu.port);
}

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

/// What a PDU carries beside what Line shows of all; most plain requests carry nothing.
constexpr Overloaded kRest{
    [](const auto&) { return std::string(); },
    [](const StcRegister& pdu) {
      return fmt::format(" uuid {} mode {} version {}.{}", ToText(pdu.uuid), Named(pdu.mode), pdu.major, pdu.minor);
    },
    [](const StcRun& pdu) { return fmt::format(" time {}", pdu.time); },
    [](const StcDoStep& pdu) { return fmt::format(" steps {}", pdu.steps); },
    [](const CfgTimeRes& pdu) { return fmt::format(" {}/{} s", pdu.numerator, pdu.denominator); },
    [](const CfgSteps& pdu) { return fmt::format(" data {} steps {}", pdu.data_id, pdu.steps); },
    [](const CfgInput& pdu) {
      return fmt::format(" data {} position {} to variable {} from {}", pdu.data_id, pdu.position, pdu.target_vr,
                         Named(pdu.source_type));
    },
    [](const CfgOutput& pdu) {
      return fmt::format(" data {} position {} from variable {}", pdu.data_id, pdu.position, pdu.source_vr);
    },
    [](const CfgNetworkInformation& pdu) {
      return fmt::format(" {} {} {} {}", pdu.type == PduType::CFG_param_network_information ? "parameters" : "data",
                         pdu.id, Named(pdu.protocol), Address(pdu));
    },
    [](const CfgParameter& pdu) {
      return fmt::format(" variable {} {} {}", pdu.parameter_vr, Named(pdu.source_type), Hex(pdu.value));
    },
    [](const CfgTunableParameter& pdu) {
      return fmt::format(" parameters {} position {} to variable {} from {}", pdu.param_id, pdu.position,
                         pdu.parameter_vr, Named(pdu.source_type));
    },
    [](const CfgLogging& pdu) {
      return fmt::format(" category {} level {} mode {}", pdu.category, static_cast<int>(pdu.level),
                         static_cast<int>(pdu.mode));
    },
    [](const CfgScope& pdu) { return fmt::format(" data {} scope {}", pdu.data_id, Named(pdu.scope)); },
    [](const InfLog& pdu) { return fmt::format(" category {} at most {}", pdu.category, pdu.max_entries); },
    [](const RspNack& pdu) {
      return fmt::format(" error 0x{:04X} {} expected seq {}", static_cast<unsigned>(pdu.error), NameOf(pdu.error),
                         pdu.expected_sequence);
    },
    [](const RspStateAck& pdu) { return fmt::format(" state {}", Named(pdu.state)); },
    [](const RspErrorAck& pdu) {
      return fmt::format(" error 0x{:04X} {}", static_cast<unsigned>(pdu.error), NameOf(pdu.error));
    },
    [](const RspLogAck& pdu) { return fmt::format(" entries {}", Hex(pdu.entries)); },
    [](const NtfStateChanged& pdu) { return fmt::format(" state {}", Named(pdu.state)); },
    [](const NtfLog& pdu) {
      return fmt::format(" time {} template {} {}", pdu.time, pdu.log_template, Hex(pdu.arguments));
    },
    [](const Dat& pdu) { return fmt::format(" {}", Hex(pdu.payload)); }};

std::string Line(const auto& pdu) {
  std::string line(NameOf(pdu.type));
  if constexpr (requires { pdu.sequence; }) line += fmt::format(" seq {}", pdu.sequence);
  if constexpr (requires { pdu.payload; }) {
    line += fmt::format(" {} {}", pdu.type == PduType::DAT_parameter ? "parameters" : "data", pdu.id);
  }
  if constexpr (requires { pdu.receiver; }) line += fmt::format(" to {}", pdu.receiver);
  if constexpr (requires { pdu.sender; }) line += fmt::format(" from {}", pdu.sender);
  if constexpr (requires {
                  pdu.receiver;
                  pdu.state;
                })
    line += fmt::format(" state {}", Named(pdu.state));
  return line + kRest(pdu);
}

}  // namespace

std::string Describe(const Pdu& pdu) {
  return std::visit([](const auto& one) { return Line(one); }, pdu);
}

std::string Describe(ByteView bytes) {
  const Decoded decoded = Decode(bytes);
  switch (decoded.fault) {
    case DecodeFault::None:
      return Describe(decoded.pdu);
    case DecodeFault::TooShort:
      return "too short for a PDU: " + Hex(bytes);
    case DecodeFault::UnknownType:
      return fmt::format("unknown type 0x{:02X}: {}", static_cast<unsigned>(bytes[0]), Hex(bytes));
    case DecodeFault::WrongLength:
      return fmt::format("{} of a wrong length: {}", NameOf(static_cast<PduType>(bytes[0])), Hex(bytes));
  }
  return {};
}

}  // namespace openmi::dcp
