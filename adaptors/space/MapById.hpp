#pragma once

#include "adaptors/SpatialAdaptor.hpp"

namespace openmi {

/// Gives each target the value of the source element with the same id.
class MapById final : public SpatialAdaptor {
 public:
  using SpatialAdaptor::SpatialAdaptor;

 protected:
  /// \throws LinkError  a target's id is not among the sources
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;
};

}  // namespace openmi
