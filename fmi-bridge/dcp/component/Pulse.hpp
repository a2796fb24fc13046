#pragma once

#include <chrono>
#include <functional>

namespace openmi::dcp {

/// Gives slaves that supervise their master a sign of life while nobody steps them. One thread for all of this process,
/// which is there as long as anybody takes part. Any thread may call.
class Pulse {
 public:
  /// \param beat  called every half `interval` at least, unless another's takes long; must not throw
  static void Join(const void* who, std::chrono::steady_clock::duration interval, std::function<void()> beat);
  /// When it returns, `beat` is not under way and will not be called again.
  static void Leave(const void* who);
};

}  // namespace openmi::dcp
