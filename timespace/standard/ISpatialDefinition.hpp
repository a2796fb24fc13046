#pragma once

#include <string>

#include "openmi/standard/IDescribable.hpp"

namespace openmi {

/// The places of values.
///
/// Source: OGC 11-014r3, requirement 4.1 (/req/spatial-definition/ISpatialDefinition), table 12.
class ISpatialDefinition : public virtual IDescribable {
 public:
  /// The number of elements on the spatial axis.
  virtual int ElementCount() const = 0;

  /// The spatial reference system as OGC well-known text; empty only for id-based elements.
  virtual std::string SpatialReferenceSystemWkt() const = 0;

  /// Increases at each change of position, shape or extent of an element.
  virtual int Version() const = 0;
};

}  // namespace openmi
