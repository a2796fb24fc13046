#include "fmi-bridge/export/OutputTap.hpp"

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Missing.hpp"

namespace openmi::exported {

void OutputTap::OnRow(Stamp begin, Days duration, std::span<const double> row) {
  const Stamp end = begin + duration;
  while (count_ > 0 && !Before(rows_[count_ - 1].end, end))
    --count_;  // the component went back in time, or replaces the last row
  if (count_ == rows_.size()) rows_.emplace_back();
  Row& place = rows_[count_++];
  place.begin = begin;
  place.end = end;
  place.values.resize(width_, kNotANumber);
  const std::size_t size = std::min(width_, row.size());
  for (std::size_t i = 0; i < size; ++i) place.values[i] = IsMissing(row[i], missing_) ? kNotANumber : row[i];
  std::fill(place.values.begin() + static_cast<std::ptrdiff_t>(size), place.values.end(), kNotANumber);
}

double OutputTap::TicksOf(Stamp time) const {
  return std::round((time - start_).count * kMicrosPerDay);
}

void OutputTap::DropFirst(std::size_t count) {
  if (count == 0) return;
  std::rotate(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(count), rows_.end());
  count_ -= count;
}

void OutputTap::ValueAt(Stamp time, double* row) {
  std::size_t next = 0;  // the first row that ends after `time`
  while (next < count_ && !Before(time, rows_[next].end)) ++next;
  const Row* before = next > 0 ? &rows_[next - 1] : nullptr;
  const Row* after = next < count_ ? &rows_[next] : nullptr;
  const bool is_exact = before != nullptr && SameTime(before->end, time);
  const bool is_span = after != nullptr && Before(after->begin, after->end);
  if (is_exact || (before != nullptr && after == nullptr)) {
    std::ranges::copy(before->values, row);
  } else if (is_span && !Before(time, after->begin)) {
    std::ranges::copy(after->values, row);
  } else if (before != nullptr && is_span) {
    std::ranges::copy(before->values, row);
  } else if (before != nullptr) {
    const double length = TicksOf(after->end) - TicksOf(before->end);
    const double part = length > 0.0 ? (TicksOf(time) - TicksOf(before->end)) / length : 0.0;
    for (std::size_t i = 0; i < width_; ++i) {
      row[i] = before->values[i] + part * (after->values[i] - before->values[i]);
    }
  } else {
    std::fill(row, row + width_, kNotANumber);
  }
  if (next > 1) DropFirst(next - 1);
}

void OutputTap::SaveState(StateWriter& writer) const {
  writer.Write(static_cast<std::int64_t>(count_));
  for (std::size_t i = 0; i < count_; ++i) {
    writer.Write(rows_[i].begin.mjd);
    writer.Write(rows_[i].end.mjd);
    writer.Write(rows_[i].values);
  }
}

void OutputTap::LoadState(StateReader& reader) {
  count_ = 0;
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    if (count_ == rows_.size()) rows_.emplace_back();
    Row& row = rows_[count_];
    row.begin = Stamp{reader.ReadDouble()};
    row.end = Stamp{reader.ReadDouble()};
    row.values.resize(width_);
    reader.ReadDoubles(row.values);
    ++count_;
  }
}

}  // namespace openmi::exported
