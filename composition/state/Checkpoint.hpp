#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "composition/state/RunIdentity.hpp"
#include "composition/state/StateFile.hpp"

namespace openmi {

/// Everything from which a run goes on as if it had never stopped.
struct Checkpoint {
  using Bytes = std::vector<std::byte>;

  RunIdentity identity;
  bool is_begin = false;  ///< nothing was computed yet: the run begins anew
  std::string file;       ///< where it was read; empty: it was not
  double time_mjd = 0.0;  ///< simulated, UTC
  std::uint64_t passes = 0;
  std::optional<std::uint64_t>
      journal_bytes;  ///< how much of the journal of results belongs to it; nothing: none is written
  std::vector<std::pair<std::string, Bytes>> components;    ///< id, state
  std::map<std::string, std::vector<OmiArgument>> changed;  ///< Instance::changed by id, without secrets
  std::vector<std::string> without_state;                   ///< ids of components that could not keep one
  Bytes host;                                               ///< stand-ins, adaptors, observers, meters, the loop
  Bytes series;                                             ///< the recorded series, where they are in no journal
};

std::vector<StateSection> PackCheckpoint(const Checkpoint& checkpoint);
/// \throws FormatError  `file` is for the message
Checkpoint UnpackCheckpoint(std::span<const StateSection> sections, const std::string& file);

}  // namespace openmi
