#pragma once

#include "adaptors/space/SpatialAdaptor.hpp"

namespace openmi {

/// Maps along M, the chainage of a reach: points and polylines with M on both sides.
///
/// Argument `give`: `interpolated` between the middles of sources, or the `mean` over the stretch that a target has in
/// common with them.
class MapAlongMeasure final : public SpatialAdaptor {
 public:
  MapAlongMeasure(std::string id, IBaseOutput& adaptee, const IBaseInput* target);
  /// Chainages do not show what lies outside the targets.
  EffectOnAmount StateEffect() const override { return {.elements = EffectOnAmount::Elements::Other}; }

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;
  bool UsesPlaces() const override { return false; }

 private:
  Argument<std::string> give_;
};

}  // namespace openmi
