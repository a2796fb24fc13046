#pragma once

#include "timespace/Stamp.hpp"

namespace openmi {

/// A component whose next step may be cut short. Optional; discovered by asking for it. An iterated loop that does not
/// converge tries again with shorter steps where all its members allow it.
class IStepLimit {
 public:
  virtual ~IStepLimit() = default;
  /// Whether steps may be cut at all: false where a component has steps that cannot be divided.
  virtual bool CanShortenSteps() const = 0;
  /// Lets the next step end at `end` (UTC) if it would end later; later steps are what they were. Forgotten when a
  /// state is restored. \throws RangeError  `end` is not after the present time, or steps cannot be cut
  virtual void ShortenNextStep(Stamp end) = 0;
};

}  // namespace openmi
