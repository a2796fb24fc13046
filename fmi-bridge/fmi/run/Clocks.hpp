#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "fmi-bridge/fmi/run/Instance.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi::fmi {

/// The clocks of an FMU of FMI 3.0, as an importer sees them: input clocks based on time tick when their interval says,
/// triggered input clocks when Ask was called, output and local clocks when the FMU says so in event mode.
///
/// Order of calls: Start in initialization mode; then, for each event and in event mode, Tick, for each round of it
/// Look and AfterRound, and AfterEvent at the end.
class Clocks {
 public:
  explicit Clocks(const Instance& instance);

  /// Lets a clock with a fixed or tunable interval tick at another one; before Start.
  /// \param clock  variable \param interval  above 0, in units of the independent variable
  /// \throws ArgumentError  the FMU gives the interval of that clock itself
  void SetInterval(const ModelDescription& description, Index clock, double interval);
  /// Asks for intervals and shifts, in initialization mode.
  void Start(Instance& instance, double time);
  /// The time of the next tick; infinity when there is none.
  double Next() const;
  /// Lets a triggered input clock tick at the next event. \param clock  variable
  void Ask(Index clock);
  /// Activates what is due.
  void Tick(Instance& instance, double time, double tolerance);
  /// Asks which output and local clocks tick in this round.
  void Look(Instance& instance);
  /// The round is over: no clock is active any more.
  void AfterRound();
  /// Asks for the intervals that may have changed.
  void AfterEvent(Instance& instance, double time);

  /// Whether what belongs to these clocks may be read and written now: one of them ticks, or there are none.
  bool IsActive(const std::vector<Index>& clocks) const;
  /// How often a clock has ticked. \param clock  variable
  std::int64_t TicksOf(Index clock) const;
  void Save(StateWriter& writer) const;
  void Load(StateReader& reader);
  bool Empty() const { return inputs_.empty() && outputs_.empty(); }

 private:
  struct Input {
    ValueReference reference = 0;
    Index variable = kNowhere;
    IntervalVariability kind = IntervalVariability::Triggered;
    bool given = false;         // the interval stands in the description
    bool is_new_given = false;  // or was set, which the FMU has to learn
    bool as_fraction = false;   // the FMU counts in fractions
    ClockSpan interval, shift;
    double start = 0.0;
    std::int64_t due = 0;    // ticks that the interval has brought
    std::int64_t ticks = 0;  // all
    double next = std::numeric_limits<double>::infinity();
    bool asked = false;
    bool active = false;
    bool ticked = false;  // at this event

    bool IsPeriodic() const { return kind <= IntervalVariability::Tunable; }
    double TimeOfTick(std::int64_t number) const;
  };
  struct Output {
    ValueReference reference = 0;
    Index variable = kNowhere;
    std::int64_t ticks = 0;
    bool active = false;
  };
  void AskInterval(Instance& instance, Input& clock, double time);

  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<ValueReference> output_references_;
  std::unique_ptr<bool[]> output_states_;
  std::vector<ValueReference> due_;
  std::unique_ptr<bool[]> all_true_;  // one for each input clock
};

}  // namespace openmi::fmi
