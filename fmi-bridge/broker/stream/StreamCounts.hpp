#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace openmi::broker {

/// Counts of the messages of a stream by what was done with them. Counts only grow.
struct StreamCounts {
  std::uint64_t taken = 0;            ///< all messages
  std::uint64_t applied = 0;          ///< messages whose values were used
  std::uint64_t before_zero = 0;      ///< stamped before time zero
  std::uint64_t late = 0;             ///< stamped before the start of the current step
  std::uint64_t malformed = 0;        ///< not a JSON object
  std::uint64_t without_stamp = 0;    ///< no stamp, or none that can be read
  std::uint64_t foreign = 0;          ///< without a known member
  std::uint64_t oversized = 0;        ///< longer than allowed
  std::uint64_t repeated = 0;         ///< delivered again by the broker and recognised
  std::uint64_t mismatched = 0;       ///< members whose value has another type
  std::uint64_t unknown_members = 0;  ///< members that no field names
  std::uint64_t stale = 0;            ///< values above the maximum age at the end of a step
  std::uint64_t reconnects = 0;       ///< how often a connection was re-established

  /// Messages that were taken and not used.
  std::uint64_t Dropped() const { return before_zero + late + malformed + without_stamp + foreign + oversized; }
  friend bool operator==(const StreamCounts&, const StreamCounts&) = default;
};

/// A count with its name in logs and reports.
struct NamedCount {
  std::string_view name;
  std::uint64_t StreamCounts::*count;
};

/// All counts.
inline constexpr std::array<NamedCount, 13> kStreamCounts = {{
    {"taken", &StreamCounts::taken},
    {"applied", &StreamCounts::applied},
    {"before time zero", &StreamCounts::before_zero},
    {"late", &StreamCounts::late},
    {"malformed", &StreamCounts::malformed},
    {"without stamp", &StreamCounts::without_stamp},
    {"without a known member", &StreamCounts::foreign},
    {"too long", &StreamCounts::oversized},
    {"repeated by the broker", &StreamCounts::repeated},
    {"members of another type", &StreamCounts::mismatched},
    {"unknown members", &StreamCounts::unknown_members},
    {"stale values", &StreamCounts::stale},
    {"reconnects", &StreamCounts::reconnects},
}};

}  // namespace openmi::broker
