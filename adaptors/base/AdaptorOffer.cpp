#include "adaptors/base/AdaptorOffer.hpp"

#include <algorithm>

#include "openmi/standard/IDimension.hpp"

namespace openmi {

const AdaptorOffer* OfferOf(std::string_view id) {
  for (const auto offers : {SpaceOffers(), TimeOffers(), ValueOffers()}) {
    const auto offer = std::ranges::find_if(offers, [id](const AdaptorOffer& one) { return one.id.Id() == id; });
    if (offer != offers.end()) return &*offer;
  }
  return nullptr;
}

const IElementSet* ElementsOf(const ITimeSpaceExchangeItem* item) {
  return item != nullptr ? dynamic_cast<const IElementSet*>(item->SpatialDefinition()) : nullptr;
}

const IElementSet* ElementsOf(const IBaseInput* target) {
  return ElementsOf(dynamic_cast<const ITimeSpaceExchangeItem*>(target));
}

const IQuantity* QuantityOf(const ITimeSpaceOutput& adaptee) {
  return dynamic_cast<const IQuantity*>(&adaptee.ValueDefinition());
}

const IQuantity* QuantityOf(const IBaseInput* target) {
  return target != nullptr ? dynamic_cast<const IQuantity*>(&target->ValueDefinition()) : nullptr;
}

bool IsNumeric(const ITimeSpaceOutput& adaptee) {
  const ValueKind kind = adaptee.ValueDefinition().ValueType().kind;
  return kind == ValueKind::Double || kind == ValueKind::Integer || kind == ValueKind::Boolean;
}

bool LeadsTo(const IUnit& given, const IUnit& wanted, std::initializer_list<std::pair<DimensionBase, double>> powers) {
  for (std::size_t i = 0; i < kDimensionBaseCount; ++i) {
    const auto base = static_cast<DimensionBase>(i);
    double power = given.Dimension().GetPower(base);
    for (const auto& [changed, by] : powers) power += changed == base ? by : 0.0;
    if (power != wanted.Dimension().GetPower(base)) return false;
  }
  return true;
}

}  // namespace openmi
