#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"

// What the benchmarks of DCP share: a small slave, processes, and blocking sockets that exchange as much as a step
// does.

namespace openmi::dcp::measured {

inline double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

inline Variable Scalar(std::string name, ValueReference reference, VariableKind kind) {
  Variable variable;
  variable.name = std::move(name);
  variable.value_reference = reference;
  variable.kind = kind;
  return variable;
}

/// A number in, a number out; soft and no real time at 1/1000 s, both transports.
inline SlaveDescription DescribeSmall() {
  SlaveDescription slave;
  slave.name = "bench";
  slave.soft_real_time = true;
  slave.non_real_time = StepRange{};
  slave.resolutions.push_back({.numerator = 1, .denominator = 1000, .is_fixed = true, .is_recommended = {}});
  slave.transports.udp = Ipv4{.max_pdu_size = kMaxUdpPdu,
                              .control_host = {},
                              .control_port = {},
                              .has_control = true,
                              .data = {},
                              .parameters = {}};
  slave.transports.tcp = slave.transports.udp;
  slave.capabilities.can_accept_config_pdus = true;
  slave.variables = {Scalar("u", 1, VariableKind::Input), Scalar("y", 2, VariableKind::Output)};
  return slave;
}

/// A process that does `work` until it is killed.
class Child {
 public:
  explicit Child(const std::function<void()>& work) : child_(fork()) {
    if (child_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // it must not outlive a benchmark that is broken off
    work();
    _exit(0);
  }
  ~Child() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  pid_t Number() const { return child_; }

 private:
  pid_t child_;
};

// The sizes of the messages of a non-real-time step with one number in and one out, in their order.
inline constexpr std::array<std::size_t, 2> kAsk{13, 9};         // data, do_step
inline constexpr std::array<std::size_t, 3> kDone{4, 3, 3};      // ack, COMPUTING, COMPUTED
inline constexpr std::array<std::size_t, 1> kSend{5};            // send_outputs
inline constexpr std::array<std::size_t, 4> kSent{4, 3, 13, 3};  // ack, SENDING_D, data, RUNNING

/// One end of a blocking socket.
struct Plain {
  int socket = -1;
  std::size_t prefix = 0;  // bytes that TCP has before each message
  std::array<std::byte, 512> bytes{};

  void Send(std::span<const std::size_t> sizes) {
    for (const std::size_t size : sizes) {
      if (send(socket, bytes.data(), prefix + size, 0) < 0)
        throw std::runtime_error("expected to send, found that it fails");
    }
  }
  void Receive(std::span<const std::size_t> sizes) {
    for (const std::size_t size : sizes) {
      if (recv(socket, bytes.data(), prefix + size, MSG_WAITALL) <= 0)
        throw std::runtime_error("expected a message, found none");
    }
  }
};

/// Two connected sockets at the loopback.
inline std::array<Plain, 2> Pair(TransportProtocol protocol) {
  const bool is_udp = protocol == TransportProtocol::UDP_IPv4;
  std::array<Plain, 2> ends;
  std::array<sockaddr_in, 2> names{};
  socklen_t size = sizeof names[0];
  for (int i = 0; i < 2; ++i) {
    auto& name = names[static_cast<std::size_t>(i)];
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    Plain& end = ends[static_cast<std::size_t>(i)];
    end.socket = socket(AF_INET, is_udp ? SOCK_DGRAM : SOCK_STREAM, 0);
    end.prefix = is_udp ? 0 : 4;
    bind(end.socket, reinterpret_cast<sockaddr*>(&name), size);
    getsockname(end.socket, reinterpret_cast<sockaddr*>(&name), &size);
  }
  if (is_udp) {
    connect(ends[0].socket, reinterpret_cast<sockaddr*>(&names[1]), size);
    connect(ends[1].socket, reinterpret_cast<sockaddr*>(&names[0]), size);
    return ends;
  }
  listen(ends[1].socket, 1);
  connect(ends[0].socket, reinterpret_cast<sockaddr*>(&names[1]), size);
  ends[1].socket = accept(ends[1].socket, nullptr, nullptr);
  const int on = 1;
  for (const Plain& end : ends) setsockopt(end.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return ends;
}

}  // namespace openmi::dcp::measured
