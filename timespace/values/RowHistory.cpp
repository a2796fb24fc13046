#include "timespace/values/RowHistory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr std::align_val_t kAlignment{64};  // a cache line, and the widest vector register
constexpr std::size_t kLineDoubles = 64 / sizeof(double);
constexpr std::size_t kShortRow = 32;    // rows of up to this many doubles are allocated several at a time
constexpr std::size_t kFirstPlaces = 8;  // so that short rows are trimmed only every few steps

}  // namespace

std::unique_ptr<double, RowMemory::Free> RowMemory::NewBlock(std::size_t size) const {
  size = std::max<std::size_t>(size, 1);
  auto* const data = store_ != nullptr ? store_->Take(size)
                                       : static_cast<double*>(::operator new[](size * sizeof(double), kAlignment));
  std::fill_n(data, size, 0.0);
  return {data, Free{size, store_}};
}

void RowMemory::Free::operator()(double* data) const {
  if (store != nullptr) {
    store->Give(data, size);
  } else {
    ::operator delete[](data, kAlignment);
  }
}

double* RowMemory::Renew(const double* old, std::size_t size) {
  Block block{NewBlock(size), false};
  double* const data = block.data.get();
  const auto replaced = old == nullptr
                            ? blocks_.end()
                            : std::ranges::find_if(blocks_, [old](const Block& other) { return other.IsOnly(old); });
  if (replaced != blocks_.end()) {
    *replaced = std::move(block);
  } else {
    blocks_.push_back(std::move(block));
  }
  return data;
}

void RowHistory::Grow(std::size_t width) {
  const std::size_t more = std::max(kFirstPlaces, ring_.size() / 2);
  std::vector<Slot> ring;
  ring.reserve(ring_.size() + more);
  const std::size_t used = count_ + (writing_ ? 1 : 0);
  for (std::size_t row = 0; row < used; ++row) ring.push_back(At(row));
  ring.resize(used + more);
  if (width <= kShortRow && !HasStore()) {  // a store gives separate rows
    // Rows of at least a cache line start on one; shorter rows share lines.
    const std::size_t apart = width < kLineDoubles ? std::max<std::size_t>(width, 1)
                                                   : (width + kLineDoubles - 1) / kLineDoubles * kLineDoubles;
    double* const data = memory_.TakeShared(more * apart);
    for (std::size_t place = 0; place < more; ++place) {
      ring[used + place].data = data + place * apart;
      ring[used + place].capacity = apart;
    }
  }
  ring_ = std::move(ring);
  head_ = 0;
  Locate();
}

void RowHistory::Provide(Slot& slot, std::size_t width) {
  Slot& spare = At(ring_.size() - 1);  // the slot of the row discarded last
  if (&spare != &slot && spare.capacity >= width && !writing_) return std::swap(slot, spare);
  Renew(slot, width);
}

void RowHistory::Renew(Slot& slot, std::size_t width) {
  slot.data = memory_.Renew(slot.capacity > 0 ? slot.data : nullptr, width);
  slot.capacity = width;
}

void RowHistory::RefuseCommit() const {
  if (!writing_) throw RangeError({}, "expected a row to commit, found none", "call NextRow first");
  RefuseOlder();
}

void RowHistory::RefuseOlder() const {
  throw RangeError({}, "expected a row later than the newest one, found one that does not end after it",
                   "let time advance at each step");
}

void RowHistory::Append(Stamp begin, Days duration, std::span<const double> values) {
  if (!Empty() && SameTime(LatestEnd(), begin + duration)) DropLast();
  const std::span<double> row = NextRow(values.size());
  std::copy(values.begin(), values.end(), row.begin());
  Commit(begin, duration);
}

void RowHistory::AppendView(Stamp begin, Days duration, std::span<const double> values, IRowFetcher* fetcher) {
  if (!IsNewer(begin + duration)) RefuseOlder();
  if (next_ == nullptr) Grow(kShortRow + 1);  // slots without memory
  Slot& slot = *next_;
  if (slot.capacity > 0) memory_.FreeOnly(slot.data);
  slot.data = const_cast<double*>(values.data());  // slots without capacity are never written
  slot.size = values.size();
  slot.capacity = 0;
  writing_ = true;
  Commit(begin, duration);
  if (fetcher != nullptr) fetcher_ = fetcher;
}

void RowHistory::FetchRows() const {
  IRowFetcher* const fetcher = std::exchange(fetcher_, nullptr);  // it reads the history too
  if (fetcher == nullptr) return;
  try {
    fetcher->Fetch(*this);
  } catch (...) {
    fetcher_ = fetcher;
    throw;
  }
}

void RowHistory::OwnRows() {
  FetchRows();
  for (std::size_t row = 0; row < count_; ++row) {
    Slot& slot = At(row);
    if (slot.capacity > 0) continue;
    const double* const others = slot.data;
    Renew(slot, slot.size);
    std::copy_n(others, slot.size, slot.data);
  }
}

void RowHistory::DropLast() {
  if (writing_) std::swap(At(count_ - 1), At(count_));  // keeps the row that is being written
  --count_;
  ++trimmed_;  // so that callers that count rows see the next one as new
  Locate();
  ShowLatest();
}

void RowHistory::PutBack(Stamp begin, Days duration, std::span<const double> values) {
  if (Empty() || !Before(begin + duration, End(0))) {
    throw RangeError({}, "expected a row earlier than the oldest one, found one that does not end before it",
                     "put back what TrimBefore forgot");
  }
  if (count_ + (writing_ ? 1 : 0) == ring_.size()) Grow(values.size());
  Slot& slot = At(ring_.size() - 1);  // the slot before the oldest row
  if (slot.capacity < values.size()) Renew(slot, values.size());
  std::copy(values.begin(), values.end(), slot.data);
  slot.begin = begin;
  slot.duration = duration;
  slot.size = values.size();
  head_ = RingPlace(ring_.size() - 1);
  ++count_;
  if (trimmed_ > 0) --trimmed_;
  Locate();
}

void RowHistory::TrimAfter(Stamp latest) {
  while (!Empty() && Before(latest, LatestEnd())) DropLast();
}

void RowHistory::Clear() {
  writing_ = false;
  while (!Empty()) DropLast();
}

std::size_t RowHistory::FindEndingBy(Stamp time) const {
  std::size_t low = 0;
  std::size_t high = count_ < 2 ? 0 : count_ - 2;  // rows from here on end after `time`
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (Before(time, End(middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low == 0 ? count_ : low - 1;
}

void WriteRows(StateWriter& writer, const RowHistory& rows) {
  writer.Write(static_cast<std::int64_t>(rows.Count()));
  for (std::size_t i = 0; i < rows.Count(); ++i) {
    writer.Write(rows.Begin(i).mjd);
    writer.Write(rows.Duration(i).count);
    writer.Write(rows.Row(i));
  }
}

RowHistory ReadRows(StateReader& reader, std::optional<std::size_t> width) {
  RowHistory rows;
  const std::int64_t count = reader.ReadInteger();
  for (std::int64_t i = 0; i < count; ++i) {
    const Stamp begin{reader.ReadDouble()};
    const Days duration{reader.ReadDouble()};
    const std::vector<double> row = reader.ReadDoubles();
    if (width && row.size() != *width) {
      throw FormatError({}, fmt::format("expected {} elements in a state, found {}", *width, row.size()),
                        "restore it with the arguments it was kept with");
    }
    if (!(duration.count >= 0.0) || !Before(rows.LatestEnd(), begin + duration)) {
      throw FormatError({}, "expected rows one after the other in a state, found one that does not end after the last",
                        "use an intact copy");
    }
    rows.Append(begin, duration, row);
  }
  return rows;
}

void ReplaceRows(RowHistory& history, const RowHistory& rows) {
  history.Clear();
  for (std::size_t i = 0; i < rows.Count(); ++i) history.Append(rows.Begin(i), rows.Duration(i), rows.Row(i));
}

}  // namespace openmi
