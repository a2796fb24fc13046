#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace openmi {

/// Part of the message of code that refuses calls in a copy of its process (fork), because the copy would share its
/// connection. Such a trial tried nothing.
inline constexpr std::string_view kServesNoCopy = "belongs to the process of which this one is a copy";

/// The result of work that was tried in a child process.
struct ChildTrial {
  bool good = false;
  std::string found;  ///< if not good: what was thrown, which signal ended the child, ...
};

/// Runs `work` in a child process: a copy of this process with the calling thread only.
///
/// Nothing in the child affects this process and its memory; data in stream buffers of the child are dropped.
///
/// \param work  may crash, throw or hang. Other threads do not exist in the child: work that waits for a thread hangs,
///   and so does work that needs a lock which another thread holds at that moment (memory allocation works).
/// \param most  time limit; then the child is killed
/// \throws ModelError  the child cannot be created
ChildTrial TryInChild(const std::function<void()>& work, std::chrono::milliseconds most);

/// A number that no other process has, generated at the first call.
std::int64_t NumberOfThisProcess();

}  // namespace openmi
