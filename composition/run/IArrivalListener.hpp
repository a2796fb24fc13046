#pragma once

#include "timespace/standard/ITimeSet.hpp"
#include "timespace/standard/ITimeSpaceValueSet.hpp"

namespace openmi {

/// Hears each answer that a component's input is given.
class IArrivalListener {
 public:
  virtual ~IArrivalListener() = default;
  /// \param values  good during the call only
  /// \param times   what was asked
  virtual void OnArrival(const ITimeSpaceValueSet& values, const ITimeSet& times) = 0;
};

}  // namespace openmi
