#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace openmi {

/// What a child process may use.
struct ChildLimits {
  std::chrono::milliseconds time{10'000};      ///< then it is killed, with all it started
  std::size_t output = std::size_t{16} << 20;  ///< bytes kept of each of its two outputs; the rest is thrown away
  std::size_t memory = 0;                      ///< bytes of address space; 0: as much as there is
};

/// How a child process ended.
struct ChildResult {
  int exit_code = -1;                  ///< -1 where it did not end by itself
  int signal = 0;                      ///< the signal that ended it; 0 where it ended by itself
  bool is_known = true;                ///< how it ended; not where this program lets the system forget its children
  bool timed_out = false;              ///< it was killed at the time limit
  bool truncated = false;              ///< it wrote more than the limit
  std::chrono::milliseconds limit{0};  ///< the time it had
  std::string out;                     ///< standard output
  std::string err;                     ///< standard error

  bool Succeeded() const { return exit_code == 0 && !timed_out; }
  /// One sentence: "ended with exit code 3", "was killed by signal 11 (Segmentation fault)", "did not end within 10 s
  /// and was killed".
  std::string Sentence() const;
};

/// Runs another program where nothing it does can hurt this one: a stranger's library is loaded in there. It gets no
/// input, none of this process's open files, no core dump, and a process group of its own.
/// \param argv  the program (a path, or a name found on PATH) and its arguments; not empty
/// \throws FileError  the program could not be started
ChildResult RunInChild(const std::vector<std::string>& argv, const ChildLimits& limits = {});

}  // namespace openmi
