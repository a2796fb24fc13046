#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "fmi-bridge/fmi/run/Instance.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi::fmi {

/// The clocks of FMI 3.0 that an importer ticks: those based on time, each when its interval says; and those that tick
/// when somebody asks for it.
class InputClocks {
 public:
  explicit InputClocks(const Instance& instance);

  /// Asks for intervals and shifts, in initialization mode.
  void Start(Instance& instance, double time);
  /// The time of the next tick; infinity when there is none.
  double Next() const;
  /// Lets a triggered input clock tick at the next event. \param clock  position in ModelDescription::clocks
  void Ask(Index clock);
  bool IsAsked() const { return asked_; }
  /// Activates what is due, in event mode.
  void Tick(Instance& instance, double time, double tolerance);
  /// Asks for the intervals that may have changed, in event mode after the iteration.
  void AfterEvent(Instance& instance, double time);
  void Save(StateWriter& writer) const;
  void Load(StateReader& reader);
  bool Empty() const { return clocks_.empty(); }

 private:
  struct Clock {
    ValueReference reference = 0;
    Index clock = kNowhere;
    IntervalVariability kind = IntervalVariability::Triggered;
    double interval = 0.0;
    double first = 0.0;      // time of tick 0
    std::int64_t ticks = 0;  // made since then
    double next = std::numeric_limits<double>::infinity();
    bool given = false;  // the interval stands in the description
    bool asked = false;
    bool ticked = false;
  };
  std::vector<Clock> clocks_;
  std::vector<ValueReference> references_;
  bool asked_ = false;
};

}  // namespace openmi::fmi
