#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "composition/channel/Doorbell.hpp"
#include "composition/channel/SharedMemory.hpp"
#include "composition/channel/SpinBudget.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi {

/// The two sides of a channel.
enum class Side : std::uint32_t { Parent = 0, Child = 1 };

/// What a letter is.
enum class LetterKind : std::uint32_t { Request = 1, Reply = 2, Failure = 3 };

/// Letters between two processes, of which one works while the other waits.
///
/// Small letters lie in shared memory, large ones go over a local socket that is there anyway to notice the end of the
/// other side. While a side waits for a reply it serves the requests of the other: a component that pulls its inputs
/// from within its update asks back this way, to any depth.
class Channel {
 public:
  using Bytes = std::span<const std::byte>;
  /// Serves a request: writes its reply into the second argument, which is empty. What it throws travels back.
  using Server = std::function<void(Bytes request, StateWriter& reply)>;
  /// Whether the other side still lives; asked every few milliseconds while waiting.
  using IsAlive = std::function<bool()>;

  /// The bytes that the shared page takes.
  static std::size_t PageSize();

  /// \param page    shared memory of PageSize() bytes; kept
  /// \param socket  the connected local socket; borrowed
  Channel(Side side, SharedMemory page, int socket, Server server, IsAlive is_alive);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Sends a request and waits for its reply, serving requests meanwhile.
  /// \returns the reply; good until the next call at this depth
  /// \throws PeerGone     the other side ended, or broke the form
  /// \throws PeerSilent   no letter came within the time limit; every later call throws PeerGone
  /// \throws Error        what the other side's server threw, of the same type
  Bytes Call(Bytes request) {
    Post(request);
    return Await();
  }
  /// The two halves of Call: between them this side may do something else, but nothing with this channel. Throw as it.
  void Post(Bytes request);
  Bytes Await();
  /// Rings when the other side sends its next letter.
  Doorbell::Awaited NextLetter() const;
  /// Whether Await would find the time limit passed.
  bool IsLate() const;
  /// A number for the letter that the other side is at work on; 0: it is at none. From any thread.
  std::uint64_t PeerWork() const;
  /// Serves requests until the other side ends.
  void ServeForEver();

  /// How long the other side may take for one request, without the time in which this side serves requests of its own;
  /// 0: for ever.
  void SetTimeLimit(std::chrono::nanoseconds limit) { limit_ = limit; }
  /// The most looks before sleeping: 0 where processes outnumber cores. Fewer where letters did not come that soon, and
  /// none for a while where this process had to share its core.
  void SetSpins(int spins) { spins_.Allow(spins); }

  /// Thrown when the other side is no longer there.
  struct PeerGone {};
  /// Thrown when it did not answer in time.
  struct PeerSilent {};

 private:
  struct Page;
  using Clock = std::chrono::steady_clock;
  /// Until when a letter has to be through; the end of time without a limit.
  Clock::time_point Deadline() const { return limit_.count() > 0 ? Clock::now() + limit_ : Clock::time_point::max(); }
  void Send(LetterKind kind, Bytes letter);
  /// Waits for a letter and takes it into `into`.
  LetterKind Receive(std::vector<std::byte>& into, Clock::time_point deadline);
  void Serve(Bytes request);
  void WriteSocket(Bytes bytes);
  /// Reads `length` bytes; makes room for them as they come.
  void ReadSocket(std::vector<std::byte>& into, std::size_t length, Clock::time_point deadline);
  /// Waits a moment for the socket. \param events  as of poll
  void WaitForSocket(short events, Clock::time_point deadline);
  /// Says that the other side has a letter to work on, or has sent one itself.
  void BeginPeerWork() { peer_work_.store((peer_work_.load(std::memory_order_relaxed) + 1) | 1); }
  void EndPeerWork() { peer_work_.store((peer_work_.load(std::memory_order_relaxed) + 1) & ~std::uint64_t{1}); }
  [[noreturn]] static void ThrowFailure(Bytes letter);
  static std::vector<std::byte> DescribeCurrentException();

  Side side_;
  SharedMemory memory_;
  int socket_;
  Server server_;
  IsAlive is_alive_;
  Page* page_;
  std::atomic<std::uint32_t> heard_ = 0;      // written by one thread
  std::atomic<std::uint64_t> peer_work_ = 0;  // likewise; odd while the other side has a letter
  std::chrono::nanoseconds limit_{0};
  SpinBudget spins_;
  Clock::time_point posted_until_ = Clock::time_point::max();
  bool is_over_ = false;
  std::size_t depth_ = 0;
  std::deque<std::vector<std::byte>> letters_;  // one for each depth
  std::deque<StateWriter> replies_;             // likewise
};

}  // namespace openmi
