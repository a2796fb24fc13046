#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace openmi {

/// The limits of a child process.
struct ChildLimits {
  std::chrono::milliseconds time{10'000};      ///< after this time it is killed, with all processes that it started
  std::size_t output = std::size_t{16} << 20;  ///< bytes kept of each of its two outputs; the rest is discarded
  std::size_t memory = 0;                      ///< bytes of address space; 0: no limit
};

/// The result of a child process.
struct ChildResult {
  int exit_code = -1;      ///< -1 when it did not exit normally
  int signal = 0;          ///< the signal that ended it; 0 when it exited normally
  bool is_known = true;    ///< false when this program ignores SIGCHLD, so that the system discards how children end
  bool timed_out = false;  ///< it was killed at the time limit
  bool truncated = false;  ///< it wrote more than the limit
  std::chrono::milliseconds limit{0};  ///< its time limit
  std::string out;                     ///< standard output
  std::string err;                     ///< standard error

  /// Whether the child exited with code 0 within the time limit.
  bool Succeeded() const { return exit_code == 0 && !timed_out; }
  /// The result as one sentence: "ended with exit code 3", "was killed by signal 11 (Segmentation fault)", "did not end
  /// within 10 s and was killed".
  std::string Sentence() const;
};

/// Runs another program in a way that protects this process, for example to load an untrusted library there.
///
/// The child gets no input, none of the open files of this process, no core dump, and its own process group.
/// \param argv  the program (a path, or a name found on PATH) and its arguments; not empty
/// \throws FileError  the program could not be started
ChildResult RunInChild(const std::vector<std::string>& argv, const ChildLimits& limits = {});

}  // namespace openmi
