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
/// so a view of one stays good until it is trimmed. Places of trimmed rows serve again: in steady state nothing is
/// allocated. Times are UTC. Rows may have different lengths. A history that is moved takes its rows along where they
/// are.
class RowHistory {
 public:
  RowHistory() = default;
  /// \param store  where rows live; null: in ordinary memory. Borrowed; outlives the history
  explicit RowHistory(IRowStore* store) : store_(store) {}
  bool HasStore() const { return store_ != nullptr; }

  /// The number of rows kept, oldest first.
  std::size_t Count() const { return count_; }
  bool Empty() const { return count_ == 0; }
  Stamp Begin(std::size_t row) const { return At(row).begin; }
  Days Duration(std::size_t row) const { return At(row).duration; }
  Stamp End(std::size_t row) const { return At(row).End(); }
  std::span<const double> Row(std::size_t row) const { return At(row).Values(); }
  std::size_t LastIndex() const { return count_ - 1; }
  /// The newest row. \pre  not empty
  Stamp LastBegin() const { return last_->begin; }
  std::span<const double> LastRow() const { return last_->Values(); }
  /// The end of the newest row; the far past when there is none.
  Stamp LatestEnd() const { return latest_end_; }

  /// Says that all rows are the same for all times: any of them answers any question.
  void SetTimeless(bool timeless) { timeless_ = timeless; }
  bool IsTimeless() const { return timeless_; }

  /// How many rows have ever been given up, old ones and taken back ones: the next row to come has the number
  /// `Trimmed() + Count()`, which none had before. Whoever remembers that number finds the rows that came since.
  std::uint64_t Trimmed() const { return trimmed_; }

  /// Whether the next row needs more memory: the time to trim.
  bool IsFull() const { return next_ == nullptr || (next_->capacity == 0 && At(ring_.size() - 1).capacity == 0); }
  /// The place for the next row; its content is whatever was there. The same place until Commit.
  std::span<double> NextRow(std::size_t width) {
    if (next_ == nullptr) Grow(width);
    Slot& slot = *next_;
    if (slot.capacity < width) Provide(slot, width);
    writing_ = true;
    slot.size = width;
    return {slot.data, width};
  }
  /// Whether NextRow was called since the last Commit.
  bool IsWriting() const { return writing_; }
  /// Takes the place up as the newest row.
  /// \throws RangeError  the row does not end after the newest one, or NextRow was not called
  void Commit(Stamp begin, Days duration) {
    const Stamp end = begin + duration;
    if (!writing_ || !IsNewer(end)) RefuseCommit();
    last_ = next_;
    last_->begin = begin;
    last_->duration = duration;
    ++count_;
    latest_end_ = end;
    writing_ = false;
    Slot* const after = last_ + 1 == ring_.data() + ring_.size() ? ring_.data() : last_ + 1;
    next_ = after == ring_.data() + head_ ? nullptr : after;
  }
  /// NextRow, copy, Commit. A row that ends when the newest one does replaces it.
  void Append(Stamp begin, Days duration, std::span<const double> values);

  /// Takes up, as the newest row, one that somebody else keeps, without copying it: `values` must stay where they are
  /// until the row is given up, or OwnRows is called. \throws RangeError  as Commit
  void AppendView(Stamp begin, Days duration, std::span<const double> values);
  /// Whether the row is kept here, and not by somebody else.
  bool IsOwn(std::size_t row) const { return At(row).capacity > 0; }
  /// Copies every row that somebody else keeps.
  void OwnRows();

  /// Forgets rows that end before `earliest`, but keeps the latest of those that end at or before it.
  void TrimBefore(Stamp earliest) {
    const std::size_t first = LastEndingBy(earliest);
    if (first == 0 || first == count_) return;
    head_ = Place(first);
    count_ -= first;
    trimmed_ += first;
    if (next_ == nullptr) Locate();
  }
  /// Puts a row back before the oldest one, which TrimBefore had forgotten; the others stay where they are.
  /// \throws RangeError  the row does not end before the oldest one, or there is none
  void PutBack(Stamp begin, Days duration, std::span<const double> values);
  /// Forgets rows that end after `latest`: a state was restored.
  void TrimAfter(Stamp latest);
  void Clear();

  /// The newest row whose end is not after `time` (within the tolerance); Count() if there is none. Found from the
  /// newest end in a few steps as a rule, by bisection otherwise.
  std::size_t LastEndingBy(Stamp time) const {
    if (count_ > 0 && !Before(time, latest_end_)) return count_ - 1;
    if (count_ > 1 && !Before(time, End(count_ - 2))) return count_ - 2;
    return FindEndingBy(time);
  }

 private:
  struct Slot {
    Stamp begin;
    Days duration;
    double* data = nullptr;  // in one of the blocks, or somebody else's: then there is no capacity
    std::size_t size = 0;
    std::size_t capacity = 0;
    Stamp End() const { return begin + duration; }
    std::span<const double> Values() const { return {data, size}; }
  };
  /// Memory for rows.
  class Block {
   public:
    /// \param is_shared  by several places
    Block(std::size_t size, bool is_shared, IRowStore* store);
    Block(Block&& other) noexcept { *this = std::move(other); }
    Block& operator=(Block&& other) noexcept {
      std::swap(data_, other.data_);
      std::swap(size_, other.size_);
      std::swap(store_, other.store_);
      std::swap(is_shared_, other.is_shared_);
      return *this;
    }
    ~Block();
    double* Data() const { return data_; }
    /// Whether this is all there is behind the row at `data`.
    bool IsOnly(const double* data) const { return data == data_ && !is_shared_; }

   private:
    double* data_ = nullptr;
    std::size_t size_ = 0;
    IRowStore* store_ = nullptr;
    bool is_shared_ = false;
  };

  /// A row kept, or the place for the next one, by its number from the oldest on.
  const Slot& At(std::size_t row) const { return ring_[Place(row)]; }
  Slot& At(std::size_t row) { return ring_[Place(row)]; }
  std::size_t Place(std::size_t row) const {
    const std::size_t place = head_ + row;
    return place < ring_.size() ? place : place - ring_.size();
  }
  /// Finds last_ and next_ anew.
  void Locate() {
    last_ = count_ > 0 ? &At(count_ - 1) : nullptr;
    next_ = count_ < ring_.size() ? &At(count_) : nullptr;
  }
  /// Adds places; with memory for all of them where rows are short.
  void Grow(std::size_t width);
  /// Gives a free place memory for a row: that of another one, or its own.
  void Provide(Slot& slot, std::size_t width);
  /// Gives a place memory of its own, in exchange for what it had.
  void Renew(Slot& slot, std::size_t width);
  bool IsNewer(Stamp end) const { return count_ == 0 || Before(latest_end_, end); }
  [[noreturn]] void RefuseCommit() const;
  [[noreturn]] void RefuseOlder() const;
  std::size_t FindEndingBy(Stamp time) const;
  void DropLast();
  void ShowLatest() { latest_end_ = count_ > 0 ? End(count_ - 1) : kFarPast; }

  std::vector<Slot> ring_;  // the rows kept, from head_ on round the end, then free places
  std::size_t head_ = 0;
  std::size_t count_ = 0;
  Slot* last_ = nullptr;  // the newest row; null: none
  Slot* next_ = nullptr;  // the place for the next one; null: none is free
  Stamp latest_end_ = kFarPast;
  std::uint64_t trimmed_ = 0;
  bool writing_ = false;
  bool timeless_ = false;
  IRowStore* store_ = nullptr;
  std::vector<Block> blocks_;  // the memory of all places
};

}  // namespace openmi
