#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "composition/channel/Channel.hpp"
#include "composition/channel/WorkerProcess.hpp"
#include "composition/isolation/RowArena.hpp"
#include "composition/run/LineLock.hpp"

namespace openmi {

/// What components in a process of their own may use.
struct IsolationLimits {
  std::chrono::milliseconds time{0};  ///< the longest a call may take, without what it asks back; 0: for ever
  std::size_t memory = 0;             ///< bytes of address space; 0: as much as there is
};

/// A process that holds components for this one (openmi-component-host), and the talk with it.
///
/// Whatever the components do there (crash, exit, hang beyond the limit, fill the memory) ends that process only: the
/// call under way then throws, and so does every later one. May be used by several threads; calls wait for each other.
/// A request may also be posted, and its reply be taken later: meanwhile other processes are asked.
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

  using TalkLock = std::unique_lock<LineLock>;
  /// One talk at a time: hold this from the call until its reply was read.
  TalkLock Lock() { return TalkLock(lock_); }
  /// Sends a request and waits for the reply, which is good until the next call. A reply that is still to come is taken
  /// first.
  /// \throws ModelError  the process ended, or did not answer in time: says how
  /// \throws Error       what the component threw there
  StateReader Call(const StateWriter& request);
  /// Sends a request. \param take_reply  called before anything else is asked of this process: it calls TakeReply and
  /// must not throw. \throws ModelError  as Call
  void Post(const StateWriter& request, std::function<void()> take_reply);
  /// Waits for the reply to what was posted. Throws as Call.
  StateReader TakeReply();
  /// Whether a reply is still to be taken.
  bool IsPosted() const { return take_reply_ != nullptr; }
  /// Waits until one of the processes, to each of which a request was posted, has sent a letter, has ended, or is late,
  /// or its reply was taken.
  /// \returns its place in the list; none after `longest`
  static std::optional<std::size_t> WaitForAny(std::span<IsolatedProcess* const> posted,
                                               std::chrono::milliseconds longest = std::chrono::milliseconds::max());
  RowWindow& Rows() { return window_; }
  bool IsAlive() const { return worker_.IsAlive(); }
  /// Kills the process where it is still at the request that it was at when this was called before: for a run that is
  /// to end. From any thread. \param why  what is told of its end, in the place of the signal
  void EndIfLate(const std::string& why);
  int Id() const { return worker_.Id(); }
  /// How many questions it asked back so far: what was sent along it had not to ask for.
  std::uint64_t AskedBack() const { return asked_back_; }
  /// How it ended; empty while it lives.
  const std::string& End() const { return worker_.End(); }
  /// Whether looking before sleeping pays here: there are cores enough for the processes that run.
  static int Spins();

 private:
  IsolatedProcess(std::string program, SharedMemory page, SharedMemory rows, const IsolationLimits& limits);
  void TakeEnd(bool was_silent);
  /// Reads who answers, before anything is asked. \throws FileError  a program of another build
  void TakeGreeting();
  /// Does `talk` with the channel; an end of the other side becomes a ModelError.
  template <class Talk>
  auto Talking(Talk&& talk);

  WorkerProcess worker_;
  std::string program_;
  IsolationLimits limits_;
  LineLock lock_;
  RowWindow window_;
  std::map<std::int64_t, Server> servers_;
  std::int64_t next_instance_ = 0;
  std::uint64_t asked_back_ = 0;
  std::atomic<std::uint64_t> late_work_ = 0;  // see EndIfLate
  bool is_greeted_ = false;
  std::function<void()> take_reply_;
  Channel channel_;
};

}  // namespace openmi
