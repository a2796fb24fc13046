#include "timespace/times/TimeSet.hpp"

#include <cmath>
#include <limits>

namespace openmi {

Stamp Time::End() const {
  if (std::isinf(duration_.count) && duration_.count > 0) return kFarFuture;
  return stamp_ + duration_;
}

Stamp EndOf(const ITime& time) {
  return Time(Stamp{time.StampAsModifiedJulianDay()}, Days{time.DurationInDays()}).End();
}

TimeSet::TimeSet(bool has_durations)
    : horizon_(kFarPast, Days{std::numeric_limits<double>::infinity()}), has_durations_(has_durations) {}

TimeSet::TimeSet(const TimeSet& other) {
  *this = other;
}

TimeSet& TimeSet::operator=(const TimeSet& other) {
  if (this == &other) return *this;
  times_ = other.times_;
  horizon_ = other.horizon_;
  horizon_end_ = other.horizon_end_;
  offset_from_utc_in_hours_ = other.offset_from_utc_in_hours_;
  has_durations_ = other.has_durations_;
  Relist();
  return *this;
}

void TimeSet::Clear() {
  times_.clear();
  list_.clear();
}

void TimeSet::Assign(std::span<const Time> times) {
  times_.Assign(times);
  Relist();
}

void TimeSet::Relist() {
  list_.clear();
  for (const Time& time : times_.Items()) list_.push_back(&time);
}

}  // namespace openmi
