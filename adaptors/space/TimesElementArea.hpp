#pragma once

#include <span>
#include <string>

#include "adaptors/base/IEffectOnAmount.hpp"
#include "adaptors/base/RowAdaptor.hpp"
#include "adaptors/space/ElementsInUse.hpp"
#include "adaptors/space/Geometry.hpp"

namespace openmi {

/// Multiplies a value per area by the area of its element: depth rate to volume rate, depth to volume.
///
/// The dimension gains two powers of length. The area is the element set's attribute that the argument `attribute`
/// names ("area"); else the geodesic area on WGS84; else the planar area.
class TimesElementArea final : public RowAdaptor, public IEffectOnAmount {
 public:
  /// \throws LinkError  the adaptee has no elements
  TimesElementArea(std::string id, IBaseOutput& adaptee);
  /// \throws LinkError  the elements have no area
  void Check() override { Renew(); }
  void ReplaceElements(const ISpatialDefinition& before, const ISpatialDefinition& after, bool moved) override;

  EffectOnAmount StateEffect() const override {
    return {.what = EffectOnAmount::What::TimesArea, .area_attribute = attribute_.Value()};
  }

  /// The areas, m2; shape [elements].
  std::span<const double> Areas() const { return Renew().square_metres; }

 protected:
  void OnInitialize() override;
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;

 private:
  /// The areas; read again if the elements or the argument have changed.
  const ElementAreas& Renew() const;
  Argument<std::string> attribute_;
  /// Starts to use the elements that the adaptee shows now.
  /// \throws LinkError  the adaptee has no elements
  void TakeElements() const;
  bool ElementsChanged() const { return !elements_.AreShownBy(AdapteeItems()) || elements_->Version() != version_; }
  mutable ElementsInUse elements_;
  mutable ElementAreas areas_;
  mutable std::string read_attribute_;
  mutable int version_ = -1;
  std::span<const double> factors_;  // shape [elements], m2
};

}  // namespace openmi
