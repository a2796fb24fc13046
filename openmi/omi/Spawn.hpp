#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "openmi/omi/SafeProbe.hpp"

namespace openmi {

/// Reports a program that cannot be started.
/// \param error  a value of errno
/// \throws FileError  always
[[noreturn]] void CannotStart(const std::string& program, int error);

/// Starts another program. Not a public header.
///
/// The child gets no input, no open files of this process except the given ones, no core dump, default signal handling,
/// and its own process group.
/// \param argv         the program (a path, or a name found on PATH) and its arguments; not empty
/// \param descriptors  open files to pass on: the number here and the number in the child. The outputs 1 and 2 are
///   those of this process unless given; further numbers start at 3 without gaps
/// \param memory       bytes of address space; 0: no limit
/// \param environment  "NAME=value" each; null: the environment of this process
/// \throws FileError  the program could not be started
pid_t SpawnChild(const std::vector<std::string>& argv, const std::vector<std::pair<int, int>>& descriptors,
                 std::size_t memory, const std::vector<std::string>* environment = nullptr);

/// As `RunInChild`, but the time limit restarts whenever the child writes to standard output. It limits how long the
/// child may be silent.
ChildResult RunWhileItSpeaks(const std::vector<std::string>& argv, const ChildLimits& limits);

/// The time as text: "0.5 s".
std::string TextOfSeconds(std::chrono::nanoseconds time);

/// A file that is readable when the child has ended; -1 if the system provides none.
int WatchOf(pid_t pid);
/// Whether the child has ended. Its result stays for EndChild.
/// \param watch  WatchOf(pid)
bool HasEnded(pid_t pid, int watch);
/// Waits for that.
/// \returns false if it still runs after `longest`
bool WaitForEnd(pid_t pid, int watch, std::chrono::milliseconds longest);

/// Ends the child, if it still runs, and all processes that it started.
/// \returns how the child ended (exit code or signal)
ChildResult EndChild(pid_t pid);

}  // namespace openmi
