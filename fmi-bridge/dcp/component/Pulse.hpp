#pragma once

#include <chrono>
#include <functional>

namespace openmi::dcp {

/// Gives slaves that supervise their master a sign of life while nobody steps them. A thread for each, so that one that
/// does not answer costs no other its beat. Any thread may call.
class Pulse {
 public:
  /// \param beat  called half an `interval` after it has returned; must not throw
  static void Join(const void* who, std::chrono::steady_clock::duration interval, std::function<void()> beat);
  /// When it returns, `beat` is not under way and will not be called again.
  static void Leave(const void* who);
};

}  // namespace openmi::dcp
