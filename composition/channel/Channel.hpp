#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "composition/channel/SharedPage.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

/// Messages between two processes, of which one works while the other waits.
///
/// A transport takes them to the other side. While a side waits for a reply it serves the requests of the other side: a
/// component that pulls its inputs from within its update asks back in this way, to any depth.
class Channel {
 public:
  /// Serves a request: writes its reply into the second argument, which is empty. What it throws is thrown on the other
  /// side.
  using Server = std::function<void(ByteView request, StateWriter& reply)>;

  /// The size of the page that the sides of one machine share, bytes.
  static std::size_t PageSize() { return SharedPage::Size(); }

  /// \param server  serves the requests of the other side
  Channel(std::unique_ptr<ITransport> transport, Server server);
  /// With a transport through shared memory; see SharedPage.
  Channel(Side side, SharedMemory page, int socket, Server server, IsPeerAlive is_alive);
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
  /// For those who wait for several channels at a time.
  ITransport& Transport() const { return *transport_; }
  /// Measures from now on how long this side waits for messages.
  void MeasureWaits() { waits_ = WaitTimes{Clock::now(), {}}; }
  /// Seconds since MeasureWaits in which this side did not wait for a message.
  double SecondsAtWork() const {
    return waits_ ? std::chrono::duration<double>(Clock::now() - waits_->since - waits_->waited).count() : 0.0;
  }
  /// Whether the time limit for Await has passed.
  bool IsLate() const;
  /// A number for the message that the other side works on; 0: there is none. May be called from any thread.
  std::uint64_t PeerWork() const;
  /// The error with which the other side answers after it was silent too long, if it does so within `longest`; else
  /// null. Serves its requests meanwhile. Nothing may be received after that.
  std::exception_ptr LastWords(std::chrono::milliseconds longest);
  /// Leaves a text for the other side to read when this process has ended. May be called from any thread.
  /// \param text  UTF-8; what is beyond 3799 bytes is dropped
  void LeaveWords(std::string_view text) { transport_->LeaveWords(text); }
  /// What the other side left; empty: nothing. It is shown to users, and nothing is read from it.
  std::string WordsLeft() const { return transport_->WordsLeft(); }
  /// Serves requests until the other side ends.
  void ServeForEver();

  /// Sets how long the other side may take for one request, without the time in which this side serves requests of the
  /// other side; 0: no limit.
  void SetTimeLimit(std::chrono::nanoseconds limit) { limit_ = limit; }
  /// Sets the largest number of polls before sleeping; 0 if there are more processes than cores. The channel polls less
  /// often if messages come later than that, and not at all for a while if this process had to share its core.
  void SetSpins(int spins) { transport_->SetSpins(spins); }

  /// Adds a row to the next message, which is to be sent at once, if the transport carries rows. The other side takes
  /// the rows in the same order, while it reads the message.
  /// \param row  must stay until the message is sent
  void AddRow(ByteView row) {
    if (transport_->CarriesRows() && !row.empty()) rows_.push_back(row);
  }
  /// Drops what belongs to a message that was not sent.
  void DropRows() {
    rows_.clear();
    if (on_letter_) on_letter_(false);
  }
  /// Sets a function that is called when the message that was written was sent, or was dropped.
  void SetOnLetter(std::function<void(bool is_sent)> on_letter) { on_letter_ = std::move(on_letter); }
  /// Takes the next row of the last message into its place, if the transport carries rows.
  /// \throws PeerGone  the message has no further row of that size
  void TakeRow(std::span<std::byte> into) { transport_->TakeRow(into); }

  using PeerGone = openmi::PeerGone;
  using PeerSilent = openmi::PeerSilent;

 private:
  using Clock = std::chrono::steady_clock;
  struct WaitTimes {
    Clock::time_point since;
    Clock::duration waited;
  };
  /// The time by which a message has to be sent or received; the end of time without a limit.
  Clock::time_point Deadline() const { return limit_.count() > 0 ? Clock::now() + limit_ : Clock::time_point::max(); }
  void Send(LetterKind kind, ByteView letter);
  /// Waits for a message and stores it in `into`.
  LetterKind Receive(Bytes& into, Clock::time_point deadline);
  void Serve(ByteView request);
  /// Notes that the other side has a message to work on, or has sent one itself.
  void BeginPeerWork() { peer_work_.store((peer_work_.load(std::memory_order_relaxed) + 1) | 1); }
  void EndPeerWork() { peer_work_.store((peer_work_.load(std::memory_order_relaxed) + 1) & ~std::uint64_t{1}); }
  [[noreturn]] static void ThrowFailure(ByteView letter);
  static Bytes DescribeCurrentException();

  std::unique_ptr<ITransport> transport_;
  Server server_;
  std::vector<ByteView> rows_;  // of the message that is written
  std::function<void(bool)> on_letter_;
  std::optional<WaitTimes> waits_;
  std::atomic<std::uint64_t> peer_work_ = 0;  // written by one thread; odd while the other side has a message
  std::chrono::nanoseconds limit_{0};
  Clock::time_point posted_until_ = Clock::time_point::max();
  bool is_over_ = false;
  std::size_t depth_ = 0;
  std::deque<Bytes> letters_;        // one for each depth
  std::deque<StateWriter> replies_;  // one for each depth
};

}  // namespace openmi
