#pragma once

#include "adaptors/kernels/Kriging.hpp"
#include "adaptors/space/SpatialAdaptor.hpp"

namespace openmi {

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
