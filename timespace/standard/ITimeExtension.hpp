#pragma once

#include "timespace/standard/ITimeSet.hpp"

namespace openmi {

/// States the time span in which a component can run.
///
/// Source: OGC 11-014r3, requirement 12.3 (/req/linkable-component/ITimeExtension), table 34.
class ITimeExtension {
 public:
  virtual ~ITimeExtension() = default;

  /// The times in which the component can run; the time horizon of the set is the span.
  virtual const ITimeSet& TimeExtent() const = 0;
};

}  // namespace openmi
