#pragma once

#include <mono/metadata/object.h>

#include <memory>

#include "dotnet-bridge/plugin/Reported.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi::dotnet {

/// The places of an item of a component, which may replace them at any time.
class Places {
 public:
  /// The present places of an item; null: it has none. Valid until the item has others.
  std::shared_ptr<const ISpatialDefinition> Of(int item) const;
  /// Takes what Border.Update reported.
  /// \param number  of the places, kept for this if they are others; 0: none
  void Report(int number, int version);
  /// The number of the places that are known; 0: none.
  int Number() const { return number_; }

 private:
  void Take(int number) const;
  mutable std::shared_ptr<const ISpatialDefinition> present_;
  mutable std::shared_ptr<Reported<int>> version_;  // of them
  mutable int number_ = 0;
  Reported<bool> is_present_;
};

/// Places of the engine as ElementCopy (Copies.cs) reads them: type, reference system, caption, ids, vertices of each
/// element, X, Y, and Z or null.
MonoArray* ToMonoPlaces(const ISpatialDefinition& places);

}  // namespace openmi::dotnet
