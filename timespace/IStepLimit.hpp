#pragma once

#include "timespace/Stamp.hpp"

namespace openmi {

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

}  // namespace openmi
