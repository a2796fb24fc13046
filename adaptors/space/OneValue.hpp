#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "adaptors/ElementsInUse.hpp"
#include "adaptors/IEffectOnAmount.hpp"
#include "adaptors/RowAdaptor.hpp"

namespace openmi {

/// One value without a place out of the values of all elements: that of one of them, or their sum, mean, least or
/// greatest. The argument `of` says which; `element` names the one. A value that is missing makes a sum, mean or
/// extreme missing. Means are not weighted: over areas, map to one polygon with `area-weighted-mean`.
class OneValue final : public RowAdaptor, public IEffectOnAmount {
 public:
  /// \throws LinkError  the adaptee has no elements
  OneValue(std::string id, IBaseOutput& adaptee);
  const ISpatialDefinition* SpatialDefinition() const override { return nullptr; }
  std::shared_ptr<const ISpatialDefinition> SharedPlaces() const override { return nullptr; }
  /// \throws ArgumentError  as Check
  EffectOnAmount StateEffect() const override;
  /// \throws ArgumentError  `of` is not set, or the element is none of the adaptee's
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

  Argument<std::string> of_;
  Argument<std::string> element_;
  ElementsInUse elements_;
  Way way_ = Way::Element;
  std::size_t index_ = 0;
  int version_ = -1;
};

}  // namespace openmi
