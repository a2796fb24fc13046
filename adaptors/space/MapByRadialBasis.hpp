#pragma once

#include "adaptors/SpatialAdaptor.hpp"

namespace openmi {

/// Interpolates with radial basis functions about all sources (`RadialBasisWeights`); with functions that end
/// (Wendland) the support is compact.
class MapByRadialBasis final : public SpatialAdaptor {
 public:
  MapByRadialBasis(std::string id, IBaseOutput& adaptee, const IBaseInput* target);

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  Argument<std::string> function_;
  Argument<double> scale_;
};

/// The same in overlapping patches that are blended (`PartitionOfUnityWeights`), for many sources.
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
