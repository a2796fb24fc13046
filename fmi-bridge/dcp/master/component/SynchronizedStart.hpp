#pragma once

#include <cstdint>
#include <functional>

namespace openmi::dcp {

/// Starts together the slaves of this process that run in soft or hard real time.
///
/// A slave joins when it is prepared. The first one that steps starts all that have joined, so that none waits for a
/// step of another before it runs. Any thread may call.
class SynchronizedStart {
 public:
  /// Adds a slave. The thread of another slave may call both functions; what they throw, Begin of this slave throws
  /// again.
  /// \param who  identifies the slave in the other calls
  /// \param synchronize  brings the slave to SYNCHRONIZED
  /// \param run  lets the slave run from a Unix second on
  static void Join(const void* who, std::function<void()> synchronize, std::function<void(std::int64_t)> run);
  /// Removes a slave; does nothing for one that has not joined.
  static void Leave(const void* who);
  /// Starts all slaves that have joined, unless that was done since `who` joined. Then removes `who`.
  /// \param delay  s; the least time between the end of synchronization and the start
  static void Begin(const void* who, double delay);
};

}  // namespace openmi::dcp
