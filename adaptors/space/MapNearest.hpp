#pragma once

#include "adaptors/kernels/NearestPlaces.hpp"
#include "adaptors/space/SpatialAdaptor.hpp"

namespace openmi {

/// Gives each target the value of the nearest source; equally near sources share (ElementMapper100, 200, 400).
///
/// The distance of elements is that of their middles. Between points and polylines, it is that from the nearest place
/// of the line. On the earth, distances are those on the sphere; where both sets have Z, those in space.
class MapNearest final : public SpatialAdaptor {
 public:
  MapNearest(std::string id, IBaseOutput& adaptee, const IBaseInput* target);

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  Argument<double> radius_;
};

/// Gives the value of each source to its nearest target, which takes the mean or the sum of the values it gets.
class MapToNearestTarget final : public SpatialAdaptor {
 public:
  MapToNearestTarget(std::string id, IBaseOutput& adaptee, const IBaseInput* target, Gather gather);

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  Gather gather_;
  Argument<double> radius_;
};

/// Weights the nearest sources by a power of 1 / distance (ElementMapper101, 201, 401); distances as for `MapNearest`.
class MapByInverseDistance final : public SpatialAdaptor {
 public:
  MapByInverseDistance(std::string id, IBaseOutput& adaptee, const IBaseInput* target);

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  Argument<double> power_;
  Argument<int> neighbours_;
  Argument<double> radius_;
};

}  // namespace openmi
