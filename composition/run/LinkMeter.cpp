#include "composition/run/LinkMeter.hpp"

#include <fmt/format.h>

#include <cmath>

#include "adaptors/Geometry.hpp"
#include "adaptors/SpatialAdaptor.hpp"
#include "adaptors/TimeAdaptor.hpp"
#include "adaptors/TimesElementArea.hpp"
#include "adaptors/ValueAdaptors.hpp"
#include "adaptors/space/OneValue.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "timespace/ElementSet.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi {
namespace {

bool Is(const IDimension& d, double length, double mass, double time) {
  return d.GetPower(DimensionBase::Length) == length && d.GetPower(DimensionBase::Mass) == mass &&
         d.GetPower(DimensionBase::Time) == time && d.GetPower(DimensionBase::Temperature) == 0.0 &&
         d.GetPower(DimensionBase::ElectricCurrent) == 0.0 && d.GetPower(DimensionBase::AmountOfSubstance) == 0.0;
}

const IQuantity* QuantityOf(const IBaseExchangeItem& item) {
  return dynamic_cast<const IQuantity*>(&item.ValueDefinition());
}

const IElementSet* ElementsOf(const ITimeSpaceExchangeItem& item) {
  return dynamic_cast<const IElementSet*>(item.SpatialDefinition());
}

/// Of their own: by their shape, or by the attribute that says it.
bool HaveArea(const IElementSet& elements) {
  const auto* own = dynamic_cast<const ElementSet*>(&elements);
  return elements.ElementType() == ElementType::Polygon || (own != nullptr && own->Attribute("area") != nullptr);
}

bool GivesSpans(const ITimeSpaceExchangeItem& item) {
  return item.TimeSet() != nullptr && item.TimeSet()->HasDurations();
}

/// The power of length and mass that an amount has, once integrated: 3,0 volume; 1,0 depth; 0,1 mass; -2,1 mass per
/// area.
struct AmountKind {
  double length = 0.0;
  double mass = 0.0;
  bool IsPerArea() const { return (length == 1.0 && mass == 0.0) || (length == -2.0 && mass == 1.0); }
  bool IsKnown() const { return (length == 3.0 && mass == 0.0) || (length == 0.0 && mass == 1.0) || IsPerArea(); }
};

}  // namespace

double LinkMeter::Side::Amount(std::span<const double> row, double seconds, std::size_t& left_out) const {
  double sum = 0.0;
  if (!measure.empty() && measure.size() != row.size()) {  // the elements are others by now
    left_out += row.size();
    return 0.0;
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!measure.empty() && measure[i] == 0.0) continue;
    if (IsMissing(row[i], missing)) {
      ++left_out;
      continue;
    }
    sum += row[i] * (measure.empty() ? 1.0 : measure[i]);
  }
  return sum * to_si * (kind == Kind::Rate ? seconds : 1.0);
}

std::unique_ptr<LinkMeter> LinkMeter::For(Link& link, StandIn& source) {
  if (link.End() == nullptr || !source.IsNumeric()) return nullptr;
  const IQuantity* given = QuantityOf(source);
  const IQuantity* taken = QuantityOf(*link.Target());
  if (given == nullptr || taken == nullptr) return nullptr;

  bool sums = false;
  for (const auto& adaptor : link.Adaptors()) {
    const std::string id = adaptor->Id();
    const auto* totals = dynamic_cast<const ITotals*>(adaptor.get());
    sums = sums || (totals != nullptr && totals->MakesTotals()) || id == "divide-by-span";
    if (dynamic_cast<const DensityAdaptor*>(adaptor.get()) != nullptr || id == "multiply-by-span" || id == "accumulate")
      return nullptr;
  }
  const auto kind_of = [sums](const IQuantity& quantity, Kind& kind, AmountKind& amount) {
    const IDimension& d = quantity.Unit().Dimension();
    const double time = d.GetPower(DimensionBase::Time);
    amount = {d.GetPower(DimensionBase::Length), d.GetPower(DimensionBase::Mass)};
    kind = time == -1.0 ? Kind::Rate : Kind::Amount;
    return amount.IsKnown() && Is(d, amount.length, amount.mass, time) && (time == -1.0 || (time == 0.0 && sums));
  };
  std::unique_ptr<LinkMeter> meter(new LinkMeter(link.Spec()));
  AmountKind left;
  AmountKind arrived;
  if (!kind_of(*given, meter->left_side_.kind, left) || !kind_of(*taken, meter->arrived_side_.kind, arrived))
    return nullptr;
  for (auto [side, quantity] : {std::pair{&meter->left_side_, given}, std::pair{&meter->arrived_side_, taken}}) {
    side->to_si = quantity->Unit().ConversionFactorToSI();
    side->missing = quantity->MissingDataValue().Number().value_or(kNotANumber);
  }

  // The measure of each target element; then back through the chain to the source's elements.
  const std::size_t targets = link.Target()->SpatialDefinition()
                                  ? static_cast<std::size_t>(link.Target()->SpatialDefinition()->ElementCount())
                                  : 1;
  std::vector<double> measure(targets, 1.0);
  bool by_area = false;
  const SpatialAdaptor* overlap = nullptr;
  for (const auto& adaptor : link.Adaptors()) {
    if (const auto* spatial = dynamic_cast<const SpatialAdaptor*>(adaptor.get());
        spatial && !spatial->CoveredSourceArea().empty()) {
      overlap = spatial;
    }
  }
  try {
    if (arrived.IsPerArea()) {
      if (overlap != nullptr && overlap->CoveredTargetArea().size() == targets) {
        measure.assign(overlap->CoveredTargetArea().begin(), overlap->CoveredTargetArea().end());
        by_area = true;
        meter->note_ = "areas in common";
      } else if (const IElementSet* elements = ElementsOf(*link.Target()); elements && HaveArea(*elements)) {
        const ElementAreas areas = AreasOf(link.Spec().Text(), *elements);
        measure = areas.square_metres;
        by_area = true;
        meter->note_ = "areas: " + areas.source;
      }
    }
    meter->arrived_side_.measure = measure;
    for (auto adaptor = link.Adaptors().rbegin(); adaptor != link.Adaptors().rend(); ++adaptor) {
      if (const auto* spatial = dynamic_cast<const SpatialAdaptor*>(adaptor->get())) {
        if (!spatial->CoveredSourceArea().empty() && by_area) {
          measure.assign(spatial->CoveredSourceArea().begin(), spatial->CoveredSourceArea().end());
          continue;
        }
        const SparseRows& weights = spatial->Weights();
        std::vector<double> back(weights.Columns(), 0.0);
        for (std::size_t row = 0; row < weights.Rows(); ++row) {
          const auto columns = weights.ColumnsOf(row);
          for (std::size_t k = 0; k < columns.size(); ++k) back[columns[k]] += weights.WeightsOf(row)[k] * measure[row];
        }
        measure = std::move(back);
      } else if (const auto* one = dynamic_cast<const OneValue*>(adaptor->get())) {
        std::vector<double> shares = one->Shares();
        if (shares.empty() || measure.size() != 1) return nullptr;
        for (double& share : shares) share *= measure[0];
        measure = std::move(shares);
      } else if (const auto* area = dynamic_cast<const TimesElementArea*>(adaptor->get())) {
        for (std::size_t i = 0; i < measure.size() && i < area->Areas().size(); ++i) measure[i] *= area->Areas()[i];
        by_area = true;
        meter->note_ = fmt::format("areas: {}", area->AreaSource());
        if (area->AreaDifference() > 0.0)
          meter->note_ += fmt::format(", {:.2g} from the geometry", area->AreaDifference());
      }
    }
  } catch (const Error&) {
    return nullptr;  // no area to be had: the link cannot be weighed
  }
  const ISpatialDefinition* places = source.SpatialDefinition();
  if (measure.size() != (places != nullptr ? static_cast<std::size_t>(places->ElementCount()) : 1)) {
    return nullptr;  // an adaptor that is not known makes other elements
  }
  meter->left_side_.measure = std::move(measure);
  const bool depths = left.IsPerArea() && !by_area;
  // A length per time may be a speed. With an area it is a depth of something; without one only spans tell a flux.
  if (depths && left.mass == 0.0 && !(GivesSpans(source) && GivesSpans(*link.Target()))) return nullptr;
  meter->unit_ = left.mass == 1.0 ? (depths ? "kg m-2" : "kg") : (depths ? "m" : "m3");
  source.AddListener(*meter);
  link.End()->SetListener(meter.get());
  return meter;
}

void LinkMeter::OnRow(Stamp begin, Days duration, std::span<const double> row) {
  const Stamp end = begin + duration;
  const Stamp from = duration.count > 0.0 ? begin : last_left_;
  if (from != kFarPast && Before(from, end)) {
    left_.Add(from, end, left_side_.Amount(row, ToSeconds(end - from), missing_));
  }
  last_left_ = end;
}

void LinkMeter::OnArrival(const ITimeSpaceValueSet& values, const ITimeSet& times) {
  const auto* rows = dynamic_cast<const INumericRows*>(&values);
  for (std::size_t i = 0; i < times.Times().size(); ++i) {
    const ITime& time = *times.Times()[i];
    const Stamp begin = Stamp{time.StampAsModifiedJulianDay()} - Hours(times.OffsetFromUtcInHours());
    const Stamp end = begin + Days{time.DurationInDays()};
    const Stamp from = time.DurationInDays() > 0.0
                           ? begin
                           : (last_arrived_ != kFarPast ? last_arrived_
                                                        : Stamp{times.TimeHorizon().StampAsModifiedJulianDay()} -
                                                              Hours(times.OffsetFromUtcInHours()));
    if (last_arrived_ != kFarPast && !Before(last_arrived_, end)) continue;  // asked again
    std::span<const double> row;
    if (rows != nullptr) {
      row = i < rows->RowCount() ? rows->Row(i) : std::span<const double>();
    } else {
      scratch_.clear();
      for (const Value& value : values.GetElementValuesForTime(static_cast<int>(i)))
        scratch_.push_back(value.Number().value_or(kNotANumber));
      row = scratch_;
    }
    if (std::isfinite(from.mjd) && Before(from, end)) {
      arrived_.Add(from, end, arrived_side_.Amount(row, ToSeconds(end - from), missing_));
    }
    last_arrived_ = end;
  }
}

LinkBalanceFigures LinkMeter::Between(Stamp from, Stamp to) const {
  LinkBalanceFigures figures;
  figures.unit = unit_;
  figures.note = note_;
  figures.missing = missing_;
  if (!Before(from, to)) {
    figures.is_weighed = false;
    figures.left = figures.arrived = figures.relative_difference = kNotANumber;
    return figures;
  }
  figures.left = left_.At(to) - left_.At(from);
  figures.arrived = arrived_.At(to) - arrived_.At(from);
  const double difference = figures.arrived - figures.left;
  figures.relative_difference = difference == 0.0 ? 0.0 : difference / std::fabs(figures.left);
  return figures;
}

void LinkMeter::SaveState(StateWriter& writer) const {
  left_.SaveState(writer);
  arrived_.SaveState(writer);
  writer.Write(last_left_.mjd);
  writer.Write(last_arrived_.mjd);
  writer.Write(static_cast<std::int64_t>(missing_));
}

void LinkMeter::LoadState(StateReader& reader) {
  left_.LoadState(reader);
  arrived_.LoadState(reader);
  last_left_ = Stamp{reader.ReadDouble()};
  last_arrived_ = Stamp{reader.ReadDouble()};
  missing_ = static_cast<std::size_t>(reader.ReadInteger());
}

}  // namespace openmi
