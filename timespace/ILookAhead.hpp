#pragma once

#include "timespace/Stamp.hpp"

namespace openmi {

/// An adapted output that may need its adaptee further than the time it is asked for: the mirror of how far back it
/// needs rows. The run brings providers there before it pulls.
class ILookAhead {
 public:
  virtual ~ILookAhead() = default;
  /// How far the adaptee has to be for an answer for `time`. May be too late, and too early where that is not known.
  /// \param step  the length of the provider's steps, as far as it is known; 0 where it is not
  virtual Stamp ReachFor(Stamp time, Days step) const = 0;
};

}  // namespace openmi
