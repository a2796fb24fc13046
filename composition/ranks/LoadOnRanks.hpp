#pragma once

#include <string>

#include "composition/isolation/ProcessPool.hpp"

namespace openmi {

/// Makes the component of an OMI file in several processes, which compute it together with MPI.
///
/// The returned component behaves like one that computes everything itself: it has the elements of all ranks. If one of
/// the processes ends, the call in progress throws a ModelError that names the rank, and the component is Failed.
/// \param pool       starts the processes
/// \param component  id in the composition
/// \param apart      with ranks
/// \param problems   see LoadOmi; or null
/// \throws Error  only without `problems`
LoadedComponent LoadOnRanks(ProcessPool& pool, const std::string& component, const OmiFile& omi,
                            const IsolationSpec& apart, Problems* problems);

}  // namespace openmi
