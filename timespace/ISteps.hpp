#pragma once

#include <cstdint>

#include "timespace/Stamp.hpp"

namespace openmi {

/// A component that tells how far it is and how far its next step goes. The engine asks it for progress and for its
/// order of updates; components without this door are read from their outputs' time sets.
class ISteps {
 public:
  virtual ~ISteps() = default;
  /// The end of the last step, UTC; the begin of the run before the first.
  virtual Stamp CurrentTime() const = 0;
  /// The end of the next step, UTC.
  virtual Stamp NextTime() const = 0;
  /// How many steps were made since Prepare.
  virtual std::uint64_t StepCount() const = 0;
};

}  // namespace openmi
