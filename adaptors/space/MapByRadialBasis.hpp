#pragma once

#include "adaptors/space/SpatialAdaptor.hpp"

namespace openmi {

/// Interpolates with radial basis functions about all sources (`RadialBasisWeights`).
///
/// Wendland's functions have compact support.
class MapByRadialBasis final : public SpatialAdaptor {
 public:
  MapByRadialBasis(std::string id, IBaseOutput& adaptee, const IBaseInput* target);

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  Argument<std::string> function_;
  Argument<double> scale_;
};

/// Interpolates with radial basis functions in overlapping, blended patches (`PartitionOfUnityWeights`), for many
/// sources.
class MapByPatches final : public SpatialAdaptor {
 public:
  MapByPatches(std::string id, IBaseOutput& adaptee, const IBaseInput* target);

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  Argument<std::string> function_;
  Argument<double> relative_scale_;
  Argument<int> degree_;
  Argument<int> per_patch_;
};

}  // namespace openmi
