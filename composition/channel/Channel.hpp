#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <string>
#include <string_view>

#include "composition/channel/Doorbell.hpp"
#include "composition/channel/SharedMemory.hpp"
#include "composition/channel/SpinBudget.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

/// The two sides of a channel.
enum class Side : std::uint32_t { Parent = 0, Child = 1 };

/// The kind of a message.
enum class LetterKind : std::uint32_t { Request = 1, Reply = 2, Failure = 3 };

/// Messages between two processes, of which one works while the other waits.
///
/// Small messages are in shared memory. Large ones go over a local socket, which exists in any case so that each side
/// notices the end of the other. While a side waits for a reply it serves the requests of the other side: a component
/// that pulls its inputs from within its update asks back in this way, to any depth.
class Channel {
 public:
  /// Serves a request: writes its reply into the second argument, which is empty. What it throws is thrown on the other
  /// side.
  using Server = std::function<void(ByteView request, StateWriter& reply)>;
  /// Whether the other side still lives; called every few milliseconds while waiting.
  using IsAlive = std::function<bool()>;

  /// The size of the shared page, bytes.
  static std::size_t PageSize();

  /// \param page      shared memory of PageSize() bytes; taken over
  /// \param socket    the connected local socket; borrowed
  /// \param server    serves the requests of the other side
  /// \param is_alive  reports whether the other side lives
  Channel(Side side, SharedMemory page, int socket, Server server, IsAlive is_alive);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Sends a request and waits for its reply; serves requests of the other side meanwhile.
  /// \returns the reply; valid until the next call at this depth
  /// \throws PeerGone    the other side ended, or sent an invalid message
  /// \throws PeerSilent  no message came within the time limit; every later call throws PeerGone
  /// \throws Error       what the other side's server threw, of the same type
  ByteView Call(ByteView request) {
    Post(request);
    return Await();
  }
  /// The first half of Call: sends the request. Until Await, this side may do other work, but must not use this
  /// channel. Throws as Call does.
  void Post(ByteView request);
  /// The second half of Call: waits for the reply. Throws as Call does.
  ByteView Await();
  /// The doorbell that rings when the other side sends its next message.
  Doorbell::Awaited NextLetter() const;
  /// Whether the time limit for Await has passed.
  bool IsLate() const;
  /// A number for the message that the other side works on; 0: there is none. May be called from any thread.
  std::uint64_t PeerWork() const;
  /// The error with which the other side answers after it was silent too long, if it does so within `longest`; else
  /// null. Serves its requests meanwhile. Nothing may be received after that.
  std::exception_ptr LastWords(std::chrono::milliseconds longest);
  /// Leaves a text for the other side to read when this process has ended. May be called from any thread.
  /// \param text  UTF-8; what is beyond 3799 bytes is dropped
  void LeaveWords(std::string_view text);
  /// What the other side left; empty: nothing. It is shown to users, and nothing is read from it.
  std::string WordsLeft() const;
  /// Serves requests until the other side ends.
  void ServeForEver();

  /// Sets how long the other side may take for one request, without the time in which this side serves requests of the
  /// other side; 0: no limit.
  void SetTimeLimit(std::chrono::nanoseconds limit) { limit_ = limit; }
  /// Sets the largest number of polls before sleeping; 0 if there are more processes than cores. The channel polls less
  /// often if messages come later than that, and not at all for a while if this process had to share its core.
  void SetSpins(int spins) { spins_.Allow(spins); }

  /// Thrown when the other side is no longer there.
  struct PeerGone {};
  /// Thrown when the other side did not answer in time.
  struct PeerSilent {};

 private:
  struct Page;
  using Clock = std::chrono::steady_clock;
  /// The time by which a message has to be sent or received; the end of time without a limit.
  Clock::time_point Deadline() const { return limit_.count() > 0 ? Clock::now() + limit_ : Clock::time_point::max(); }
  void Send(LetterKind kind, ByteView letter);
  /// Waits for a message and stores it in `into`.
  LetterKind Receive(Bytes& into, Clock::time_point deadline);
  void Serve(ByteView request);
  void WriteSocket(ByteView bytes);
  /// Reads `length` bytes; allocates memory for them as they arrive.
  void ReadSocket(Bytes& into, std::size_t length, Clock::time_point deadline);
  /// Waits a moment for the socket.
  /// \param events  as in `poll`
  void WaitForSocket(short events, Clock::time_point deadline);
  /// Whether a message of the other side waits to be received.
  bool HasLetter() const;
  /// Notes that the other side has a message to work on, or has sent one itself.
  void BeginPeerWork() { peer_work_.store((peer_work_.load(std::memory_order_relaxed) + 1) | 1); }
  void EndPeerWork() { peer_work_.store((peer_work_.load(std::memory_order_relaxed) + 1) & ~std::uint64_t{1}); }
  [[noreturn]] static void ThrowFailure(ByteView letter);
  static Bytes DescribeCurrentException();

  Side side_;
  SharedMemory memory_;
  int socket_;
  Server server_;
  IsAlive is_alive_;
  Page* page_;
  std::atomic<std::uint32_t> heard_ = 0;      // written by one thread
  std::atomic<std::uint64_t> peer_work_ = 0;  // written by one thread; odd while the other side has a message
  std::chrono::nanoseconds limit_{0};
  SpinBudget spins_;
  Clock::time_point posted_until_ = Clock::time_point::max();
  bool is_over_ = false;
  std::size_t depth_ = 0;
  std::deque<Bytes> letters_;        // one for each depth
  std::deque<StateWriter> replies_;  // one for each depth
};

}  // namespace openmi
