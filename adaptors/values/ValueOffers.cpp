#include "adaptors/base/AdaptorOffer.hpp"
#include "adaptors/values/CategoryAdaptors.hpp"
#include "adaptors/values/ExpressionAdaptor.hpp"
#include "adaptors/values/Limits.hpp"
#include "adaptors/values/ValueAdaptors.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuality.hpp"

namespace openmi {
namespace {

using Powers = std::initializer_list<std::pair<DimensionBase, double>>;

Suitability RateNumeric(const ITimeSpaceOutput& adaptee, const IBaseInput*) {
  return IsNumeric(adaptee) ? Suitability::Possible : Suitability::None;
}

Suitability RateUnit(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const IQuantity* given = QuantityOf(adaptee);
  if (given == nullptr) return Suitability::None;
  if (target == nullptr) return Suitability::Possible;
  const IQuantity* wanted = QuantityOf(target);
  if (wanted == nullptr || !Convertible(given->Unit(), wanted->Unit())) return Suitability::None;
  return ConversionBetween(given->Unit(), wanted->Unit()).IsIdentity() ? Suitability::Possible : Suitability::Best;
}

/// An adaptor that multiplies dimensions: best if the result has the target's dimension.
Suitability RatePowers(const ITimeSpaceOutput& adaptee, const IBaseInput* target, Powers powers) {
  const IQuantity* given = QuantityOf(adaptee);
  if (given == nullptr) return Suitability::None;
  const IQuantity* wanted = QuantityOf(target);
  const bool leads = wanted != nullptr && LeadsTo(given->Unit(), wanted->Unit(), powers);
  return leads ? Suitability::Best : Suitability::Possible;
}

/// As `RatePowers`, for an adaptor that multiplies by this power of time.
template <int power>
Suitability RateTime(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  return RatePowers(adaptee, target, {{DimensionBase::Time, power}});
}

Suitability RateDensity(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const IQuantity* given = QuantityOf(adaptee);
  if (given != nullptr && given->Unit().Dimension().GetPower(DimensionBase::Mass) > 0.0) {
    return RatePowers(adaptee, target, {{DimensionBase::Mass, -1.0}, {DimensionBase::Length, 3.0}});
  }
  return RatePowers(adaptee, target, {{DimensionBase::Mass, 1.0}, {DimensionBase::Length, -3.0}});
}

bool IsQuality(const IBaseExchangeItem& item) {
  return dynamic_cast<const IQuality*>(&item.ValueDefinition()) != nullptr;
}

Suitability RateFromCategories(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  if (!IsQuality(adaptee)) return Suitability::None;
  return target != nullptr && !IsQuality(*target) ? Suitability::Best : Suitability::Possible;
}

Suitability RateToCategories(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  if (!IsNumeric(adaptee) || IsQuality(adaptee)) return Suitability::None;
  if (target == nullptr) return Suitability::Possible;
  return IsQuality(*target) ? Suitability::Best : Suitability::None;
}

}  // namespace

std::span<const AdaptorOffer> ValueOffers() {
  static const auto* offers = new std::vector<AdaptorOffer>{
      {Identifier("unit-conversion", "unit conversion", "converts to another unit of the same dimension"), RateUnit,
       MakeFor<UnitConversion>},
      {Identifier("divide-by-span", "amount to rate", "an amount over a span becomes a rate"), RateTime<-1>,
       MakePlain<SpanFactor, SpanFactor::Way::Divide>, SpanValue::Rate},
      {Identifier("multiply-by-span", "rate to amount", "a rate becomes an amount over a span"), RateTime<1>,
       MakePlain<SpanFactor, SpanFactor::Way::Multiply>},
      {Identifier("density", "density", "mass becomes volume, or volume mass"), RateDensity, MakePlain<DensityAdaptor>},
      {Identifier("linear-operation", "linear operation", "y = a x + b"), RateNumeric, MakePlain<LinearOperation>},
      {Identifier("expression", "formula", "y = f(x), your own formula"), RateNumeric, MakePlain<ExpressionAdaptor>},
      {Identifier("clip", "clip", "keeps values between two bounds"), RateNumeric, MakePlain<Clip>},
      {Identifier("threshold", "threshold", "one value from a threshold on, another below it"), RateNumeric,
       MakePlain<Threshold>},
      {Identifier("categories-to-numbers", "categories to numbers", "a number for each category, by table"),
       RateFromCategories, MakePlain<CategoriesToNumbers>},
      {Identifier("numbers-to-categories", "numbers to categories", "a category for each range of numbers, by table"),
       RateToCategories, MakeFor<NumbersToCategories>},
      {Identifier("fill-missing", "fill missing values", "a constant in place of missing values"), RateNumeric,
       MakePlain<FillMissing>},
  };
  return *offers;  // never destroyed: plug-ins may ask until the program ends
}

}  // namespace openmi
