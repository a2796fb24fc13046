#pragma once

#include "adaptors/SpatialAdaptor.hpp"

namespace openmi {

/// Gives each target the value of the source whose point is nearest; equally near ones share (ElementMapper100).
class MapNearest final : public SpatialAdaptor {
 public:
  using SpatialAdaptor::SpatialAdaptor;

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;
};

}  // namespace openmi
