#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "adaptors/base/IEffectOnAmount.hpp"
#include "adaptors/base/RowAdaptor.hpp"
#include "adaptors/space/ElementsInUse.hpp"

namespace openmi {

/// One value without a place from the values of all elements: one of them, or their sum, mean, minimum or maximum.
///
/// Argument `of` selects which; argument `element` names the one element. A missing value makes a sum, mean or extreme
/// missing. Means are not weighted; for a mean over areas, map to one polygon with `area-weighted-mean`.
class OneValue final : public RowAdaptor, public IEffectOnAmount {
 public:
  /// \throws LinkError  the adaptee has no elements
  OneValue(std::string id, IBaseOutput& adaptee);
  const ISpatialDefinition* SpatialDefinition() const override { return nullptr; }
  std::shared_ptr<const ISpatialDefinition> SharedPlaces() const override { return nullptr; }
  /// \throws ArgumentError  as `Check`
  EffectOnAmount StateEffect() const override;
  /// \throws ArgumentError  `of` is not set, or the adaptee has no such element
  void Check() override;
  std::vector<std::string> Notes() const override;
  void ReplaceElements(const ISpatialDefinition& before, const ISpatialDefinition& after, bool moved) override;

 protected:
  void OnInitialize() override;
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;
  std::size_t OutWidth(std::size_t) override { return 1; }

 private:
  enum class Way { Element, Sum, Mean, Minimum, Maximum };
  Way WayOf() const;
  std::size_t IndexOf() const;

  Argument<Way> of_;
  Argument<std::string> element_;
  ElementsInUse elements_;
  Way way_ = Way::Element;
  std::size_t index_ = 0;
  int version_ = -1;
};

}  // namespace openmi
