#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace openmi::fmi {

/// How something went that was tried in a child process.
struct ChildTrial {
  bool good = false;
  std::string found;  ///< what happened there where it is not good: what was thrown, by which signal it ended, ...
};

/// Does `work` in a child: a copy of this process with the calling thread alone. Whatever happens there, this process
/// and all in its memory stay as they are; what the child wrote to buffers of streams is dropped.
///
/// \param work  may crash, throw or hang. Threads of the process do not exist there: work that waits for one hangs, and
///              so does work that needs a lock that another thread holds at that moment (memory can be taken and given)
/// \param most  how long it may take; then the child is killed
/// \throws ModelError  there can be no child
ChildTrial TryInChild(const std::function<void()>& work, std::chrono::milliseconds most);

/// A number that no other process has, made when first asked for.
std::int64_t NumberOfThisProcess();

}  // namespace openmi::fmi
