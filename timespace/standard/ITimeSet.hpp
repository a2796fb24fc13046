#pragma once

#include <span>

#include "timespace/standard/ITime.hpp"

namespace openmi {

/// The times of an exchange item: at which an output has values, or at which an input needs values.
///
/// Source: OGC 11-014r3, requirement 5.2 (/req/temporal-definition/ITimeSet), table 15.
class ITimeSet {
 public:
  virtual ~ITimeSet() = default;

  /// Whether the times are spans. Each span has a duration above 0.
  virtual bool HasDurations() const = 0;

  /// The time zone of all stamps of the set, in hours: UTC = stamp - offset / 24. Half hours are allowed.
  virtual double OffsetFromUtcInHours() const = 0;

  /// The span that all times of the item lie in.
  ///
  /// On an input: the times that the input will ever ask for. The provider can rely on it and may discard values before
  /// its start. On an output: the times that the output can deliver. A start of minus infinity is the far past, a
  /// duration of plus infinity the far future.
  virtual const ITime& TimeHorizon() const = 0;

  /// The times in ascending order; valid until the set changes.
  ///
  /// An empty list means on an output that no values are available yet, and on an input that it needs none now.
  virtual std::span<const ITime* const> Times() const = 0;
};

}  // namespace openmi
