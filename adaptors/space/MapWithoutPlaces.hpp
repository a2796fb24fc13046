#pragma once

#include "adaptors/space/SpatialAdaptor.hpp"

namespace openmi {

/// Maps along M, the chainage of a reach: points and polylines with M on both sides.
///
/// Argument `give`: `interpolated` between the middles of sources, or the `mean` over the stretch that a target has in
/// common with them.
class MapAlongMeasure final : public SpatialAdaptor {
 public:
  MapAlongMeasure(std::string id, IBaseOutput& adaptee, const IBaseInput* target);
  /// Chainages do not show what lies outside the targets.
  EffectOnAmount StateEffect() const override { return {.elements = EffectOnAmount::Elements::Other}; }

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;
  bool UsesPlaces() const override { return false; }

 private:
  Argument<std::string> give_;
};

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

/// Takes the weights from a NetCDF file of SCRIP, CDO or ESMF. Its elements are those of the two sets, in their order.
class MapByWeightFile final : public SpatialAdaptor {
 public:
  MapByWeightFile(std::string id, IBaseOutput& adaptee, const IBaseInput* target);

 protected:
  /// \throws LinkError  no file is given, or the file is for other numbers of elements
  /// \throws FileError  as `ReadWeightFile`
  /// \throws FormatError  as `ReadWeightFile`
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;
  bool UsesPlaces() const override { return false; }

 private:
  Argument<std::string> file_;
};

}  // namespace openmi
