#pragma once

#include <cstdint>
#include <string>

#include "openmi/sdk/EnumNames.hpp"

namespace openmi {

/// Where a component runs.
enum class Isolation {
  None,     ///< in the process of the run
  Process,  ///< in a process that all instances of its library share
  Instance  ///< in a process that it does not share
};
inline constexpr EnumNames<Isolation> kIsolations{"none", "process", "instance"};

/// What happens when a component fails.
enum class OnFailure {
  Stop,   ///< the run ends; what was computed is kept
  Freeze  ///< the last values of the component stay, and the rest of the run continues
};
inline constexpr EnumNames<OnFailure> kOnFailures{"stop", "freeze"};

/// How a component is separated from the others.
struct IsolationSpec {
  Isolation isolation = Isolation::None;
  double time_limit_seconds = 0.0;  ///< longest time it may compute without requesting values, or load; 0: no limit
  std::uint64_t memory_limit_bytes = 0;  ///< address space of its process; 0: no limit
  OnFailure on_failure = OnFailure::Stop;
  std::string group = {};  ///< the components that share a process if the run places this group on a host; empty: none
  int ranks = 0;           ///< the processes that compute the component together, with MPI; 0: one, without MPI
  friend bool operator==(const IsolationSpec&, const IsolationSpec&) = default;
};

}  // namespace openmi
