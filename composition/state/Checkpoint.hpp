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
#include "openmi/omi/OmiFile.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

/// Everything that a run needs to continue as if it had never stopped.
struct Checkpoint {
  RunIdentity identity;
  bool is_begin = false;  ///< nothing was computed yet: the run starts at its beginning
  std::string file;       ///< the file that it was read from; empty: it was not read from a file
  Stamp time;             ///< simulated time, UTC
  std::uint64_t passes = 0;
  std::optional<std::uint64_t>
      journal_bytes;  ///< length of the journal that belongs to it, bytes; no value: there is no journal
  std::vector<std::pair<std::string, Bytes>> components;    ///< id, state
  std::map<std::string, std::vector<OmiArgument>> changed;  ///< Instance::changed by id, without secrets
  std::vector<std::string> without_state;                   ///< ids of components that could not give their state
  Bytes host;                                               ///< output proxies, adaptors, observers, meters, the loop
  Bytes series;                                             ///< the recorded series, if no journal contains them
};

/// Converts a checkpoint to the sections of a state file.
std::vector<StateSection> PackCheckpoint(const Checkpoint& checkpoint);
/// Converts the sections of a state file back.
/// \param file  for the message
/// \throws FormatError  the sections are no checkpoint
Checkpoint UnpackCheckpoint(std::span<const StateSection> sections, const std::string& file);

}  // namespace openmi
