#pragma once

#include <cstdint>

#include "timespace/times/Stamp.hpp"

namespace openmi::fmi {

/// The communication steps of an FMU, in the FMU's own time.
///
/// Whole steps are counted, so that no rounding errors come from sums or divisions. A step starts where another one
/// ended. Ticks are nanoseconds since the start of the run.
class StepTimes {
 public:
  /// Sets the length of a unit of the FMU's time, in s.
  void SetUnit(double seconds) { seconds_per_unit_ = seconds; }
  /// A length of time in units of the FMU. Stamps are exact to a microsecond.
  double InUnits(Days length) const;
  /// Starts a run.
  /// \param begin  the FMU's time at the start of the run
  /// \param step   length of a whole step
  void Start(double begin, Days step);
  /// Changes the FMU's time at the start of the run.
  void MoveBegin(double begin);
  /// The FMU's time at the start of the run.
  double Begin() const { return begin_; }
  /// The time from the start of the run to a time of the FMU.
  Days SinceStart(double time) const { return Seconds((time - begin_) * seconds_per_unit_); }
  double At(std::int64_t ticks) const;
  /// The FMU's time at the end of a run of that length.
  /// \param whole  the last step is not shortened, and may end after the run
  double EndOf(Days run, bool whole) const;

  /// Finds the present step.
  /// \param ticks        at its start
  /// \param is_whole     whether it ends where a whole step ends
  /// \param since_start  its end, since the start of the run
  void Find(std::int64_t ticks, bool is_whole, Days since_start) {
    if (ticks != next_ticks_ || !is_whole) [[unlikely]]
      return FindOther(ticks, is_whole, since_start);
    from_ = until_;
    ++next_number_;
    next_ticks_ += step_ticks_;
    until_ = begin_ + static_cast<double>(next_number_) * step_;
    length_ = step_;
  }
  /// The present step.
  double From() const { return from_; }
  double Until() const { return until_; }
  double Length() const { return length_; }

 private:
  void FindOther(std::int64_t ticks, bool is_whole, Days since_start);

  double begin_ = 0.0;
  double seconds_per_unit_ = 1.0;
  double step_ = 0.0;  // of a whole step
  std::int64_t step_ticks_ = 0;
  double from_ = 0.0;
  double until_ = 0.0;
  double length_ = 0.0;
  // The number and the ticks of the whole step that would start at until_; -1: none does.
  std::int64_t next_number_ = -1;
  std::int64_t next_ticks_ = -1;
};

}  // namespace openmi::fmi
