#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "timespace/IRowStore.hpp"
#include "timespace/Stamp.hpp"

namespace openmi {

/// The rows an output has written and that somebody may still ask for.
///
/// A solver writes its next row straight into the history (NextRow, then Commit); rows never move while they are kept,
/// so a view of one stays good until it is trimmed. Slots of trimmed rows serve again: in steady state nothing is
/// allocated. Times are UTC. Rows may have different lengths.
class RowHistory {
 public:
  RowHistory() = default;
  /// \param store  where rows live; null: in ordinary memory. Borrowed; outlives the history
  explicit RowHistory(IRowStore* store) : store_(store) {}
  bool HasStore() const { return store_ != nullptr; }

  /// The number of rows kept, oldest first.
  std::size_t Count() const { return entries_.size() - head_; }
  bool Empty() const { return entries_.size() == head_; }
  Stamp Begin(std::size_t row) const { return entries_[head_ + row].begin; }
  Days Duration(std::size_t row) const { return entries_[head_ + row].duration; }
  Stamp End(std::size_t row) const { return Begin(row) + Duration(row); }
  std::span<const double> Row(std::size_t row) const {
    const Entry& entry = entries_[head_ + row];
    return {slots_[entry.slot].Data(), entry.size};
  }
  std::size_t LastIndex() const { return Count() - 1; }
  /// The end of the newest row; the far past when there is none.
  Stamp LatestEnd() const { return Empty() ? kFarPast : End(LastIndex()); }

  /// Says that all rows are the same for all times: any of them answers any question.
  void SetTimeless(bool timeless) { timeless_ = timeless; }
  bool IsTimeless() const { return timeless_; }

  /// How many rows have ever been given up, old ones and taken back ones: the next row to come has the number
  /// `Trimmed() + Count()`, which none had before. Whoever remembers that number finds the rows that came since.
  std::uint64_t Trimmed() const { return trimmed_; }

  /// The slot for the next row; its content is whatever was there. The same slot until Commit.
  std::span<double> NextRow(std::size_t width);
  /// Whether NextRow was called since the last Commit.
  bool IsWriting() const { return writing_; }
  /// Takes the slot up as the newest row.
  /// \throws RangeError  the row does not end after the newest one, or NextRow was not called
  void Commit(Stamp begin, Days duration);
  /// NextRow, copy, Commit. A row that ends when the newest one does replaces it.
  void Append(Stamp begin, Days duration, std::span<const double> values);

  /// Takes up, as the newest row, one that somebody else keeps, without copying it: `values` must stay where they are
  /// until the row is given up, or OwnRows is called. \throws RangeError  as Commit
  void AppendView(Stamp begin, Days duration, std::span<const double> values);
  /// Copies every row that somebody else keeps.
  void OwnRows();

  /// Forgets rows that end before `earliest`, but keeps the latest of those that end at or before it.
  void TrimBefore(Stamp earliest);
  /// Puts a row back before the oldest one, which TrimBefore had forgotten; the others stay where they are.
  /// \throws RangeError  the row does not end before the oldest one, or there is none
  void PutBack(Stamp begin, Days duration, std::span<const double> values);
  /// Forgets rows that end after `latest`: a state was restored.
  void TrimAfter(Stamp latest);
  void Clear();

  /// The newest row whose end is not after `time` (within the tolerance); Count() if there is none. Found from the
  /// newest end in a few steps as a rule, by bisection otherwise.
  std::size_t LastEndingBy(Stamp time) const;

 private:
  struct Entry {
    Stamp begin;
    Days duration;
    std::size_t slot;
    std::size_t size;
  };
  /// Memory for a row; a view of somebody else's has no capacity.
  class Slot {
   public:
    Slot() = default;
    Slot(Slot&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          capacity_(std::exchange(other.capacity_, 0)),
          store_(other.store_) {}
    Slot& operator=(Slot&&) = delete;
    ~Slot() { Free(); }
    double* Data() const { return data_; }
    std::size_t Capacity() const { return capacity_; }
    bool IsView() const { return capacity_ == 0 && data_ != nullptr; }
    void Allocate(std::size_t width, IRowStore* store);
    void View(const double* data);
    /// Takes the memory of another slot.
    void TakeOver(Slot& other) noexcept;
    void Free() noexcept;

   private:
    double* data_ = nullptr;
    std::size_t capacity_ = 0;
    IRowStore* store_ = nullptr;
  };
  void DropLast();
  void Release(std::size_t slot);
  std::size_t TakeSlot();
  void CheckNewest(Stamp end) const;

  std::vector<Entry> entries_;
  std::size_t head_ = 0;
  std::vector<Slot> slots_;
  IRowStore* store_ = nullptr;
  std::vector<std::size_t> free_;
  std::uint64_t trimmed_ = 0;
  std::size_t next_slot_ = 0;
  std::size_t next_size_ = 0;
  bool writing_ = false;
  bool timeless_ = false;
};

}  // namespace openmi
