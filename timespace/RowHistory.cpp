#include "timespace/RowHistory.hpp"

#include <algorithm>
#include <new>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {
constexpr std::align_val_t kAlignment{64};  // a cache line, and the widest vector register
}

void RowHistory::Slot::Allocate(std::size_t width, IRowStore* store) {
  Free();
  store_ = store;
  data_ = store != nullptr ? store->Take(width)
                           : static_cast<double*>(::operator new[](width * sizeof(double), kAlignment));
  capacity_ = width;
  std::fill_n(data_, width, 0.0);
}

void RowHistory::Slot::View(const double* data) {
  Free();
  data_ = const_cast<double*>(data);  // nobody writes to a slot without capacity
}

void RowHistory::Slot::TakeOver(Slot& other) noexcept {
  Free();
  data_ = std::exchange(other.data_, nullptr);
  capacity_ = std::exchange(other.capacity_, 0);
  store_ = other.store_;
}

void RowHistory::Slot::Free() noexcept {
  if (capacity_ > 0 && store_ != nullptr) {
    store_->Give(data_, capacity_);
  } else if (capacity_ > 0) {
    ::operator delete[](data_, kAlignment);
  }
  data_ = nullptr;
  capacity_ = 0;
}

std::size_t RowHistory::TakeSlot() {
  if (free_.empty()) {
    slots_.emplace_back();
    free_.push_back(slots_.size() - 1);
    free_.reserve(slots_.size());
  }
  const std::size_t slot = free_.back();
  free_.pop_back();
  return slot;
}

void RowHistory::Release(std::size_t slot) {
  if (slots_[slot].IsView()) slots_[slot].Free();
  free_.push_back(slot);
}

std::span<double> RowHistory::NextRow(std::size_t width) {
  if (!writing_) {
    next_slot_ = TakeSlot();
    writing_ = true;
  }
  Slot& slot = slots_[next_slot_];
  if (slot.Capacity() < width) slot.Allocate(width, store_);
  next_size_ = width;
  return {slot.Data(), width};
}

void RowHistory::CheckNewest(Stamp end) const {
  if (!Empty() && !Before(LatestEnd(), end)) {
    throw RangeError({}, "expected a row later than the newest one, found one that does not end after it",
                     "let time advance at each step");
  }
}

void RowHistory::Commit(Stamp begin, Days duration) {
  if (!writing_) throw RangeError({}, "expected a row to commit, found none", "call NextRow first");
  CheckNewest(begin + duration);
  if (head_ > 16 && head_ * 2 > entries_.size()) {
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }
  entries_.push_back({begin, duration, next_slot_, next_size_});
  writing_ = false;
}

void RowHistory::AppendView(Stamp begin, Days duration, std::span<const double> values) {
  CheckNewest(begin + duration);
  NextRow(0);
  slots_[next_slot_].View(values.data());
  next_size_ = values.size();
  Commit(begin, duration);
}

void RowHistory::OwnRows() {
  for (std::size_t row = 0; row < Count(); ++row) {
    const Entry& entry = entries_[head_ + row];
    Slot& slot = slots_[entry.slot];
    if (!slot.IsView()) continue;
    const double* values = slot.Data();
    Slot own;
    own.Allocate(std::max<std::size_t>(entry.size, 1), store_);
    std::copy_n(values, entry.size, own.Data());
    slot.TakeOver(own);
  }
}

void RowHistory::Append(Stamp begin, Days duration, std::span<const double> values) {
  if (!Empty() && SameTime(LatestEnd(), begin + duration)) DropLast();
  const std::span<double> row = NextRow(values.size());
  std::copy(values.begin(), values.end(), row.begin());
  Commit(begin, duration);
}

void RowHistory::DropLast() {
  Release(entries_.back().slot);
  entries_.pop_back();
  ++trimmed_;  // so that whoever counts rows sees the next one as a new one
}

void RowHistory::TrimBefore(Stamp earliest) {
  while (Count() >= 2 && !Before(earliest, End(1))) {
    Release(entries_[head_].slot);
    ++head_;
    ++trimmed_;
  }
}

void RowHistory::PutBack(Stamp begin, Days duration, std::span<const double> values) {
  if (Empty() || !Before(begin + duration, End(0))) {
    throw RangeError({}, "expected a row earlier than the oldest one, found one that does not end before it",
                     "put back what TrimBefore forgot");
  }
  const std::size_t slot = TakeSlot();
  if (slots_[slot].Capacity() < values.size()) slots_[slot].Allocate(values.size(), store_);
  std::copy(values.begin(), values.end(), slots_[slot].Data());
  const Entry entry{begin, duration, slot, values.size()};
  if (head_ > 0) {
    entries_[--head_] = entry;
  } else {
    entries_.insert(entries_.begin(), entry);
  }
  if (trimmed_ > 0) --trimmed_;
}

void RowHistory::TrimAfter(Stamp latest) {
  while (!Empty() && Before(latest, LatestEnd())) DropLast();
}

void RowHistory::Clear() {
  while (!Empty()) DropLast();
  entries_.clear();
  head_ = 0;
  if (writing_) {
    Release(next_slot_);
    writing_ = false;
  }
}

std::size_t RowHistory::LastEndingBy(Stamp time) const {
  const std::size_t count = Count();
  for (std::size_t back = 1; back <= std::min<std::size_t>(count, 4); ++back) {
    if (!Before(time, End(count - back))) return count - back;
  }
  if (count <= 4) return count;
  std::size_t low = 0;
  std::size_t high = count - 4;  // rows from here on end after `time`
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (Before(time, End(middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low == 0 ? count : low - 1;
}

}  // namespace openmi
