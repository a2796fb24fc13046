#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "fmi-bridge/fmi/run/Clocks.hpp"
#include "fmi-bridge/fmi/run/IStepper.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi::fmi {

/// What happens to an instance in event mode, the same for co-simulation and model exchange: clocks tick, inputs that
/// may change there are set, discrete states are iterated, and what may be read there only is read.
class EventMode {
 public:
  EventMode(Instance& instance, StepperHooks hooks)
      : instance_(instance), hooks_(std::move(hooks)), clocks_(instance) {}

  /// In initialization mode: asks for the intervals of clocks.
  void Initialize(double time) { clocks_.Start(instance_, time); }
  /// When the next event is due: a time event of the FMU, or a clock. Infinity when none is.
  double Next() const { return std::min(next_time_, clocks_.Next()); }
  /// One event, in event mode, which it neither enters nor leaves.
  /// \param inputs             whether inputs are set: not at the first event, which knows the start values only
  /// \param nominals_changed   set to true where the nominals of states are others now
  /// \returns whether the FMU asks to end
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
