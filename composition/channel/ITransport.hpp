#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "composition/channel/Doorbell.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi {

/// The kind of a message.
enum class LetterKind : std::uint32_t { Request = 1, Reply = 2, Failure = 3 };

/// Thrown when the other side is no longer there.
struct PeerGone {};
/// Thrown when the other side did not answer in time.
struct PeerSilent {};

/// Takes the messages of a Channel to the other side: through shared memory (SharedPage), or over the network
/// (TcpTransport).
///
/// One thread sends and receives. What others may call, too, says so.
class ITransport {
 public:
  using Clock = std::chrono::steady_clock;
  virtual ~ITransport() = default;

  /// Sends a message, and after it the rows of numbers that belong to it.
  /// \param rows  ignored if the two sides share their rows
  /// \throws PeerGone, PeerSilent
  virtual void Send(LetterKind kind, ByteView letter, std::span<const ByteView> rows, Clock::time_point deadline) = 0;
  /// Waits for a message and stores it in `into`. Rows of the message before that were not taken are dropped.
  /// \throws PeerGone, PeerSilent
  virtual LetterKind Receive(Bytes& into, Clock::time_point deadline) = 0;
  /// Whether rows travel with the messages; otherwise both sides see the same memory.
  virtual bool CarriesRows() const = 0;
  /// Takes the next row that came with the last message; does nothing if both sides see the same memory.
  /// \throws PeerGone  there is none of that size
  virtual void TakeRow(std::span<std::byte> into) = 0;

  /// Passes an open file to the other side, which takes it before the next message is sent. Only between processes of
  /// one machine.
  /// \throws PeerGone
  virtual void SendDescriptor(int descriptor, Clock::time_point deadline) = 0;
  /// Takes it.
  /// \throws PeerGone, PeerSilent
  virtual int TakeDescriptor(Clock::time_point deadline) = 0;

  /// Whether Receive has something to report at once: a message, or the end of the other side.
  virtual bool HasLetter() = 0;
  /// As far as the last Receive or HasLetter saw, whether a message waits. May be called from any thread.
  virtual bool SawLetter() const = 0;
  /// The doorbell that rings when the next message comes; without doorbell, Descriptor becomes readable.
  virtual Doorbell::Awaited NextLetter() const = 0;
  virtual int Descriptor() const = 0;

  /// See Channel.
  virtual void LeaveWords(std::string_view text) = 0;
  virtual std::string WordsLeft() const = 0;
  virtual void SetSpins(int spins) = 0;
  /// Why the other side is gone, if this transport knows more than that: "was silent for 1.8 s ...".
  virtual std::string WhyGone() const = 0;
};

/// Waits until one of them may have a letter, at most `longest`. Nothing in the system waits for both kinds: where both
/// are, those of this host are looked at again after a moment.
void WaitForLetters(std::span<ITransport* const> transports, std::chrono::milliseconds longest);

}  // namespace openmi
