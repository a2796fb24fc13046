#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "fmi-bridge/fmi/run/Clocks.hpp"
#include "fmi-bridge/fmi/run/IStepper.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::fmi {

/// The work in event mode, which is the same for co-simulation and model exchange.
///
/// Clocks tick, inputs that may change only there are set, discrete states are iterated, and outputs that are
/// accessible only there are read.
class EventMode {
 public:
  EventMode(Instance& instance, StepperHooks hooks)
      : instance_(instance), hooks_(std::move(hooks)), clocks_(instance) {}

  /// Reads the intervals of clocks, in initialization mode.
  void Initialize(double time) { clocks_.Start(instance_, time); }
  /// The time of the next event: a time event of the FMU, or a clock. Infinity if there is none.
  double Next() const { return std::min(next_time_, clocks_.Next()); }
  /// Handles one event. Neither enters nor leaves event mode.
  /// \param inputs            whether inputs are set: not at the first event, which uses the start values only
  /// \param nominals_changed  set to true if the nominals of states have changed
  /// \returns whether the FMU requests the end of the simulation
  bool Handle(double time, bool inputs, bool& nominals_changed);
  const StepperHooks& Hooks() const { return hooks_; }
  Clocks& ItsClocks() { return clocks_; }
  const Clocks& ItsClocks() const { return clocks_; }

  void Save(StateWriter& writer) const;
  void Load(StateReader& reader);

 private:
  Instance& instance_;
  StepperHooks hooks_;
  Clocks clocks_;
  double next_time_ = std::numeric_limits<double>::infinity();
};

}  // namespace openmi::fmi
