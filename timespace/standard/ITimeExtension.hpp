#pragma once

#include "timespace/standard/ITimeSet.hpp"

namespace openmi {

/// Tells in which time a component can run.
///
/// Source: OGC 11-014r3, requirement 12.3 (/req/linkable-component/ITimeExtension), table 34.
class ITimeExtension {
 public:
  virtual ~ITimeExtension() = default;

  /// The span the component can run in; its horizon says how far that goes.
  virtual const ITimeSet& TimeExtent() const = 0;
};

}  // namespace openmi
