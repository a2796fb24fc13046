#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "composition/channel/SharedMemory.hpp"
#include "openmi/system/FileDescriptor.hpp"

namespace openmi {

struct ChildResult;

/// A worker process: its start with a socket and two parts of shared memory, its greeting and its end. Channel
/// exchanges the messages over the socket and the memory. For a worker on another host, the process is the command that
/// started it there.
class WorkerProcess {
 public:
  /// \param argv         the program and its arguments
  /// \param environment  "NAME=value" each; null: this process's own
  /// \param page         passed on as kPageThere
  /// \param rows         passed on as kRowsThere
  /// \param memory       limit of the address space, bytes; 0: no limit
  /// \throws FileError   it cannot be started
  WorkerProcess(const std::vector<std::string>& argv, const std::vector<std::string>* environment,
                const SharedMemory& page, const SharedMemory& rows, std::size_t memory);
  /// Starts a command that starts a worker on another host, stays as long as the worker, and connects later.
  /// \param argv   the command
  /// \param input  its standard input
  /// \throws FileError   it cannot be started
  WorkerProcess(const std::vector<std::string>& argv, std::string_view input);
  /// Another worker that the same command started: the next rank.
  explicit WorkerProcess(const WorkerProcess& first, FileDescriptor connection);
  /// Closes the connection, and kills the process if it does not end. A process of several workers ends with the last.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Sets the connection of a worker on another host.
  void Connect(FileDescriptor connection);
  bool IsElsewhere() const { return is_elsewhere_; }
  int Id() const;
  int Socket() const { return socket_.Number(); }
  /// Whether the process runs, as far as this object has noticed.
  bool IsAlive() const { return end_.empty() && !HasEnded(); }
  /// Whether the process is stopped (SIGSTOP), and was so at each call for 1.6 s. A worker on another host is not seen
  /// to be stopped; its command is.
  bool IsStoppedForLong();

  /// Reads the greeting of the process, before anything is asked.
  /// \param greeting  what is expected
  /// \param came      receives the greeting if it is another one; only a name like the expected one is repeated from it
  /// \returns whether the greeting equals `greeting`, byte by byte; if not, the process is killed
  /// \throws Channel::PeerGone  the process ended
  bool TakeGreeting(const std::string& greeting, std::string& came);

  /// Asks the process for the place where it computes too long (SIGXCPU). One that does not know this question ends.
  /// One elsewhere is not asked.
  void AskWhere();
  /// Ends the process if it has not ended, and finds out how it ended.
  /// \param was_silent  it did not answer within `limit`: it gets no time to end itself
  /// \param limit       for the text of End
  void TakeEnd(bool was_silent, std::chrono::nanoseconds limit = {});
  /// Kills the process if its end was not taken yet. May be called from any thread.
  /// \param why  what End() then states in place of the signal
  void Kill(const std::string& why);
  /// How it ended ("was killed by signal 11 (Segmentation fault)"); empty until TakeEnd.
  const std::string& End() const { return end_; }
  /// Whether no other worker of the same command ended before this one.
  bool EndedFirst() const { return ended_first_; }

 private:
  struct Program;
  /// Ends the process if it has not ended, and takes its result.
  ChildResult Reap();
  bool HasEnded() const;
  /// Waits at most `longest` until the process has ended.
  /// \returns whether it has ended
  bool WaitForEnd(std::chrono::milliseconds longest) const;

  std::shared_ptr<Program> program_;
  std::optional<std::chrono::steady_clock::time_point> stopped_since_;
  FileDescriptor socket_;
  bool is_elsewhere_ = false;
  bool ended_first_ = false;
  std::string end_;
};

}  // namespace openmi
