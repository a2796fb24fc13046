#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "composition/channel/Channel.hpp"
#include "composition/channel/WorkerProcess.hpp"
#include "composition/isolation/KnownPlaces.hpp"
#include "composition/isolation/RowArena.hpp"
#include "composition/isolation/RowPath.hpp"
#include "composition/isolation/WorkerTimes.hpp"
#include "composition/threads/LineLock.hpp"

namespace openmi {

/// Limits for the components in a process of their own.
struct IsolationLimits {
  std::chrono::milliseconds time{0};  ///< longest call, without its questions back; 0: no limit
  std::size_t memory = 0;             ///< bytes of address space; 0: no limit
};

/// A worker: a process that holds components for this one (openmi-component-host), and the exchange of messages with
/// it.
///
/// Whatever the components do there (crash, exit, run beyond the time limit, fill the memory) ends that process only.
/// The call in progress then throws, and so does every later one. May be used by several threads; their calls wait for
/// each other. A request may also be posted, and its reply taken later; meanwhile other processes are asked.
class IsolatedProcess {
 public:
  /// Starts the process.
  /// \param who  for messages
  /// \throws FileError  the program does not exist, or cannot be started
  static std::shared_ptr<IsolatedProcess> Start(const IsolationLimits& limits,
                                                std::string who = "the component's own process");
  /// Talks to a worker on another host, which is connected.
  /// \param who   for messages: "group 'lowland' (creek, gauge) on node2"
  /// \param lost  set when the worker is lost
  static std::shared_ptr<IsolatedProcess> Join(std::unique_ptr<WorkerProcess> worker, std::string who,
                                               const IsolationLimits& limits, std::shared_ptr<std::atomic<bool>> lost);
  /// Ends the process: closes the connection first, and kills the process if it does not end.
  ~IsolatedProcess();
  IsolatedProcess(const IsolatedProcess&) = delete;
  IsolatedProcess& operator=(const IsolatedProcess&) = delete;

  /// Answers the questions that the components of one instance ask back (EngineRequest).
  using Server = std::function<void(std::int64_t request, StateReader& reader, StateWriter& reply)>;
  /// Adds an instance.
  /// \returns its number
  std::int64_t AddInstance(Server server);
  void RemoveInstance(std::int64_t instance);

  using TalkLock = std::unique_lock<LineLock>;
  /// Locks the exchange of messages. Hold the lock from the call until its reply is read.
  TalkLock Lock() { return TalkLock(lock_); }
  /// Sends a request and waits for the reply, which is valid until the next call. If the reply to an earlier request
  /// was not taken yet, that is done first.
  /// \throws ModelError  the process ended, or did not answer in time; the message says how
  /// \throws Error       what the component threw there
  StateReader Call(const StateWriter& request);
  /// Sends a request.
  /// \param take_reply  called before anything else is asked of this process; it calls TakeReply and must not throw
  /// \throws ModelError  see Call
  void Post(const StateWriter& request, std::function<void()> take_reply);
  /// Waits for the reply to the posted request. Throws as Call does.
  StateReader TakeReply();
  /// As Call, and passes an open file to a worker on this host; -1: none.
  StateReader CallWith(const StateWriter& request, int descriptor);
  /// Whether a reply has not been taken yet.
  bool IsPosted() const { return take_reply_ != nullptr; }
  /// Waits until one of the processes has sent a message, has ended, or is late, or its reply was taken. A request was
  /// posted to each of them.
  /// \param longest  maximum waiting time
  /// \returns its index in `posted`; no value after `longest`
  static std::optional<std::size_t> WaitForAny(std::span<IsolatedProcess* const> posted,
                                               std::chrono::milliseconds longest = std::chrono::milliseconds::max());
  RowWindow& Rows() { return window_; }
  /// The ways on which its rows reach other workers.
  RowPaths& Paths() { return paths_; }
  /// Fetches rows that stayed in its memory.
  /// \param rows  in Rows()
  /// \throws ModelError  see Call
  void FetchRows(std::span<const std::span<const double>> rows);
  /// The bytes of all rows that came from it or went to it through this process.
  std::uint64_t RowBytes() { return window_.Carrier().SentBytes() + window_.Carrier().ReceivedBytes(); }
  /// The elements that crossed to it and from it.
  KnownPlaces& Places() { return places_; }
  /// Sets where its times and figures are kept. To be called before anything is asked.
  void SetRecord(std::shared_ptr<WorkerRecord> record) { record_ = std::move(record); }
  /// Its times and figures; not null.
  const std::shared_ptr<WorkerRecord>& Record() const { return record_; }
  /// Reads what the worker reports of its work since the last call.
  void ReadWork(StateReader& reader);
  /// For messages.
  const std::string& Who() const { return who_; }
  /// Drops the rows of a request that was not sent.
  void DropRows() { channel_.DropRows(); }
  bool IsAlive() const { return worker_->IsAlive(); }
  /// Kills the process if it is still at the same request as at the previous call. For a run that has to end. May be
  /// called from any thread.
  /// \param why  the reason that messages state in place of the signal
  void EndIfLate(const std::string& why);
  /// Ends the process, and what it computes, now. May be called from any thread.
  /// \param why  the reason that messages state in place of the signal
  void Kill(const std::string& why) { worker_->Kill(why); }
  /// Whether no other process of the same command (another rank) ended before this one.
  bool EndedFirst() const { return worker_->EndedFirst(); }
  int Id() const { return worker_->Id(); }
  bool IsElsewhere() const { return worker_->IsElsewhere(); }
  /// For messages about what a component lacks on its host: " (on node2)"; empty if that is the host of the run.
  std::string There() const { return IsElsewhere() ? " (on " + record_->figures.placed + ")" : std::string(); }
  /// How many questions the components have asked back so far. What was sent ahead is not among them.
  std::uint64_t AskedBack() const { return asked_back_; }
  /// How the process ended; empty while it lives.
  const std::string& End() const { return worker_->End(); }
  /// How many times to poll before sleeping; 0 if there are not enough cores for the processes that run.
  static int Spins();

 private:
  using MakeTransport = std::function<std::unique_ptr<ITransport>(int socket, IsPeerAlive is_alive)>;
  IsolatedProcess(std::unique_ptr<WorkerProcess> worker, std::string who, const MakeTransport& transport,
                  SharedMemory rows, const IsolationLimits& limits);
  void TakeEnd(bool was_silent);
  /// Reads the greeting before anything is asked.
  /// \throws FileError  the program is of another build
  void TakeGreeting();
  /// Calls `talk` with the channel; if the other side ends, throws a ModelError.
  template <class Talk>
  auto Talking(Talk&& talk);
  /// Notes that the worker has something to do, and a message was sent to it or came from it.
  void NoteSent(std::size_t bytes);
  void NoteReceived(std::size_t bytes);
  struct Answering;
  ByteView Await();

  std::unique_ptr<WorkerProcess> worker_;
  std::string who_;  // in messages
  IsolationLimits limits_;
  LineLock lock_;
  RowWindow window_;
  RowPaths paths_;
  std::map<std::int64_t, Server> servers_;
  std::int64_t next_instance_ = 0;
  std::uint64_t asked_back_ = 0;
  std::atomic<std::uint64_t> late_work_ = 0;  // see EndIfLate
  bool is_greeted_ = false;
  std::function<void()> take_reply_;
  std::shared_ptr<std::atomic<bool>> lost_;
  KnownPlaces places_{false};
  std::shared_ptr<WorkerRecord> record_ =
      std::make_shared<WorkerRecord>(std::make_shared<WorkerTimes>(), std::string());  // until SetRecord
  ReportedWork reported_;
  Channel channel_;
};

/// A component in other processes, whose update is begun and ended, so that several processes compute at the same time.
class IUpdatesApart {
 public:
  virtual ~IUpdatesApart() = default;
  /// The first half of Update: asks the providers ahead and sends the request. Until EndUpdate, nothing else is asked
  /// of these processes, unless a component elsewhere asks this one for values: then the second half is done first, and
  /// EndUpdate only reports its result.
  /// \returns false if there is nothing to update; then EndUpdate is not called
  virtual bool BeginUpdate() = 0;
  /// The second half of Update: takes the replies.
  /// \throws Error, std::exception  see Update
  virtual void EndUpdate() = 0;
  /// Adds those to which requests are sent.
  virtual void AddProcesses(std::vector<IsolatedProcess*>& processes) const = 0;
  /// Whether it may compute only when it is asked, since what is asked in the worker sees the present values only: an
  /// output without a time set, or an adaptor of its own.
  virtual bool IsPulledOnly() const = 0;
};

}  // namespace openmi
