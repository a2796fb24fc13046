#pragma once

#include <cstdint>

namespace openmi {

/// Where a component lives.
enum class Isolation {
  None,     ///< in the process of the run
  Process,  ///< in a process that all instances of its library share
  Instance  ///< in a process of its own
};

/// What happens when a component fails.
enum class OnFailure {
  Stop,   ///< the run ends; what was computed stays
  Freeze  ///< its last values stay, and the rest runs on
};

/// How a component is kept apart from the others.
struct IsolationSpec {
  Isolation isolation = Isolation::None;
  double time_limit_seconds = 0.0;       ///< the longest that it may compute without asking for values; 0: for ever
  std::uint64_t memory_limit_bytes = 0;  ///< address space of its process; 0: as much as there is
  OnFailure on_failure = OnFailure::Stop;
  friend bool operator==(const IsolationSpec&, const IsolationSpec&) = default;
};

}  // namespace openmi
