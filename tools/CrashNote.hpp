#pragma once

#include <string>
#include <vector>

namespace openmi::tools {

/// Lets the program say which component was at work when a library crashes it: one line on standard error, then it ends
/// by the same signal as it would have. The note is written by a signal handler on a stack of its own, with what was
/// made before (an id, a number, write(2)), so that a full stack or a broken heap does not keep it from being told.
///
/// Not under the sanitizers, whose own report says more.
void InstallCrashNote();

/// Says which components run in other processes: where one of them is at work here, a crash is the run's own.
void NameIsolated(std::vector<std::string> components);

}  // namespace openmi::tools
