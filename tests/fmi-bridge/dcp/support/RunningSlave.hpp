#pragma once

#include <thread>
#include <utility>

#include "fmi-bridge/dcp/slave/SlaveRunner.hpp"

namespace openmi::dcp::test {

/// Stops a slave and wakes it up, so that it sees that at once. What it is sent is nothing to any slave.
inline void StopSoon(SlaveRunner& runner) {
  runner.Stop();
  const Endpoint at = runner.ControlEndpoint(TransportProtocol::UDP_IPv4);
  if (at.port == 0) return;
  const auto transport = MakeUdpTransport();
  const std::byte nothing[1]{};
  transport->Send(transport->Open({.address = 0, .port = 0}), at, nothing);
}

/// A slave that works on a thread of its own while this lives.
class RunningSlave {
 public:
  RunningSlave(const SlaveDescription& description, SlaveModel& model, SlaveOptions options = {})
      : runner(description, model, std::move(options)), thread_([this] { runner.Run(); }) {}
  ~RunningSlave() {
    StopSoon(runner);
    thread_.join();
  }
  SlaveRunner runner;

 private:
  std::thread thread_;
};

}  // namespace openmi::dcp::test
