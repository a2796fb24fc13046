#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "fmi-bridge/fmi/run/Instance.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::fmi {

/// Ticks of a clock that are spread evenly over a step, the last one at its end.
struct AskedTicks {
  double from = 0.0;
  double to = 0.0;
  std::int64_t count = 0;
  std::int64_t done = 0;
  /// The time of the next one; infinity if all were made.
  double Next() const {
    if (done == count) return std::numeric_limits<double>::infinity();
    return done + 1 == count ? to : from + (to - from) * static_cast<double>(done + 1) / static_cast<double>(count);
  }
};

/// An input clock of an FMU, which the importer makes tick.
class InputClock {
 public:
  /// \param index  of the variable
  InputClock(const Variable& variable, Index index, const ClockAttributes& attributes);
  Index VariableIndex() const { return variable_; }
  ValueReference Reference() const { return reference_; }
  /// The time of the next tick; infinity if there is none.
  double Next() const { return std::min(next_, asked_.Next()); }
  /// The time of the last tick in scheduled execution; minus infinity before the first.
  double Last() const { return last_; }
  std::uint32_t Priority() const { return priority_; }
  bool IsActive() const { return is_active_; }
  std::int64_t Ticks() const { return ticks_; }

  /// Whether it has a fixed or tunable interval, which the description gives.
  bool CanSetInterval() const {
    return is_given_ && (kind_ == IntervalVariability::Fixed || kind_ == IntervalVariability::Tunable);
  }
  /// Sets another interval.
  /// \pre  CanSetInterval; the interval is above 0
  void SetInterval(double interval);
  /// Reads interval and shift, in initialization mode.
  void Start(Instance& instance, double time);
  /// Makes the clock tick at the next event.
  void Ask() { is_asked_ = true; }
  /// Spreads ticks evenly over a step; the last one is at its end.
  void AskWithin(double from, double to, std::int64_t count) { asked_ = {from, to, count}; }
  /// Activates the clock if it is due.
  /// \returns whether it ticks
  bool Tick(double time, double tolerance);
  void AfterRound() { is_active_ = false; }
  /// Reads the interval if it may have changed.
  void AfterEvent(Instance& instance, double time);
  /// Reads the interval of a countdown clock if there is a new one.
  void Count(Instance& instance, double time);
  /// Reads the interval of a clock that gives another one after each tick.
  void Change(Instance& instance, double time);
  void Save(StateWriter& writer) const;
  void Load(StateReader& reader);

 private:
  bool IsPeriodic() const { return kind_ <= IntervalVariability::Tunable; }
  double TimeOfTick(std::int64_t number) const;
  void AskInterval(Instance& instance, double time);

  ValueReference reference_;
  Index variable_;
  std::uint32_t priority_;
  IntervalVariability kind_;
  bool is_given_ = false;      // the interval is in the description
  bool is_new_given_ = false;  // the interval was set, and must be passed to the FMU
  bool as_fraction_;           // the FMU counts in fractions
  ClockSpan interval_;
  ClockSpan shift_;
  double start_ = 0.0;
  std::int64_t due_ = 0;    // ticks required by the interval
  std::int64_t ticks_ = 0;  // all ticks
  double next_ = std::numeric_limits<double>::infinity();
  double last_ = -std::numeric_limits<double>::infinity();
  AskedTicks asked_;
  bool is_asked_ = false;
  bool is_active_ = false;
  bool has_ticked_ = false;  // at this event
};

/// The clocks of an FMU of FMI 3.0, from the view of an importer.
///
/// Time-based input clocks tick by their interval, triggered input clocks after a call of Ask, output and local clocks
/// when the FMU reports it in event mode.
///
/// Order of calls: Start in initialization mode; then for each event, in event mode: Tick, in each round Look and
/// AfterRound, and AfterEvent at the end. In scheduled execution one clock ticks at a time: First, its Tick, Announced
/// in each callback, its Change, and AfterRound.
class Clocks {
 public:
  explicit Clocks(const Instance& instance);

  /// Sets another interval for a clock with a fixed or tunable interval. Call it before Start.
  /// \param clock     index of the variable
  /// \param interval  above 0, in units of the independent variable
  /// \throws ArgumentError  the FMU sets the interval of that clock itself
  void SetInterval(const ModelDescription& description, Index clock, double interval);
  /// Reads intervals and shifts, in initialization mode.
  void Start(Instance& instance, double time);
  /// The time of the next tick; infinity if there is none.
  double Next() const;
  /// Makes a triggered input clock tick at the next event.
  /// \param clock  index of the variable
  void Ask(Index clock);
  /// Makes a triggered input clock tick within a step as often as `number` is above `made`. The ticks are spread
  /// evenly, the last one is at the end of the step; in a step without length there is one at most.
  /// \param clock  index of the variable
  /// \param made   ticks asked for so far; increased
  /// \throws ModelError  more than 1000 ticks
  void AskWithin(const Instance& instance, Index clock, double from, double to, double number, std::int64_t& made);
  /// Of the input clocks whose next tick is at `until` or before, the one with the smallest priority value, and of
  /// those the first in the description; null: there is none.
  InputClock* First(double until);
  /// Reads which output and local clocks tick, and the intervals of countdown clocks, in a callback of the FMU.
  void Announced(Instance& instance, double time);
  /// Activates the clocks that are due.
  void Tick(Instance& instance, double time, double tolerance);
  /// Reads which output and local clocks tick in this round.
  void Look(Instance& instance);
  /// Ends the round: no clock is active any more.
  void AfterRound();
  /// Reads the intervals that may have changed.
  void AfterEvent(Instance& instance, double time);

  /// Whether variables of these clocks are accessible now: one of the clocks ticks, or there are none.
  bool IsActive(const std::vector<Index>& clocks) const;
  /// The number of ticks of a clock.
  /// \param clock  index of the variable
  std::int64_t TicksOf(Index clock) const;
  void Save(StateWriter& writer) const;
  void Load(StateReader& reader);
  bool Empty() const { return inputs_.empty() && outputs_.empty(); }

 private:
  struct Output {
    Index variable = kNowhere;
    std::int64_t ticks = 0;
    bool is_active = false;
  };

  std::vector<InputClock> inputs_;
  std::vector<Output> outputs_;
  std::vector<ValueReference> output_references_;
  std::unique_ptr<bool[]> output_states_;
  std::vector<ValueReference> due_;
  std::unique_ptr<bool[]> all_true_;  // one for each input clock
};

}  // namespace openmi::fmi
