#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "composition/isolation/Channel.hpp"
#include "composition/isolation/RowArena.hpp"
#include "openmi/omi/SafeProbe.hpp"

namespace openmi {

/// What components in a process of their own may use.
struct IsolationLimits {
  std::chrono::milliseconds time{0};  ///< the longest a call may take without asking back; 0: for ever
  std::size_t memory = 0;             ///< bytes of address space; 0: as much as there is
};

/// A process that holds components for this one (openmi-component-host), and the talk with it.
///
/// Whatever the components do there (crash, exit, hang beyond the limit, fill the memory) ends that process only: the
/// call under way then throws, and so does every later one. May be used by several threads; calls wait for each other.
class IsolatedProcess {
 public:
  /// Starts the process. \throws FileError  the program is not there, or cannot be started
  static std::shared_ptr<IsolatedProcess> Start(const IsolationLimits& limits);
  /// Ends it: lets it go first, and kills it where it does not.
  ~IsolatedProcess();
  IsolatedProcess(const IsolatedProcess&) = delete;
  IsolatedProcess& operator=(const IsolatedProcess&) = delete;

  /// Answers what the components of one instance ask back (EngineRequest).
  using Server = std::function<void(std::int64_t request, StateReader& reader, StateWriter& reply)>;
  /// \returns the number of a new instance
  std::int64_t AddInstance(Server server);
  void RemoveInstance(std::int64_t instance);

  /// One talk at a time: hold this from the call until its reply was read.
  std::unique_lock<std::recursive_mutex> Lock() { return std::unique_lock(mutex_); }
  /// Sends a request and waits for the reply, which is good until the next call.
  /// \throws ModelError  the process ended, or did not answer in time: says how
  /// \throws Error       what the component threw there
  StateReader Call(const StateWriter& request);
  RowWindow& Rows() { return window_; }
  bool IsAlive() const;
  int Id() const { return pid_; }
  /// How many questions it asked back so far: what was sent along it had not to ask for.
  std::uint64_t AskedBack() const { return asked_back_; }
  /// How it ended; empty while it lives.
  const std::string& End() const { return end_; }
  /// Whether looking before sleeping pays here: there are cores enough for the processes that run.
  static int Spins();

 private:
  IsolatedProcess(int pid, int socket, int pid_descriptor, SharedMemory page, SharedMemory rows,
                  const IsolationLimits& limits);
  void TakeEnd(bool was_silent);

  int pid_;  // as the system has it
  int socket_;
  int pid_descriptor_;
  IsolationLimits limits_;
  std::recursive_mutex mutex_;
  RowWindow window_;
  std::map<std::int64_t, Server> servers_;
  std::int64_t next_instance_ = 0;
  std::uint64_t asked_back_ = 0;
  std::string end_;
  Channel channel_;
};

}  // namespace openmi
