#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "composition/channel/SharedMemory.hpp"

namespace openmi {

struct ChildResult;

/// A process that computes for this one: its start with a socket and two pieces of shared memory, its greeting and its
/// end. What is said over the socket and the memory is the Channel's.
class WorkerProcess {
 public:
  /// \param argv         the program and its arguments
  /// \param environment  "NAME=value" each; null: this process's own
  /// \param page, rows   handed over as kPageThere and kRowsThere
  /// \param memory       bytes of address space; 0: as much as there is
  /// \throws FileError   it cannot be started
  WorkerProcess(const std::vector<std::string>& argv, const std::vector<std::string>* environment,
                const SharedMemory& page, const SharedMemory& rows, std::size_t memory);
  /// Lets it go, and kills it where it does not end.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  int Id() const { return pid_; }
  int Socket() const { return socket_; }
  /// Whether it runs, as far as was seen.
  bool IsAlive() const { return end_.empty() && !HasEnded(); }

  /// Reads who answers, before anything is asked.
  /// \returns whether that is `greeting` to the last byte; `came` receives what it was otherwise, of which only a name
  ///          like the one expected is repeated, and the process is killed
  /// \throws Channel::PeerGone  it ended
  bool TakeGreeting(const std::string& greeting, std::string& came);

  /// Ends it, if it has not ended.
  /// \param was_silent  it did not answer within `limit`: no moment is given
  void TakeEnd(bool was_silent, std::chrono::nanoseconds limit = {});
  /// Kills it, if its end was not taken yet. From any thread. \param why  what End() is then, in the place of the
  /// signal
  void Kill(const std::string& why);
  /// How it ended ("was killed by signal 11 (Segmentation fault)"); empty until TakeEnd.
  const std::string& End() const { return end_; }

 private:
  /// Ends it where it has not ended, and takes its end.
  ChildResult Reap();
  bool HasEnded() const;
  /// Waits until it has ended, at most so long. \returns whether it has
  bool WaitForEnd(std::chrono::milliseconds longest) const;

  int pid_ = -1;  // as the system has it
  int socket_ = -1;
  int pid_descriptor_ = -1;  // -1 where the system has none to give
  std::string end_;
  std::mutex reap_mutex_;  // of what follows: the number may be another's once the end was taken
  bool is_reaped_ = false;
  std::string killed_since_;
};

}  // namespace openmi
