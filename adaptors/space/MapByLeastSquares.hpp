#pragma once

#include "adaptors/space/SpatialAdaptor.hpp"

namespace openmi {

/// Fits a linear function to the nearest sources of each target (moving least squares).
///
/// It suits scattered sources, also for targets beyond the outermost ones.
class MapByLeastSquares final : public SpatialAdaptor {
 public:
  MapByLeastSquares(std::string id, IBaseOutput& adaptee, const IBaseInput* target);

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  Argument<int> neighbours_;
};

}  // namespace openmi
