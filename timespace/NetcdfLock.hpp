#pragma once

#include <mutex>

namespace openmi {

/// Locks the NetCDF library, which is not thread-safe, for the calls of this thread.
///
/// The library exists once in a process, and two runs may use it at once, or a component may read while another run
/// writes. Recursive: a thread may lock it again.
std::unique_lock<std::recursive_mutex> LockNetcdf();

}  // namespace openmi
