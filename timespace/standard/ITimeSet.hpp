#pragma once

#include <span>

#include "timespace/standard/ITime.hpp"

namespace openmi {

/// The times of an exchange item: those an output has values at, or an input wants values at.
///
/// Source: OGC 11-014r3, requirement 5.2 (/req/temporal-definition/ITimeSet), table 15.
class ITimeSet {
 public:
  virtual ~ITimeSet() = default;

  /// Whether the times are spans; then each has a duration above 0.
  virtual bool HasDurations() const = 0;

  /// The zone of all stamps of the set, in hours; halves are legal. UTC = stamp - offset / 24.
  virtual double OffsetFromUtcInHours() const = 0;

  /// On an input, what it may ever ask for: the provider can rely on it, and may forget what is before its begin. On an
  /// output, what it can deliver. A begin of minus infinity is the far past, a duration of plus infinity the far
  /// future.
  virtual const ITime& TimeHorizon() const = 0;

  /// In ascending order. Empty on an output: nothing available yet; on an input: nothing needed now.
  /// Good until the set changes.
  virtual std::span<const ITime* const> Times() const = 0;
};

}  // namespace openmi
