#pragma once

#include <mono/metadata/object.h>

#include <memory>

#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi::dotnet {

/// The places of an item of a component, which may replace them at any time.
class Places {
 public:
  /// The present places of an item; null: it has none. Valid until the item has others.
  std::shared_ptr<const ISpatialDefinition> Of(int item) const;

 private:
  mutable std::shared_ptr<const ISpatialDefinition> present_;
  mutable int number_ = 0;
};

/// Places of the engine as ElementCopy (Copies.cs) reads them: type, reference system, caption, ids, vertices of each
/// element, X, Y, and Z or null.
MonoArray* ToMonoPlaces(const ISpatialDefinition& places);

}  // namespace openmi::dotnet
