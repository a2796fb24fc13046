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

constexpr std::size_t kMostRows = 32;  // of a provider that wait until each link has read them

double ToSiOf(const IBaseExchangeItem& item) {
  const IUnit* unit = UnitOf(item);
  return unit != nullptr ? unit->ConversionFactorToSI() : 1.0;
}

int VersionOf(const ISpatialDefinition* places) {
  return places != nullptr ? places->Version() : 0;
}

/// Adds up a row, each value multiplied by its factor. Without a factor for each value, all are missing.
/// \param factors  empty: 1 each
double Sum(std::span<const double> row, std::span<const double> factors, double missing, std::size_t& gaps) {
  const bool is_plain = factors.empty();
  if (!is_plain && factors.size() != row.size()) {
    gaps = row.size();
    return 0.0;
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!is_plain && factors[i] == 0.0) continue;
    if (IsMissing(row[i], missing)) {
      ++gaps;
    } else {
      sum += is_plain ? row[i] : row[i] * factors[i];
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
  (meter.is_told_ ? told_ : readers_).push_back(&meter);
}

void ProviderMeter::Renew() {
  Settle();
  places_ = source_.SpatialDefinition();
  version_ = VersionOf(places_);
  factors_.Clear();
  sums_.clear();
  std::vector<LinkMeter*> meters = std::exchange(told_, {});
  meters.insert(meters.end(), readers_.begin(), readers_.end());
  readers_.clear();
  for (LinkMeter* meter : meters) {
    meter->Renew(factors_);
    Add(*meter);
  }
}

std::size_t ProviderMeter::SumOf(const std::string& name) {
  auto found = std::ranges::find(sums_, name, &Summand::name);
  if (found == sums_.end()) {
    HandOver();  // the rows that wait have one sum less
    found = sums_.insert(sums_.end(), {name, {}});
    if (!name.empty()) found->factors = factors_.Of(name).values;
  }
  return static_cast<std::size_t>(found - sums_.begin());
}

void ProviderMeter::OnRow(Stamp begin, Days duration, std::span<const double> row) {
  const ISpatialDefinition* places = source_.SpatialDefinition();
  if (places != places_ || VersionOf(places) != version_) Renew();
  const Stamp end = begin + duration;
  const Stamp from = duration.count > 0.0 ? begin : last_;
  last_ = end;
  if (from == kFarPast || !Before(from, end)) return;
  if (readers_.empty()) Release();
  if (rows_ == kMostRows) HandOver();
  const double seconds = SecondsBetween(from, end);
  for (const Summand& sum : sums_) {
    Given& given = given_.emplace_back(Given{from, end, seconds});
    given.amount = Sum(row, sum.factors, missing_, given.missing);
  }
  ++rows_;
  for (LinkMeter* meter : told_) meter->OnGiven(from, end, row);
}

void ProviderMeter::HandOver() {
  for (LinkMeter* meter : readers_) {
    meter->Settle();
    meter->Read();
    meter->read_ = 0;
  }
  Release();
}

void ProviderMeter::Settle() {
  for (LinkMeter* meter : told_) meter->Settle();
  HandOver();
}

void ProviderMeter::Release() {
  rows_ = 0;
  given_.clear();
}

void ProviderMeter::SaveState(StateWriter& writer) const {
  writer.Write(last_.mjd);
}

void ProviderMeter::LoadState(StateReader& reader) {
  last_ = Stamp{reader.ReadDouble()};
  Release();
}

LinkMeter::LinkMeter(Link& link, AmountPath path, ProviderMeter& provider, Stamp begin)
    : arrived_(MissingOf(*link.Target())),
      provider_(provider),
      target_to_si_(ToSiOf(*link.Target())),
      begin_(begin),
      pieces_(begin),
      link_(link),
      path_(std::move(path)) {
  Renew(provider.Factors());
  if (!measures_.not_balanced.empty()) return;
  provider.Add(*this);
  link.End()->SetListener(this);
}

void LinkMeter::Renew(SourceFactors& factors) {
  target_places_ = path_.TargetPlaces();
  target_version_ = VersionOf(target_places_);
  measures_ = path_.Measure(factors);
  if (&factors == &provider_.Factors()) is_told_ = measures_.has_places || measures_.one || measures_.within;
  is_balanced_ = measures_.not_balanced.empty();
  if (!is_balanced_) return;
  given_scale_ = provider_.ToSi() * measures_.factor;
  areas_ = measures_.target_areas;
  if (measures_.one) {
    one_factor_ = measures_.source_factors.empty() ? 1.0 : factors.Of(measures_.source_factors).values[*measures_.one];
  } else if (&factors == &provider_.Factors()) {
    sum_ = provider_.SumOf(measures_.source_factors);
  }
}

LinkPieces::Piece LinkMeter::AsGiven(const ProviderMeter::Given& given, double within) {
  const double scale = given_scale_ * (path_.Given().is_rate ? given.seconds : 1.0);
  if (given.missing > 0 && Before(begin_, given.to)) missing_ += given.missing;
  return {given.from, given.to, given.amount * scale, within * scale, given.missing > 0};
}

LinkPieces::Piece LinkMeter::AsTaken(const ArrivedSteps::Step& taken, double seconds) {
  if (Before(begin_, taken.to)) missing_ += taken.missing;  // the warm-up does not count in any figure
  return {taken.from, taken.to, taken.sum * target_to_si_ * (path_.Taken().is_rate ? seconds : 1.0), 0.0,
          taken.missing > 0};
}

LinkPieces::Piece LinkMeter::NextGiven() {
  const ProviderMeter::Given& given = provider_.GivenAt(read_++, sum_);
  return AsGiven(given, given.amount);
}

void LinkMeter::Read() {
  if (!is_balanced_) read_ = provider_.Rows();
  while (read_ < provider_.Rows()) pieces_.Give(NextGiven());
}

void LinkMeter::OnGiven(Stamp from, Stamp to, std::span<const double> row) {
  if (!is_balanced_) return;
  ProviderMeter::Given given{from, to};
  if (measures_.one) {
    const bool is_there = *measures_.one < row.size() && !IsMissing(row[*measures_.one], provider_.Missing());
    given.seconds = SecondsBetween(from, to);
    given.amount = is_there ? row[*measures_.one] * one_factor_ : 0.0;
    given.missing = is_there ? 0 : 1;
  } else {
    given = provider_.LastGiven(sum_);
  }
  double within = given.amount;
  if (measures_.within) {
    within = 0.0;
    given.missing = 0;  // elements outside reach no target
    for (const auto& [element, factor] : *measures_.within) {
      if (element >= row.size() || IsMissing(row[element], provider_.Missing())) {
        ++given.missing;
      } else {
        within += row[element] * factor;
      }
    }
  }
  pieces_.Give(AsGiven(given, within));
}

bool ArrivedSteps::AddOne(const ITimeSpaceValueSet& values, const ITimeSet& times, std::size_t number,
                          std::span<const double> areas) {
  const ITime& time = *times.Times()[number];
  const Days duration{time.DurationInDays()};
  const double offset = times.OffsetFromUtcInHours();
  const Stamp begin = Stamp{time.StampAsModifiedJulianDay()} - Hours(offset);
  const Stamp end = begin + duration;
  if (last_ != kFarPast && !Before(last_, end)) return false;  // it was asked for again
  Stamp from = begin;
  if (!(duration.count > 0.0)) {
    from = last_ != kFarPast ? last_ : Stamp{times.TimeHorizon().StampAsModifiedJulianDay()} - Hours(offset);
  }
  last_ = end;
  if (!std::isfinite(from.mjd) || !Before(from, end)) return false;
  const auto row = number < rows_.Count(values) ? rows_.Row(values, number) : std::span<const double>();
  Step& step = steps_[count_++] = {from, end};
  step.sum = Sum(row, areas, missing_, step.missing);
  return true;
}

void ArrivedSteps::Restart(Stamp last) {
  last_ = last;
  count_ = 0;
}

void LinkMeter::OnArrival(const ITimeSpaceValueSet& values, const ITimeSet& times) {
  if (is_told_ && measures_.has_places) {
    const ISpatialDefinition* places = path_.TargetPlaces();
    if (places != target_places_ || VersionOf(places) != target_version_) {
      Settle();
      own_factors_.Clear();
      Renew(own_factors_);
    }
  }
  if (!is_balanced_) return;
  arrived_.Add(values, times, areas_, [this] { Settle(); });
  if (is_told_) Settle();  // the rows of the provider would wait meanwhile, and only so many are kept apart
}

void LinkMeter::Settle() {
  for (const ArrivedSteps::Step& taken : arrived_.TakeAll()) {
    if (!is_told_ && read_ < provider_.Rows() && provider_.GivenAt(read_, sum_).to == taken.to) {
      const ProviderMeter::Given& given = provider_.GivenAt(read_, sum_);
      const double seconds = given.from == taken.from ? given.seconds : SecondsBetween(taken.from, taken.to);
      pieces_.GiveAndTake(NextGiven(), AsTaken(taken, seconds));
    } else {
      if (!is_told_) Read();
      pieces_.Take(AsTaken(taken, SecondsBetween(taken.from, taken.to)));
    }
  }
  if (!is_told_ && provider_.HasOneReader()) {
    Read();
    provider_.Release();
    read_ = 0;
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
  writer.Write(arrived_.LastEnd().mjd);
  writer.Write(static_cast<std::int64_t>(missing_));
}

void LinkMeter::LoadState(StateReader& reader) {
  pieces_.LoadState(reader);
  arrived_.Restart(Stamp{reader.ReadDouble()});
  missing_ = static_cast<std::size_t>(reader.ReadInteger());
  read_ = 0;
}

}  // namespace openmi
