#pragma once

#include "adaptors/kernels/PointsInPolygons.hpp"
#include "adaptors/space/SpatialAdaptor.hpp"

namespace openmi {

/// Gives each target the value of the polygon (or in space the polyhedron) that its place lies in (ElementMapper600).
class MapValueAt final : public SpatialAdaptor {
 public:
  using SpatialAdaptor::SpatialAdaptor;

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;
};

/// Gives each polygon the mean or the sum of the points inside it (ElementMapper300, 301).
class MapPointsInPolygons final : public SpatialAdaptor {
 public:
  MapPointsInPolygons(std::string id, IBaseOutput& adaptee, const IBaseInput* target, InPolygon gather)
      : SpatialAdaptor(std::move(id), adaptee, target,
                       gather == InPolygon::Sum ? Carries::Extensive : Carries::Intensive),
        gather_(gather) {}

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  InPolygon gather_;
};

}  // namespace openmi
