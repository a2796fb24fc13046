#include "adaptors/base/AdaptorOffer.hpp"
#include "adaptors/base/RowAdaptor.hpp"
#include "adaptors/time/Accumulate.hpp"
#include "adaptors/time/FillGaps.hpp"
#include "adaptors/time/Resample.hpp"
#include "adaptors/time/TimeAdaptor.hpp"

namespace openmi {
namespace {

/// Whether a time adaptor can read the rows of an output. It does not ask for the rows, since they would then be kept.
bool ShowsRows(const IBaseOutput& output) {
  if (const auto* rows = dynamic_cast<const RowAdaptor*>(&output)) return ShowsRows(rows->Adaptee());
  if (const auto* time = dynamic_cast<const TimeAdaptor*>(&output)) return time->ShowsRows();
  auto* door = dynamic_cast<IHistoryProvider*>(const_cast<IBaseOutput*>(&output));
  return door != nullptr && door->UseHistory() != nullptr;
}

bool FitsTime(const ITimeSpaceOutput& adaptee) {
  return IsNumeric(adaptee) && adaptee.TimeSet() != nullptr && ShowsRows(adaptee);
}

enum class Asked { Unknown, Instants, Spans };

Asked AskedBy(const IBaseInput* target) {
  const auto* item = dynamic_cast<const ITimeSpaceExchangeItem*>(target);
  if (item == nullptr || item->TimeSet() == nullptr) return Asked::Unknown;
  return item->TimeSet()->HasDurations() ? Asked::Spans : Asked::Instants;
}

/// As a rule, depths, volumes and masses over spans are amounts; values per time and states are not.
bool GivesAmounts(const ITimeSpaceOutput& adaptee) {
  const IQuantity* quantity = QuantityOf(adaptee);
  if (quantity == nullptr || !adaptee.TimeSet()->HasDurations()) return false;
  const IDimension& dimension = quantity->Unit().Dimension();
  return dimension.GetPower(DimensionBase::Time) == 0.0 && dimension.GetPower(DimensionBase::Temperature) == 0.0 &&
         (dimension.GetPower(DimensionBase::Length) > 0.0 || dimension.GetPower(DimensionBase::Mass) > 0.0);
}

Suitability RateMean(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  if (!FitsTime(adaptee)) return Suitability::None;
  const Asked asked = AskedBy(target);
  if (asked == Asked::Instants) return Suitability::None;
  if (asked == Asked::Unknown) return Suitability::Possible;
  return GivesAmounts(adaptee) ? Suitability::Good : Suitability::Best;
}

Suitability RateSum(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const Suitability mean = RateMean(adaptee, target);
  if (mean == Suitability::Best) return Suitability::Possible;
  return mean == Suitability::Good ? Suitability::Best : mean;
}

/// Lines between values suit instants; `previous` suits values over spans.
Suitability RateLinear(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  if (!FitsTime(adaptee)) return Suitability::None;
  if (AskedBy(target) != Asked::Instants) return Suitability::Possible;
  return adaptee.TimeSet()->HasDurations() ? Suitability::Good : Suitability::Best;
}

Suitability RatePrevious(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const Suitability linear = RateLinear(adaptee, target);
  if (linear == Suitability::Good) return Suitability::Best;
  return linear == Suitability::Best ? Suitability::Good : linear;
}

Suitability RateOther(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const Suitability linear = RateLinear(adaptee, target);
  return linear == Suitability::Best ? Suitability::Good : linear;
}

/// For adaptors that suit no pair unless a user asks for them.
Suitability RateAny(const ITimeSpaceOutput& adaptee, const IBaseInput*) {
  return FitsTime(adaptee) ? Suitability::Possible : Suitability::None;
}

Suitability RateOverSpan(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  return RateMean(adaptee, target) == Suitability::None ? Suitability::None : Suitability::Possible;
}

/// Amounts over long spans, needed over shorter ones.
Suitability RateDisaggregate(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const Suitability mean = RateMean(adaptee, target);
  if (mean == Suitability::None || (target != nullptr && !adaptee.TimeSet()->HasDurations())) return Suitability::None;
  return mean == Suitability::Good ? Suitability::Good : Suitability::Possible;
}

/// A rate whose integral the target needs.
Suitability RateIntegral(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const IQuantity* given = QuantityOf(adaptee);
  if (given == nullptr || RateMean(adaptee, target) == Suitability::None) return Suitability::None;
  const IQuantity* wanted = QuantityOf(target);
  const bool leads = wanted != nullptr && LeadsTo(given->Unit(), wanted->Unit(), {{DimensionBase::Time, 1.0}});
  return leads ? Suitability::Best : Suitability::Possible;
}

Suitability RateAccumulate(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  if (!FitsTime(adaptee) || QuantityOf(adaptee) == nullptr || AskedBy(target) == Asked::Spans) return Suitability::None;
  return Suitability::Possible;
}

}  // namespace

std::span<const AdaptorOffer> TimeOffers() {
  static const auto* offers = new std::vector<AdaptorOffer>{
      {Identifier("linear", "linear in time", "straight line between neighbouring values"), RateLinear,
       MakePlain<TimeAdaptor, TemporalMethod::Linear>, SpanValue::Mean},
      {Identifier("cubic", "monotone cubic in time", "smooth curve through the rows, without overshoot"), RateOther,
       MakePlain<TimeAdaptor, CurveMethod::Cubic>, SpanValue::Mean},
      {Identifier("previous", "previous value", "a row holds until the next one"), RatePrevious,
       MakePlain<TimeAdaptor, TemporalMethod::Previous>, SpanValue::Mean},
      {Identifier("next", "next value", "a row holds back to the one before it"), RateOther,
       MakePlain<TimeAdaptor, TemporalMethod::Next>, SpanValue::Mean},
      {Identifier("nearest-in-time", "nearest in time", "the row that is nearest in time"), RateOther,
       MakePlain<TimeAdaptor, TemporalMethod::Nearest>, SpanValue::Mean},
      {Identifier("mean-over-span", "mean over the span", "time-weighted mean over the span asked for"), RateMean,
       MakePlain<TimeAdaptor, TemporalMethod::Mean>, SpanValue::Mean},
      {Identifier("sum-over-span", "sum over the span", "amounts in the span asked for, by overlap"), RateSum,
       MakePlain<TimeAdaptor, TemporalMethod::Sum>, SpanValue::Total},
      {Identifier("minimum-over-span", "minimum over the span", "the least value in the span asked for"), RateOverSpan,
       MakePlain<TimeAdaptor, CurveMethod::Minimum>, SpanValue::Mean},
      {Identifier("maximum-over-span", "maximum over the span", "the greatest value in the span asked for"),
       RateOverSpan, MakePlain<TimeAdaptor, CurveMethod::Maximum>, SpanValue::Mean},
      {Identifier("integral-over-span", "integral over the span", "a rate times the time, over the span asked for"),
       RateIntegral, MakePlain<TimeAdaptor, TemporalMethod::Integral>},
      {Identifier("disaggregate", "disaggregate", "amounts spread smoothly over shorter spans; totals are kept"),
       RateDisaggregate, MakePlain<TimeAdaptor, CurveMethod::Disaggregate>, SpanValue::Total},
      {Identifier("accumulate", "running total", "the total since the start, of rates or amounts"), RateAccumulate,
       MakePlain<Accumulate>},
      {Identifier("resample", "regular steps", "a regular series: mean, sum, extreme or instant of each step"), RateAny,
       MakePlain<Resample>},
      {Identifier("delay", "delay", "what linear gives for a time before"), RateAny, MakePlain<Delay>},
      {Identifier("fill-gaps", "fill gaps in time", "missing values are made from those before and after"), RateAny,
       MakePlain<FillGaps>},
  };
  return *offers;  // never destroyed: plug-ins may ask until the program ends
}

}  // namespace openmi
