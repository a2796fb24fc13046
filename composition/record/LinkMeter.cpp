#include "composition/record/LinkMeter.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "composition/record/DescribeSeries.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"
#include "timespace/times/WholeSeconds.hpp"

namespace openmi {
namespace {

double ToSiOf(const IBaseExchangeItem& item) {
  const IUnit* unit = UnitOf(item);
  return unit != nullptr ? unit->ConversionFactorToSI() : 1.0;
}

int VersionOf(const ISpatialDefinition* places) {
  return places != nullptr ? places->Version() : 0;
}

/// Adds up a row, each value multiplied by its factor.
/// \param factors  null: 1 each
double AddedUp(std::span<const double> row, const double* factors, double missing, std::size_t& gaps) {
  double sum = 0.0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (factors != nullptr && factors[i] == 0.0) continue;
    if (IsMissing(row[i], missing)) {
      ++gaps;
    } else {
      sum += factors != nullptr ? row[i] * factors[i] : row[i];
    }
  }
  return sum;
}

}  // namespace

ProviderMeter::ProviderMeter(OutputProxy& source)
    : source_(source), missing_(MissingOf(source)), to_si_(ToSiOf(source)) {
  places_ = source_.SpatialDefinition();
  version_ = VersionOf(places_);
}

void ProviderMeter::Add(LinkMeter& meter) {
  meters_.push_back(&meter);
}

void ProviderMeter::Renew() {
  places_ = source_.SpatialDefinition();
  version_ = VersionOf(places_);
  factors_.Clear();
  sums_.clear();
  for (LinkMeter* meter : meters_) meter->Renew(factors_);
}

std::size_t ProviderMeter::SumOf(const std::string& name) {
  auto found = std::ranges::find(sums_, name, &Sum::name);
  if (found == sums_.end()) {
    found = sums_.insert(found, {.name = name, .factors = name.empty() ? nullptr : &factors_.Of(name).values});
  }
  return static_cast<std::size_t>(found - sums_.begin());
}

void ProviderMeter::AddUp(Sum& sum, std::span<const double> row) const {
  sum.missing = 0;
  if (sum.factors != nullptr && sum.factors->size() != row.size()) {
    sum.missing = row.size();
    return;
  }
  sum.amount = AddedUp(row, sum.factors != nullptr ? sum.factors->data() : nullptr, missing_, sum.missing);
}

void ProviderMeter::OnRow(Stamp begin, Days duration, std::span<const double> row) {
  const ISpatialDefinition* places = source_.SpatialDefinition();
  if (places != places_ || VersionOf(places) != version_) Renew();
  const Stamp end = begin + duration;
  const Stamp from = duration.count > 0.0 ? begin : last_;
  last_ = end;
  if (from == kFarPast || !Before(from, end)) return;
  for (Sum& sum : sums_) AddUp(sum, row);
  for (LinkMeter* meter : meters_) meter->OnGiven(from, end, row);
}

void ProviderMeter::SaveState(StateWriter& writer) const {
  writer.Write(last_.mjd);
}

void ProviderMeter::LoadState(StateReader& reader) {
  last_ = Stamp{reader.ReadDouble()};
}

LinkMeter::LinkMeter(Link& link, AmountPath path, ProviderMeter& provider, Stamp begin)
    : link_(link),
      path_(std::move(path)),
      provider_(provider),
      target_to_si_(ToSiOf(*link.Target())),
      target_missing_(MissingOf(*link.Target())),
      is_rate_given_(path_.Given().is_rate),
      is_rate_taken_(path_.Taken().is_rate),
      begin_(begin),
      pieces_(begin) {
  Renew(provider.Factors());
  if (!measures_.not_balanced.empty()) return;
  provider.Add(*this);
  link.End()->SetListener(this);
}

void LinkMeter::Renew(SourceFactors& factors) {
  target_places_ = path_.TargetPlaces();
  target_version_ = VersionOf(target_places_);
  measures_ = path_.Measure(factors);
  if (!measures_.not_balanced.empty()) return;
  if (measures_.one) {
    one_factor_ = measures_.source_factors.empty() ? 1.0 : factors.Of(measures_.source_factors).values[*measures_.one];
  } else if (&factors == &provider_.Factors()) {
    sum_ = provider_.SumOf(measures_.source_factors);
  }
}

void LinkMeter::OnGiven(Stamp from, Stamp to, std::span<const double> row) {
  if (!measures_.not_balanced.empty()) return;
  double left = 0.0;
  double within = 0.0;
  std::size_t gaps = 0;
  if (measures_.one) {
    const bool is_there = *measures_.one < row.size() && !IsMissing(row[*measures_.one], provider_.Missing());
    gaps = is_there ? 0 : 1;
    left = within = is_there ? row[*measures_.one] * one_factor_ : 0.0;
  } else {
    const ProviderMeter::Sum& sum = provider_.sums_[sum_];
    left = within = sum.amount;
    gaps = sum.missing;
  }
  if (measures_.within) {
    within = 0.0;
    gaps = 0;  // elements outside reach no target
    for (const auto& [element, factor] : *measures_.within) {
      if (element >= row.size() || IsMissing(row[element], provider_.Missing())) {
        ++gaps;
      } else {
        within += row[element] * factor;
      }
    }
  }
  const double scale = provider_.ToSi() * measures_.factor * (is_rate_given_ ? SecondsBetween(from, to) : 1.0);
  if (gaps > 0 && Before(begin_, to)) missing_ += gaps;
  pieces_.Give(from, to, left * scale, within * scale, gaps > 0);
}

double LinkMeter::ArrivedAmount(std::span<const double> row, double seconds, bool& has_missing) {
  const std::vector<double>& areas = measures_.target_areas;
  std::size_t gaps = 0;
  double amount = 0.0;
  if (!areas.empty() && areas.size() != row.size()) {
    gaps = row.size();
  } else {
    amount = AddedUp(row, areas.empty() ? nullptr : areas.data(), target_missing_, gaps);
  }
  missing_ += gaps;
  has_missing = gaps > 0;
  return amount * target_to_si_ * (is_rate_taken_ ? seconds : 1.0);
}

void LinkMeter::OnArrival(const ITimeSpaceValueSet& values, const ITimeSet& times) {
  if (measures_.has_places) {
    const ISpatialDefinition* places = path_.TargetPlaces();
    if (places != target_places_ || VersionOf(places) != target_version_) {
      own_factors_.Clear();
      Renew(own_factors_);
    }
  }
  if (!measures_.not_balanced.empty()) return;
  const auto asked = times.Times();
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const ITime& time = *asked[i];
    const Days duration{time.DurationInDays()};
    const double offset = times.OffsetFromUtcInHours();
    const Stamp begin = Stamp{time.StampAsModifiedJulianDay()} - Hours(offset);
    const Stamp end = begin + duration;
    if (last_arrived_ != kFarPast && !Before(last_arrived_, end)) continue;  // it was asked for again
    Stamp from = begin;
    if (!(duration.count > 0.0)) {
      from = last_arrived_ != kFarPast ? last_arrived_
                                       : Stamp{times.TimeHorizon().StampAsModifiedJulianDay()} - Hours(offset);
    }
    const auto row = i < rows_.Count(values) ? rows_.Row(values, i) : std::span<const double>();
    last_arrived_ = end;
    if (!std::isfinite(from.mjd) || !Before(from, end)) continue;
    const std::size_t before = missing_;
    bool has_missing = false;
    const double amount = ArrivedAmount(row, SecondsBetween(from, end), has_missing);
    if (!Before(begin_, end)) missing_ = before;  // the warm-up does not count in any figure
    pieces_.Take(from, end, amount, has_missing);
  }
}

LinkBalanceFigures LinkMeter::Figures() const {
  LinkBalanceFigures figures;
  figures.unit = measures_.unit;
  figures.note = measures_.note;
  figures.missing = missing_;
  const LinkPieces::Totals totals = pieces_.Sums();
  if (!totals.any) {
    figures.is_weighed = false;
    figures.left = figures.arrived = figures.outside = figures.relative_difference = kNotANumber;
    figures.note = missing_ > 0 ? "nothing was balanced: a value was missing in each step" : "";
    return figures;
  }
  figures.left = totals.left;
  figures.arrived = totals.arrived;
  figures.outside = measures_.within ? totals.left - totals.within : 0.0;
  const double difference = totals.arrived - totals.within;
  figures.relative_difference = difference == 0.0 ? 0.0 : difference / std::fabs(totals.within);
  return figures;
}

void LinkMeter::SaveState(StateWriter& writer) const {
  pieces_.SaveState(writer);
  writer.Write(last_arrived_.mjd);
  writer.Write(static_cast<std::int64_t>(missing_));
}

void LinkMeter::LoadState(StateReader& reader) {
  pieces_.LoadState(reader);
  last_arrived_ = Stamp{reader.ReadDouble()};
  missing_ = static_cast<std::size_t>(reader.ReadInteger());
}

}  // namespace openmi
