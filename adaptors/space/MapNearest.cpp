#include "adaptors/space/MapNearest.hpp"

#include "adaptors/Geometry.hpp"
#include "adaptors/kernels/NearestPoints.hpp"

namespace openmi {

SpatialMapping MapNearest::MakeMapping(const IElementSet& source, const IElementSet& target) const {
  const std::string place = Place().item;
  return {NearestWeights(RepresentativePoints(place, source), RepresentativePoints(place, target))};
}

}  // namespace openmi
