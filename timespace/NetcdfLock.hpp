#pragma once

#include <mutex>

namespace openmi {

/// Held around calls of the NetCDF library, which guards nothing of its own, and which one process has once: two runs
/// may be under way, or a component may read while another run writes. May be taken again by the thread that holds it.
std::unique_lock<std::recursive_mutex> LockNetcdf();

}  // namespace openmi
