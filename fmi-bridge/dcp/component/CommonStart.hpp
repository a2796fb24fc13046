#pragma once

#include <cstdint>
#include <functional>

namespace openmi::dcp {

/// The common begin of the slaves of this process that run in soft or hard real time. Whoever is prepared joins; the
/// first that steps starts all that have joined, so that none waits for a step of another before it runs. Any thread
/// may call.
class CommonStart {
 public:
  /// Both functions may be called by another's thread; what they throw is thrown again by the own Begin.
  /// \param synchronize  brings the slave to SYNCHRONIZED
  /// \param run          lets it run from a Unix second on
  static void Join(const void* who, std::function<void()> synchronize, std::function<void(std::int64_t)> run);
  static void Leave(const void* who);
  /// Starts all that have joined, unless that has been done since `who` joined.
  /// \param delay  s; how far the begin lies ahead at least when all are synchronized
  static void Begin(const void* who, double delay);
};

}  // namespace openmi::dcp
