#pragma once

#include <cstdint>

#include "timespace/times/Stamp.hpp"

namespace openmi {

/// A component that states its present time and the end of its next step.
///
/// Optional interface. The engine uses it for progress and for the order of updates. For components without it the
/// engine reads the time sets of their outputs.
class ISteps {
 public:
  virtual ~ISteps() = default;
  /// The end of the last step, UTC; before the first step the start of the run.
  virtual Stamp CurrentTime() const = 0;
  /// The end of the next step, UTC.
  virtual Stamp NextTime() const = 0;
  /// The number of steps since `Prepare`.
  virtual std::uint64_t StepCount() const = 0;
};

/// A component whose next step can be shortened.
///
/// Optional interface. An iterated loop that does not converge tries again with shorter steps when all its members
/// allow it.
class IStepLimit {
 public:
  virtual ~IStepLimit() = default;
  /// Whether steps can be shortened; false for a component whose steps cannot be divided.
  virtual bool CanShortenSteps() const = 0;
  /// Ends the next step at `end` (UTC) when it would end later. Later steps are not affected.
  ///
  /// The limit ends when a state is restored.
  /// \throws RangeError  `end` is not after the present time, or steps cannot be shortened
  virtual void ShortenNextStep(Stamp end) = 0;
};

/// A component that makes one iteration of its own solver in each update of an iterated loop, instead of a whole step.
///
/// Optional interface. The step of the loop ends only when all such members have converged too.
class IConverges {
 public:
  virtual ~IConverges() = default;
  /// Whether the last update has converged; true for a component that makes whole steps.
  virtual bool HasConverged() const = 0;
};

}  // namespace openmi
