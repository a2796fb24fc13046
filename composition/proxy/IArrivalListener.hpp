#pragma once

#include "timespace/standard/ITimeSet.hpp"
#include "timespace/standard/ITimeSpaceValueSet.hpp"

namespace openmi {

/// Is notified of each answer that a component's input receives.
class IArrivalListener {
 public:
  virtual ~IArrivalListener() = default;
  /// \param values  valid during the call only
  /// \param times   the times that were asked for
  virtual void OnArrival(const ITimeSpaceValueSet& values, const ITimeSet& times) = 0;
};

}  // namespace openmi
