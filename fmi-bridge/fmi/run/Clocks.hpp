#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "fmi-bridge/fmi/run/Instance.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::fmi {

/// An input clock of an FMU, which the importer makes tick.
class InputClock {
 public:
  /// \param index  of the variable
  InputClock(const Variable& variable, Index index, const ClockAttributes& attributes);
  Index VariableIndex() const { return variable_; }
  ValueReference Reference() const { return reference_; }
  /// The time of the next tick; infinity if there is none.
  double Next() const { return next_; }
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
  /// Activates the clock if it is due.
  /// \returns whether it ticks
  bool Tick(double time, double tolerance);
  void AfterRound() { is_active_ = false; }
  /// Reads the interval if it may have changed.
  void AfterEvent(Instance& instance, double time);
  void Save(StateWriter& writer) const;
  void Load(StateReader& reader);

 private:
  bool IsPeriodic() const { return kind_ <= IntervalVariability::Tunable; }
  double TimeOfTick(std::int64_t number) const;
  void AskInterval(Instance& instance, double time);

  ValueReference reference_;
  Index variable_;
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
/// AfterRound, and AfterEvent at the end.
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
