#include "timespace/RowHistory.hpp"

#include <algorithm>
#include <new>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {
constexpr std::align_val_t kAlignment{64};  // a cache line, and the widest vector register
}

void RowHistory::Slot::Free::operator()(double* data) const {
  ::operator delete[](data, kAlignment);
}

std::span<double> RowHistory::NextRow(std::size_t width) {
  if (!writing_) {
    if (free_.empty()) {
      slots_.emplace_back();
      free_.push_back(slots_.size() - 1);
      free_.reserve(slots_.size());
    }
    next_slot_ = free_.back();
    free_.pop_back();
    writing_ = true;
  }
  Slot& slot = slots_[next_slot_];
  if (slot.capacity < width) {
    slot.data.reset(static_cast<double*>(::operator new[](width * sizeof(double), kAlignment)));
    std::fill_n(slot.data.get(), width, 0.0);
    slot.capacity = width;
  }
  next_size_ = width;
  return {slot.data.get(), width};
}

void RowHistory::Commit(Stamp begin, Days duration) {
  if (!writing_) throw RangeError({}, "expected a row to commit, found none", "call NextRow first");
  if (!Empty() && !Before(LatestEnd(), begin + duration)) {
    throw RangeError({}, "expected a row later than the newest one, found one that does not end after it",
                     "let time advance at each step");
  }
  if (head_ > 16 && head_ * 2 > entries_.size()) {
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }
  entries_.push_back({begin, duration, next_slot_, next_size_});
  writing_ = false;
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
