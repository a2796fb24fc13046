#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "composition/channel/SharedPage.hpp"

namespace openmi {

/// How often a worker shows over the network that it lives, and after which silence it counts as gone.
struct Heartbeats {
  std::chrono::milliseconds every{250};
  std::chrono::milliseconds longest_silence{1600};
};

/// How long nothing came from the other side. Time in which this process got no processor counts little: a machine that
/// is too busy to let it look may keep a worker beside it from sending, too.
class Silence {
 public:
  /// Something came, or a message is awaited from now on.
  void End();
  /// Nothing came.
  /// \returns the silence so far
  std::chrono::steady_clock::duration Look(std::chrono::steady_clock::time_point now);

 private:
  std::chrono::steady_clock::time_point looked_at_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::duration length_{};
};

/// What stands before each message on a connection. Both sides have the same byte order, as their greetings state.
struct FrameHeader {
  std::uint32_t kind;
  std::uint32_t mark;
  std::uint64_t length;  ///< of the message, bytes
  std::uint64_t rows;    ///< what follows it, bytes
};

inline constexpr std::uint32_t kFrameMark = 0x6f6d6935;  ///< a stream that lost its place is noticed
inline constexpr std::uint32_t kHeartbeat = 5;           ///< kind of a frame that only shows life

/// Sends a heartbeat if there is room for it. The other side passes over those before a message, so that one may be
/// sent before it reads at all: its system acknowledges it, and TCP sends it again where a packet is lost.
inline void SendHeartbeat(int socket) {
  const FrameHeader beat{kHeartbeat, kFrameMark, 0, 0};
  pollfd room{socket, POLLOUT, 0};
  if (poll(&room, 1, 0) > 0 && (room.revents & POLLOUT) != 0) {
    send(socket, &beat, sizeof beat, MSG_NOSIGNAL | MSG_DONTWAIT);
  }
}

/// Messages between two hosts, over one TCP connection. Rows of numbers travel behind the message that they belong to,
/// from the memory of the sender straight into that of the receiver.
///
/// The child side shows that it lives: from its first Receive, a thread of its own sends heartbeats, whatever its
/// components do. The parent side counts a child as gone that is silent too long while a message of it is awaited, or
/// while one to it finds no room: its host was stopped, or the network is down. A child notices the end of its parent
/// by the connection (Greeting).
class TcpTransport final : public ITransport {
 public:
  /// \param socket  connected; borrowed
  TcpTransport(Side side, int socket, IsPeerAlive is_alive, Heartbeats heartbeats = {});
  ~TcpTransport() override;
  TcpTransport(const TcpTransport&) = delete;
  TcpTransport& operator=(const TcpTransport&) = delete;

  void Send(LetterKind kind, ByteView letter, std::span<const ByteView> rows, Clock::time_point deadline) override;
  LetterKind Receive(Bytes& into, Clock::time_point deadline) override;
  bool CarriesRows() const override { return true; }
  void TakeRow(std::span<std::byte> into) override;
  void SendDescriptor(int, Clock::time_point) override { throw PeerGone{}; }
  int TakeDescriptor(Clock::time_point) override { throw PeerGone{}; }
  bool HasLetter() override;
  bool SawLetter() const override { return has_header_.load(std::memory_order_relaxed); }
  /// A doorbell that never rings.
  Doorbell::Awaited NextLetter() const override { return {&no_bell_, 0}; }
  int Descriptor() const override { return socket_; }
  void LeaveWords(std::string_view text) override;
  std::string WordsLeft() const override { return words_; }
  void SetSpins(int) override {}  // sleeping in the system is faster than polling it
  std::string WhyGone() const override { return why_gone_; }

 private:
  void Beat(const std::stop_token& stop);
  void WriteAll(std::span<iovec> parts, Clock::time_point deadline);
  /// Reads what has come.
  /// \param waits  whether to wait a moment until something comes
  /// \returns how much; 0: nothing yet
  std::size_t ReadSome(std::span<std::byte> into, bool waits);
  /// Reads until the header of a message is there; takes the heartbeats before it.
  /// \returns false if it is not there yet, without `waits`
  bool ReadHeader(bool waits, Clock::time_point deadline);
  void ReadAll(std::span<std::byte> into, Clock::time_point deadline);
  void DropRows(Clock::time_point deadline);
  void NoteSilence(Clock::time_point deadline);
  void TakeWords();
  std::size_t Buffered() const { return end_ - begin_; }

  Side side_;
  int socket_;
  IsPeerAlive is_alive_;
  Heartbeats heartbeats_;
  std::mutex sending_;
  FrameHeader header_{};
  std::atomic<bool> has_header_ = false;
  std::uint64_t rows_left_ = 0;
  Silence silence_;
  Clock::time_point rows_until_ = Clock::time_point::max();
  std::vector<std::byte> buffer_;  // [begin_, end_) was received and not taken yet
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::vector<iovec> parts_;
  std::string words_;
  std::string why_gone_;
  mutable Doorbell no_bell_{};
  std::condition_variable_any wakes_;
  std::jthread beats_;  // last: it uses the others
};

}  // namespace openmi
