#pragma once

#include "timespace/Stamp.hpp"

namespace openmi {

/// An adapted output that may need values of its adaptee at later times than the time of a query.
///
/// Optional interface, the counterpart of IDemand, which says how far back rows are needed. The run advances the
/// providers so far before it pulls.
class ILookAhead {
 public:
  virtual ~ILookAhead() = default;
  /// The time that the adaptee must have reached for an answer for `time`.
  ///
  /// The result may be too late; it may be too early when the time is not known.
  /// \param step  the length of the provider's steps, as far as it is known; 0: not known
  virtual Stamp ReachFor(Stamp time, Days step) const = 0;
};

}  // namespace openmi
