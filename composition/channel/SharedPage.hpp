#pragma once

#include <atomic>
#include <functional>

#include "composition/channel/ITransport.hpp"
#include "composition/channel/SharedMemory.hpp"
#include "composition/channel/SpinBudget.hpp"

namespace openmi {

/// The two sides of a channel.
enum class Side : std::uint32_t { Parent = 0, Child = 1 };

/// Whether the other side still lives; called every few milliseconds while waiting.
using IsPeerAlive = std::function<bool()>;

/// Messages between two processes of one machine: small ones in shared memory, large ones over a local socket, which
/// exists in any case so that each side notices the end of the other.
class SharedPage final : public ITransport {
 public:
  /// The size of the shared page, bytes.
  static std::size_t Size();

  /// \param page      shared memory of Size() bytes; taken over
  /// \param socket    the connected local socket; borrowed
  SharedPage(Side side, SharedMemory page, int socket, IsPeerAlive is_alive);
  ~SharedPage() override;
  SharedPage(const SharedPage&) = delete;
  SharedPage& operator=(const SharedPage&) = delete;

  void Send(LetterKind kind, ByteView letter, std::span<const ByteView> rows, Clock::time_point deadline) override;
  LetterKind Receive(Bytes& into, Clock::time_point deadline) override;
  bool CarriesRows() const override { return false; }
  void TakeRow(std::span<std::byte>) override {}
  void SendDescriptor(int descriptor, Clock::time_point deadline) override;
  int TakeDescriptor(Clock::time_point deadline) override;
  bool HasLetter() override { return SawLetter(); }
  bool SawLetter() const override;
  Doorbell::Awaited NextLetter() const override;
  int Descriptor() const override { return -1; }
  void LeaveWords(std::string_view text) override;
  std::string WordsLeft() const override;
  void SetSpins(int spins) override { spins_.Allow(spins); }
  std::string WhyGone() const override { return {}; }

 private:
  struct Page;
  void WriteSocket(ByteView bytes, Clock::time_point deadline);
  /// Reads `length` bytes; allocates memory for them as they arrive.
  void ReadSocket(Bytes& into, std::size_t length, Clock::time_point deadline);
  /// Waits a moment for the socket.
  /// \param events  as in `poll`
  void WaitForSocket(short events, Clock::time_point deadline);

  Side side_;
  SharedMemory memory_;
  int socket_;
  IsPeerAlive is_alive_;
  Page* page_;
  std::atomic<std::uint32_t> heard_ = 0;  // written by one thread
  SpinBudget spins_;
};

}  // namespace openmi
