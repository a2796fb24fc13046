#pragma once

#include <limits>
#include <span>
#include <typeinfo>

#include "openmi/sdk/Few.hpp"
#include "timespace/standard/ITimeSet.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

/// A stamp, or a span that starts at the stamp.
class Time final : public ITime {
 public:
  Time() = default;
  explicit Time(Stamp stamp, Days duration = {}) : stamp_(stamp), duration_(duration) {}

  double DurationInDays() const override { return duration_.count; }
  double StampAsModifiedJulianDay() const override { return stamp_.mjd; }

  Stamp Begin() const { return stamp_; }
  Days Duration() const { return duration_; }
  /// The end; well defined for infinite horizons too.
  Stamp End() const;

 private:
  Stamp stamp_;
  Days duration_;
};

/// The horizon from one stamp to another. Each of them may be infinite.
inline Time HorizonOf(Stamp begin, Stamp end) {
  const bool is_bounded = end != kFarFuture && begin != kFarPast;
  return Time(begin, is_bounded ? end - begin : Days{std::numeric_limits<double>::infinity()});
}

/// The end of any time. An infinite past with an infinite duration ends in the far future (not in NaN).
Stamp EndOf(const ITime& time);

/// The times of an item, with horizon and zone.
///
/// Setting at most as many times as before allocates nothing.
class TimeSet final : public ITimeSet {
 public:
  /// An empty set with a horizon from the far past to the far future.
  explicit TimeSet(bool has_durations = false);
  TimeSet(const TimeSet& other);
  TimeSet& operator=(const TimeSet& other);
  ~TimeSet() override = default;

  bool HasDurations() const override { return has_durations_; }
  double OffsetFromUtcInHours() const override { return offset_from_utc_in_hours_; }
  const ITime& TimeHorizon() const override { return horizon_; }
  std::span<const ITime* const> Times() const override { return list_.Items(); }
  /// The times as objects of type Time.
  std::span<const Time> OwnTimes() const { return times_.Items(); }

  /// The horizon as an object of type Time.
  const Time& Horizon() const { return horizon_; }
  void SetHasDurations(bool has_durations) { has_durations_ = has_durations; }
  void SetOffsetFromUtcInHours(double hours) { offset_from_utc_in_hours_ = hours; }
  /// Sets the horizon. Each of the two stamps may be infinite.
  void SetHorizon(Stamp begin, Stamp end) {
    horizon_end_ = end;
    horizon_ = HorizonOf(begin, end);
  }
  /// Moves the start of the horizon: a promise not to ask for earlier times.
  void MoveHorizonBegin(Stamp begin) {
    if (begin == horizon_.Begin()) return;
    horizon_ = HorizonOf(begin, horizon_end_);
  }
  /// Removes all times.
  void Clear();
  /// Makes one time the only time.
  void SetSingle(Stamp stamp, Days duration = {}) {
    if (times_.size() == 1) {
      times_.front() = Time(stamp, duration);
    } else {
      times_.SetOnly(Time(stamp, duration));
      Relist();
    }
  }
  /// Replaces all times.
  /// \param times  ascending; with durations above 0 when the set has durations
  void Assign(std::span<const Time> times);

 private:
  void Relist();
  // The members that every step uses come first.
  Time horizon_;
  Stamp horizon_end_ = kFarFuture;
  double offset_from_utc_in_hours_ = 0.0;
  Few<Time> times_;
  Few<const ITime*> list_;
  bool has_durations_;
};

/// The end of the last time of a set, UTC; the far past when the set is empty.
inline Stamp LastEndOf(const ITimeSet& times) {
  const double offset = times.OffsetFromUtcInHours();
  Stamp end = kFarPast;
  if (&typeid(times) == &typeid(TimeSet)) {  // the common case, without virtual calls
    const std::span<const Time> own = static_cast<const TimeSet&>(times).OwnTimes();
    if (own.empty()) return end;
    end = own.back().Duration().count == 0.0 ? own.back().Begin() : own.back().End();
  } else {
    const std::span<const ITime* const> all = times.Times();
    if (all.empty()) return end;
    end = EndOf(*all.back());
  }
  return offset == 0.0 ? end : end - Hours(offset);
}

/// The start of the horizon of a set, UTC: the earliest time that a consumer with these times may still ask for.
inline Stamp HorizonBeginOf(const ITimeSet& times) {
  return Stamp{times.TimeHorizon().StampAsModifiedJulianDay() - times.OffsetFromUtcInHours() / 24.0};
}

}  // namespace openmi
