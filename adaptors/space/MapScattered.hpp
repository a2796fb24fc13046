#pragma once

#include "adaptors/kernels/Kriging.hpp"
#include "adaptors/kernels/RadialBasis.hpp"
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
  Argument<RadialFunction> function_;
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
  Argument<RadialFunction> function_;
  Argument<double> relative_scale_;
  Argument<int> degree_;
  Argument<int> per_patch_;
};

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

/// Ordinary kriging (`OrdinaryKriging`) with a variogram from arguments: gives the estimate or its variance.
///
/// The variance depends on the places alone and has the square of the values' unit.
class MapByKriging final : public SpatialAdaptor {
 public:
  enum class Give { Estimate, Variance };
  /// \throws UnitError  the variance is wanted, and the values have no unit or a unit with an offset
  MapByKriging(std::string id, IBaseOutput& adaptee, const IBaseInput* target, Give give);
  EffectOnAmount StateEffect() const override {
    if (give_ == Give::Variance) return EffectOnAmount::Unknown("gives a variance");
    return SpatialAdaptor::StateEffect();
  }

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  Give give_;
  Argument<Variogram::Model> model_;
  Argument<double> nugget_;
  Argument<double> sill_;
  Argument<double> range_;
  Argument<int> neighbours_;
};

}  // namespace openmi
