#pragma once

#include "adaptors/SpatialAdaptor.hpp"

namespace openmi {

/// Ordinary kriging with a variogram given by arguments (`OrdinaryKriging`): the estimate, or its variance, which
/// depends on the places alone and has the square of the values' unit.
class MapByKriging final : public SpatialAdaptor {
 public:
  enum class Give { Estimate, Variance };
  /// \throws UnitError  the variance is asked for of values without a unit, or of one with an offset
  MapByKriging(std::string id, IBaseOutput& adaptee, const IBaseInput* target, Give give);
  EffectOnAmount StateEffect() const override {
    if (give_ == Give::Variance) return EffectOnAmount::Unknown("gives a variance");
    return SpatialAdaptor::StateEffect();
  }

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  Give give_;
  Argument<std::string> model_;
  Argument<double> nugget_;
  Argument<double> sill_;
  Argument<double> range_;
  Argument<int> neighbours_;
};

}  // namespace openmi
