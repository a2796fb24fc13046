#include "fmi-bridge/dcp/master/Ping.hpp"

#include <array>

#include "fmi-bridge/dcp/protocol/pdu/Pdu.hpp"
#include "fmi-bridge/dcp/protocol/transport/Transport.hpp"

namespace openmi::dcp {

std::optional<PingAnswer> Ping(TransportProtocol protocol, Endpoint slave, std::uint8_t id,
                               std::chrono::milliseconds timeout) {
  using Clock = Transport::Clock;
  const auto transport = protocol == TransportProtocol::TCP_IPv4 ? MakeTcpTransport() : MakeUdpTransport();
  const auto deadline = Clock::now() + timeout;
  const SocketId from = protocol == TransportProtocol::TCP_IPv4 ? -1 : transport->Open({});
  const SocketId socket = transport->Connect(from, slave, deadline);
  std::array<std::byte, 16> bytes{};
  const Pdu question = InfPlain{.type = PduType::INF_state, .sequence = 1, .receiver = id};
  const std::size_t size = Encode(question, bytes);
  const auto begin = Clock::now();
  transport->Send(socket, slave, ByteView(bytes).first(size));
  Arrival arrival;
  while (transport->Receive(arrival, deadline)) {
    if (arrival.is_end) return std::nullopt;
    if (arrival.from != slave) continue;
    const Decoded decoded = Decode(arrival.pdu);
    if (decoded.fault != DecodeFault::None) continue;
    if (const auto* answer = std::get_if<RspStateAck>(&decoded.pdu)) {
      return PingAnswer{answer->state, std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin)};
    }
  }
  return std::nullopt;
}

}  // namespace openmi::dcp
