#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "openmi/omi/SafeProbe.hpp"

namespace openmi {

/// Starts another program: no input, none of this process's open files but those given, no core dump, signals as new,
/// a process group of its own. Not a public header.
/// \param argv         the program (a path, or a name found on PATH) and its arguments; not empty
/// \param descriptors  open files to hand over: ours, and the number each has there (1 and 2 are the outputs, which
///                     else stay what ours are; further ones from 3 on without gaps)
/// \param memory       bytes of address space; 0: as much as there is
/// \param environment  "NAME=value" each; null: that of this process
/// \throws FileError   the program could not be started
pid_t SpawnChild(const std::vector<std::string>& argv, const std::vector<std::pair<int, int>>& descriptors,
                 std::size_t memory, const std::vector<std::string>* environment = nullptr);

/// As RunInChild, but the time limit begins anew with whatever the child writes to standard output: it is for how long
/// it may be silent.
ChildResult RunWhileItSpeaks(const std::vector<std::string>& argv, const ChildLimits& limits);

/// "0.5 s"
std::string TextOfSeconds(std::chrono::nanoseconds time);

/// Ends the child, if it has not ended, and whatever it started; takes how it ended (code or signal).
ChildResult EndChild(pid_t pid);

}  // namespace openmi
