#pragma once

#include "adaptors/kernels/PolygonWeights.hpp"
#include "adaptors/space/SpatialAdaptor.hpp"

namespace openmi {

/// Weights sources by the area that they have in common with a target (ElementMapper800, 801, 802).
class MapByArea final : public SpatialAdaptor {
 public:
  MapByArea(std::string id, IBaseOutput& adaptee, const IBaseInput* target, PolygonWeightKind kind)
      : SpatialAdaptor(std::move(id), adaptee, target,
                       kind == PolygonWeightKind::Distribute ? Carries::Extensive : Carries::Intensive),
        kind_(kind) {}

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  PolygonWeightKind kind_;
};

/// Weights sources by common area, with a slope in each of them: second order (`SecondOrderWeights`).
class MapByAreaAndSlope final : public SpatialAdaptor {
 public:
  MapByAreaAndSlope(std::string id, IBaseOutput& adaptee, const IBaseInput* target)
      : SpatialAdaptor(std::move(id), adaptee, target) {}

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;
};

}  // namespace openmi
