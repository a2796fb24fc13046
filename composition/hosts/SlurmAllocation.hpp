#pragma once

#include "composition/hosts/Placement.hpp"

namespace openmi {

/// Spreads the groups that have no host over the nodes of the Slurm allocation in which this process runs, and starts
/// their workers with `srun`. What `placement` already says stays: the launcher, the interface, and hosts of groups.
///
/// Groups on the node of this process are in processes of this host. Workers of other nodes connect to the address by
/// which this host reaches the first of them.
/// \throws ArgumentError  this process is in no allocation
/// \throws FileError      `scontrol` does not name the nodes, or their addresses are unknown here
void UseSlurmAllocation(Placement& placement);

}  // namespace openmi
