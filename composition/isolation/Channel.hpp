#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "composition/isolation/Doorbell.hpp"
#include "composition/isolation/SharedMemory.hpp"
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
  Bytes Call(Bytes request);
  /// Serves requests until the other side ends.
  void ServeForEver();

  /// The longest wait for one letter; 0: for ever.
  void SetTimeLimit(std::chrono::nanoseconds limit) { limit_ = limit; }
  /// How often to look before sleeping: 0 where processes outnumber cores.
  void SetSpins(int spins) { spins_ = spins; }

  /// Thrown when the other side is no longer there.
  struct PeerGone {};
  /// Thrown when it did not answer in time.
  struct PeerSilent {};

 private:
  struct Page;
  void Send(LetterKind kind, Bytes letter);
  /// Waits for a letter and takes it into `into`.
  LetterKind Receive(std::vector<std::byte>& into, bool is_limited);
  void Serve(Bytes request);
  void WriteSocket(Bytes bytes) const;
  void ReadSocket(std::span<std::byte> bytes) const;
  [[noreturn]] static void ThrowFailure(Bytes letter);
  static std::vector<std::byte> DescribeCurrentException();

  Side side_;
  SharedMemory memory_;
  int socket_;
  Server server_;
  IsAlive is_alive_;
  Page* page_;
  std::uint32_t heard_ = 0;
  std::chrono::nanoseconds limit_{0};
  int spins_ = 0;
  bool is_over_ = false;
  std::size_t depth_ = 0;
  std::deque<std::vector<std::byte>> letters_;  // one for each depth
  std::deque<StateWriter> replies_;             // likewise
};

}  // namespace openmi
