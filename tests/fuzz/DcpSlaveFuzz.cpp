#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "fmi-bridge/dcp/slave/SlaveMachine.hpp"
#include "fmi-bridge/dcp/slave/SlaveRunner.hpp"
#include "tests/fuzz/DcpFuzzSlave.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::dcp {
namespace {

constexpr std::size_t kTargetPort = 7;  // offset in CFG_target_network_information

class Idle final : public SlaveModel {
  void Step(SlaveValues& values, const StepSpan& span) override { values.At(1).SetNumber(span.end); }
};

/// The other end: a socket at the loopback.
class Client {
 public:
  Client(bool is_tcp, std::uint16_t slave) : socket_(socket(AF_INET, is_tcp ? SOCK_STREAM : SOCK_DGRAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(slave);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // Closed by a reset: thousands of connections a second would else wait, and take all ports.
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) std::abort();
    socklen_t size = sizeof to;
    getsockname(socket_, reinterpret_cast<sockaddr*>(&to), &size);
    port_ = ntohs(to.sin_port);
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  std::uint16_t Port() const { return port_; }
  void Send(ByteView bytes) const {
    static_cast<void>(send(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL));
  }

 private:
  int socket_;
  std::uint16_t port_ = 0;
};

}  // namespace

// The first byte chooses the transport and whether TCP gets whole frames or a bare stream. Then pieces: a byte for the
// length, and a PDU. Requests get the sequence number that comes next, or none would pass, and data are only sent back
// to this program.
OPENMI_FUZZ_TARGET(dcp_slave) {
  if (input.empty()) return;
  static const SlaveDescription description = [] {
    SlaveDescription soft = fuzz::Description();
    soft.hard_real_time = false;  // memory under the sanitizers is not to be locked
    return soft;
  }();
  const bool is_tcp = (input[0] & 1) != 0;
  const bool is_framed = is_tcp && (input[0] & 2) != 0;
  Idle model;
  SlaveRunner runner(description, model,
                     {.udp_port = std::uint16_t{0}, .tcp_port = std::uint16_t{0}, .is_lock_step = (input[0] & 4) != 0});
  const Client client(is_tcp,
                      runner.ControlEndpoint(is_tcp ? TransportProtocol::TCP_IPv4 : TransportProtocol::UDP_IPv4).port);
  const auto bytes = std::as_bytes(std::span(input));
  std::uint16_t sequence = 0;
  for (std::size_t at = 1; at < input.size();) {
    const std::size_t length = std::min<std::size_t>(static_cast<std::uint8_t>(input[at]), input.size() - at - 1);
    std::vector<std::byte> pdu(bytes.begin() + static_cast<std::ptrdiff_t>(at + 1),
                               bytes.begin() + static_cast<std::ptrdiff_t>(at + 1 + length));
    at += 1 + length;
    if (pdu.size() >= 4 && IsRequest(static_cast<std::uint8_t>(pdu[0]))) {
      pdu[1] = static_cast<std::byte>((sequence + 1) & 0xFF);
      pdu[2] = static_cast<std::byte>((sequence + 1) >> 8);
      pdu[3] = std::byte{1};
      const bool is_alive = runner.Machine().CurrentState() == State::ALIVE;
      if (is_alive || runner.Machine().IsNextRequest(pdu)) ++sequence;
      const std::uint16_t port = client.Port();
      const bool is_target = static_cast<PduType>(pdu[0]) == PduType::CFG_target_network_information;
      if (is_target && pdu.size() >= kTargetPort + sizeof port) std::memcpy(&pdu[kTargetPort], &port, sizeof port);
    }
    if (is_framed) {
      const auto prefix = static_cast<std::uint32_t>(pdu.size());
      client.Send(std::as_bytes(std::span(&prefix, 1)));
    }
    client.Send(pdu);
    for (int turn = 0; turn < 3; ++turn) runner.Turn({});
    if (!IsState(static_cast<std::uint8_t>(runner.Machine().CurrentState()))) std::abort();
  }
}

}  // namespace openmi::dcp
