#pragma once

#include "adaptors/space/SpatialAdaptor.hpp"

namespace openmi {

/// Gives each target the value of the source element with the same id.
class MapById final : public SpatialAdaptor {
 public:
  MapById(std::string id, IBaseOutput& adaptee, const IBaseInput* target)
      : SpatialAdaptor(std::move(id), adaptee, target, Carries::Anything) {}
  EffectOnAmount StateEffect() const override { return {.elements = EffectOnAmount::Elements::ById}; }

 protected:
  /// \throws LinkError  no source has the id of a target
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;
  bool UsesPlaces() const override { return false; }
};

}  // namespace openmi
