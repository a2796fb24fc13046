#pragma once

#include <chrono>
#include <functional>

namespace openmi::dcp {

/// Sends heartbeats to slaves that supervise their master, while no step does it.
///
/// Each slave has its own thread, so that one that does not answer delays no other heartbeat. Any thread may call.
class HeartbeatSender {
 public:
  /// Starts the heartbeat of a slave.
  /// \param who  identifies the slave in Leave
  /// \param beat  called half an `interval` after the start, and then after each return; must not throw
  static void Join(const void* who, std::chrono::steady_clock::duration interval, std::function<void()> beat);
  /// Ends the heartbeat. When it returns, `beat` is not running and will not be called again.
  static void Leave(const void* who);
};

}  // namespace openmi::dcp
