#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

/// Allocates the memory of rows of numbers. Used instead of ordinary memory when another process reads the rows in
/// place.
class IRowStore {
 public:
  virtual ~IRowStore() = default;
  /// Memory for `count` doubles, aligned to 64 bytes.
  /// \throws std::bad_alloc  there is no memory
  /// \throws Error           there is no memory
  virtual double* Take(std::size_t count) = 0;
  /// Returns the memory that `Take` gave for `count`.
  virtual void Give(double* row, std::size_t count) noexcept = 0;
};

class RowHistory;

/// Brings rows that are still in the memory of another process.
class IRowFetcher {
 public:
  virtual ~IRowFetcher() = default;
  /// Writes every row of `rows` that is in memory of another owner to its place.
  /// \throws Error  they are lost
  virtual void Fetch(const RowHistory& rows) = 0;
};

/// The memory of rows, in blocks for one row or for several short ones.
class RowMemory {
 public:
  RowMemory() = default;
  /// \param store  allocates the blocks; null: ordinary memory. Borrowed; must outlive this object
  explicit RowMemory(IRowStore* store) : store_(store) {}
  bool HasStore() const { return store_ != nullptr; }

  /// Allocates a block that several rows share.
  /// \param size  the size of all these rows together, in doubles
  double* TakeShared(std::size_t size) { return blocks_.emplace_back(Block{NewBlock(size), true}).data.get(); }
  /// Allocates a block for one row. The block at `old` is freed, unless it is a block for several rows.
  /// \param old  the memory of the row until now; null: it is not memory of this object
  double* Renew(const double* old, std::size_t size);
  /// Frees the block at `data`, unless it is a block for several rows.
  void FreeOnly(const double* data) {
    std::erase_if(blocks_, [data](const Block& block) { return block.IsOnly(data); });
  }

 private:
  struct Free {
    std::size_t size;
    IRowStore* store;
    void operator()(double* data) const;
  };
  struct Block {
    std::unique_ptr<double, Free> data;
    bool is_shared;
    bool IsOnly(const double* row) const { return row == data.get() && !is_shared; }
  };
  std::unique_ptr<double, Free> NewBlock(std::size_t size) const;

  IRowStore* store_ = nullptr;
  std::vector<Block> blocks_;
};

/// The rows that an output has written and that may still be needed.
///
/// A solver writes its next row directly into the history (`NextRow`, then `Commit`). A row does not move while it is
/// kept, so a view of it is valid until the row is discarded. Memory of discarded rows is used again: in steady state
/// nothing is allocated. Times are UTC. Rows may have different lengths. When a history is moved, its rows keep their
/// addresses.
class RowHistory {
 public:
  RowHistory() = default;
  /// \param store  allocates the rows; null: ordinary memory. Borrowed; must outlive the history
  explicit RowHistory(IRowStore* store) : memory_(store) {}
  bool HasStore() const { return memory_.HasStore(); }

  /// The number of kept rows. Row 0 is the oldest.
  std::size_t Count() const { return count_; }
  bool Empty() const { return count_ == 0; }
  /// The start of a row.
  /// \pre  row < Count()
  Stamp Begin(std::size_t row) const { return At(row).begin; }
  /// The duration of a row; 0 for an instant.
  /// \pre  row < Count()
  Days Duration(std::size_t row) const { return At(row).duration; }
  /// The end of a row.
  /// \pre  row < Count()
  Stamp End(std::size_t row) const { return At(row).End(); }
  /// The values of a row; shape [width of the row].
  /// \pre  row < Count()
  /// \throws Error  see IRowFetcher
  std::span<const double> Row(std::size_t row) const {
    const std::span<const double> values = Place(row);
    if (fetcher_ != nullptr) FetchRows();
    return values;
  }
  /// Where the values of a row are. They may still have to be fetched.
  /// \pre  row < Count()
  std::span<const double> Place(std::size_t row) const { return At(row).Values(); }
  /// The index of the newest row.
  /// \pre  not empty
  std::size_t LastIndex() const { return count_ - 1; }
  /// The start of the newest row.
  /// \pre  not empty
  Stamp LastBegin() const { return last_->begin; }
  /// The newest row.
  /// \pre  not empty
  std::span<const double> LastRow() const {
    const std::span<const double> values = LastPlace();
    if (fetcher_ != nullptr) FetchRows();
    return values;
  }
  std::span<const double> LastPlace() const { return last_->Values(); }
  /// The end of the newest row; the far past when there is none.
  Stamp LatestEnd() const { return latest_end_; }

  /// Sets whether the values are the same for all times. If so, any row can answer any query.
  void SetTimeless(bool timeless) { timeless_ = timeless; }
  bool IsTimeless() const { return timeless_; }

  /// The number of rows that were discarded so far: old rows, and newest rows that were taken back or replaced.
  ///
  /// The next row has the number `Trimmed() + Count()`. No earlier row had this number. A caller that keeps the number
  /// can later find the rows that were added since.
  std::uint64_t Trimmed() const { return trimmed_; }

  /// Whether the next row needs more memory. If so, call `TrimBefore` first.
  bool IsFull() const { return next_ == nullptr || (next_->capacity == 0 && At(ring_.size() - 1).capacity == 0); }
  /// The memory for the next row, with undefined content. Until `Commit`, further calls return the same memory.
  /// \param width  the number of values
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
  /// Adds the written row as the newest one.
  /// \throws RangeError  the row does not end after the newest one, or `NextRow` was not called
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
  /// Adds a copy of a row as the newest one: calls `NextRow`, copies the values, calls `Commit`. If the newest row ends
  /// at the same time, the new row replaces it.
  void Append(Stamp begin, Days duration, std::span<const double> values);

  /// Adds a row in memory of another owner as the newest one, without copying it.
  /// \param values   must stay in place until the row is discarded or `OwnRows` is called
  /// \param fetcher  brings the values, which are not there yet; null: they are there. Borrowed
  /// \throws RangeError  as `Commit`
  void AppendView(Stamp begin, Days duration, std::span<const double> values, IRowFetcher* fetcher = nullptr);
  /// What brings rows that are not there yet; null: all are there.
  IRowFetcher* Fetcher() const { return fetcher_; }
  /// Fetches them.
  /// \throws Error  see IRowFetcher
  void FetchRows() const;
  /// Whether the row is in the memory of this history.
  bool IsOwn(std::size_t row) const { return At(row).capacity > 0; }
  /// Copies every row that is in memory of another owner to memory of this history.
  void OwnRows();

  /// Keeps the newest row that ends at or before `earliest`, and all later rows. Discards the older ones.
  void TrimBefore(Stamp earliest) {
    const std::size_t first = LastEndingBy(earliest);
    if (first == 0 || first == count_) return;
    head_ = RingPlace(first);
    count_ -= first;
    trimmed_ += first;
    if (next_ == nullptr) Locate();
  }
  /// Puts back a row that `TrimBefore` discarded, as the oldest row. The other rows stay in place.
  /// \throws RangeError  the row does not end before the oldest one, or the history is empty
  void PutBack(Stamp begin, Days duration, std::span<const double> values);
  /// Discards rows that end after `latest`. Call it when a state was restored.
  void TrimAfter(Stamp latest);
  /// Discards all rows, also a row that is being written.
  void Clear();

  /// The index of the newest row that ends at or before `time` (within the tolerance); `Count()` if there is none.
  ///
  /// Looks at the two newest rows first. If neither fits, searches the others by bisection.
  std::size_t LastEndingBy(Stamp time) const {
    if (count_ > 0 && !Before(time, latest_end_)) return count_ - 1;
    if (count_ > 1 && !Before(time, End(count_ - 2))) return count_ - 2;
    return FindEndingBy(time);
  }

 private:
  struct Slot {
    Stamp begin;
    Days duration;
    double* data = nullptr;  // in memory_, or in memory of another owner; then the capacity is 0
    std::size_t size = 0;
    std::size_t capacity = 0;
    Stamp End() const { return begin + duration; }
    std::span<const double> Values() const { return {data, size}; }
  };
  /// The slot with this number, counted from the oldest row: first the kept rows, then the next row, then free slots.
  const Slot& At(std::size_t row) const { return ring_[RingPlace(row)]; }
  Slot& At(std::size_t row) { return ring_[RingPlace(row)]; }
  std::size_t RingPlace(std::size_t row) const {
    const std::size_t place = head_ + row;
    return place < ring_.size() ? place : place - ring_.size();
  }
  /// Updates last_ and next_.
  void Locate() {
    last_ = count_ > 0 ? &At(count_ - 1) : nullptr;
    next_ = count_ < ring_.size() ? &At(count_) : nullptr;
  }
  /// Adds slots. If rows are short, also allocates memory for all new slots, unless there is a store.
  void Grow(std::size_t width);
  /// Gives a free slot memory for a row: the memory of another free slot, or new memory.
  void Provide(Slot& slot, std::size_t width);
  /// Replaces the memory of a slot by new memory.
  void Renew(Slot& slot, std::size_t width);
  bool IsNewer(Stamp end) const { return count_ == 0 || Before(latest_end_, end); }
  [[noreturn]] void RefuseCommit() const;
  [[noreturn]] void RefuseOlder() const;
  std::size_t FindEndingBy(Stamp time) const;
  void DropLast();
  void ShowLatest() { latest_end_ = count_ > 0 ? End(count_ - 1) : kFarPast; }

  std::vector<Slot> ring_;  // a ring: the kept rows start at head_ and go on at 0 after the end; then free slots follow
  std::size_t head_ = 0;
  std::size_t count_ = 0;
  Slot* last_ = nullptr;  // the newest row; null: none
  Slot* next_ = nullptr;  // the slot for the next row; null: none is free
  Stamp latest_end_ = kFarPast;
  std::uint64_t trimmed_ = 0;
  bool writing_ = false;
  bool timeless_ = false;
  mutable IRowFetcher* fetcher_ = nullptr;  // not null: some rows have to be fetched
  RowMemory memory_;                        // of all slots
};

/// Writes all rows with their times, exact to the last bit.
void WriteRows(StateWriter& writer, const RowHistory& rows);

/// Reads rows that `WriteRows` wrote.
/// \param width  the required length of each row; no value: any length
/// \throws FormatError  the bytes are not rows, a row has another length, or the rows are not ascending in time
RowHistory ReadRows(StateReader& reader, std::optional<std::size_t> width = std::nullopt);

/// Replaces the content of `history` by `rows`. Views of its rows become invalid.
void ReplaceRows(RowHistory& history, const RowHistory& rows);

}  // namespace openmi
