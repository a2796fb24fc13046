#pragma once

#include <cstdint>

namespace openmi::dcp {

/// The common begin of slaves in soft and hard real time.
class StartTimes {
 public:
  /// The Unix second at which slaves of this process begin that are about to: the one agreed last as long as it lies
  /// ahead by at least a fifth of a second, else a new one. Any thread may call it.
  /// \param delay  s; how far ahead a new one is at least
  static std::int64_t Agree(double delay);
};

}  // namespace openmi::dcp
