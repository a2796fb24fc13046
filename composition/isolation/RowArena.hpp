#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "composition/channel/Channel.hpp"
#include "composition/channel/SharedMemory.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"
#include "timespace/values/RowHistory.hpp"

namespace openmi {

/// A mapped part of the shared memory that contains rows.
struct RowChunk {
  std::size_t offset;  ///< in the shared memory, bytes
  std::size_t size;    ///< bytes
};

/// Sends rows to the memory of the other side, and takes those of the other side, if the two sides share no memory.
/// Each side then has memory of its own of the same layout: a row has one offset on both sides. Rows travel with the
/// message that is written or read, in its order.
class RowCarrier {
 public:
  /// \param channel  borrowed
  void CarryOver(Channel& channel) { channel_ = channel.Transport().CarriesRows() ? &channel : nullptr; }
  bool Carries() const { return channel_ != nullptr; }
  void Send(std::span<const double> row) {
    if (channel_ == nullptr) return;
    channel_->AddRow(std::as_bytes(row));
    sent_ += row.size_bytes();
  }
  void Receive(std::span<double> row) {
    if (channel_ == nullptr) return;
    channel_->TakeRow(std::as_writable_bytes(row));
    received_ += row.size_bytes();
  }
  /// Notes that a row was copied into memory that both sides share.
  void NoteCopy(std::span<const double> row) { sent_ += row.size_bytes(); }
  /// The bytes of all rows that were sent or copied, and of those that were received.
  std::uint64_t SentBytes() const { return sent_; }
  std::uint64_t ReceivedBytes() const { return received_; }

 private:
  Channel* channel_ = nullptr;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

/// Rows in shared memory, on the side that writes them. Memory that was given back is used again for rows of the same
/// size, as a ring of rows requires.
class RowArena final : public IRowStore {
 public:
  explicit RowArena(SharedMemory memory) : memory_(std::move(memory)) {}
  ~RowArena() override;
  RowArena(const RowArena&) = delete;
  RowArena& operator=(const RowArena&) = delete;

  double* Take(std::size_t count) override;
  void Give(double* row, std::size_t count) noexcept override;
  /// The offset of `row` in the shared memory, bytes; no value if it is not there.
  std::optional<std::size_t> OffsetOf(const double* row) const;
  /// The doubles at `offset`, in bytes.
  /// \throws RangeError  they do not lie in one piece
  std::span<double> At(std::size_t offset, std::size_t count) const;
  /// The open file of the memory.
  int Descriptor() const { return memory_.Descriptor(); }
  /// Writes the parts that were mapped since the last call, for RowWindow::ReadNews.
  void WriteNews(StateWriter& writer);
  RowCarrier& Carrier() { return carrier_; }

 private:
  struct Mapped {
    std::byte* begin;
    std::size_t offset;
    std::size_t size;
    std::size_t used;
  };
  SharedMemory memory_;
  RowCarrier carrier_;
  std::vector<RowChunk> chunks_;
  std::size_t reported_ = 0;
  std::map<const std::byte*, Mapped> mapped_;  // by address
  struct Size {
    std::vector<double*> free;
    std::size_t made = 0;
  };
  std::map<std::size_t, Size> sizes_;  // by bytes
  Mapped* last_ = nullptr;
};

/// The same rows, on the side that reads them.
class RowWindow {
 public:
  explicit RowWindow(SharedMemory memory) : memory_(std::move(memory)) {}
  ~RowWindow();
  RowWindow(const RowWindow&) = delete;
  RowWindow& operator=(const RowWindow&) = delete;

  /// Maps the parts that the other side added; adds them here too if the two sides share no memory.
  /// \throws RangeError  they are not there
  /// \throws FileError   they cannot be mapped
  void ReadNews(StateReader& reader);
  /// The doubles at `offset`, in bytes, which the other side named.
  /// \throws RangeError  they do not lie in one piece
  std::span<double> At(std::size_t offset, std::size_t count) const;
  /// The offset of `row`, bytes; no value if it is not there.
  std::optional<std::size_t> OffsetOf(const double* row) const;
  /// The open file of the memory.
  int Descriptor() const { return memory_.Descriptor(); }
  RowCarrier& Carrier() { return carrier_; }

 private:
  void Add(const RowChunk& chunk);
  struct Mapped {
    std::byte* begin;
    RowChunk chunk;
  };
  SharedMemory memory_;
  RowCarrier carrier_;
  std::vector<Mapped> mapped_;
};

}  // namespace openmi
