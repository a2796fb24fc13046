#include "composition/record/Comparer.hpp"

#include "composition/record/DescribeSeries.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Unit.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

void Comparer::Side::OnRow(Stamp begin, Days duration, std::span<const double> row) {
  is_span = duration.count > 0.0;
  times.push_back((begin + duration).mjd);
  values.insert(values.end(), row.begin(), row.end());
  width = row.size();
}

Comparer::Comparer(const CompareSpec& spec, const ITimeSpaceOutput& simulated, const ITimeSpaceOutput& observed)
    : spec_(spec) {
  simulated_.missing = MissingOf(simulated);
  observed_.missing = MissingOf(observed);
  const IUnit* from = UnitOf(observed);
  const IUnit* to = UnitOf(simulated);
  if (from == nullptr || to == nullptr) {
    throw LinkError({.line = spec.line}, "expected two items with units, found one without",
                    "compare items of numbers");
  }
  to_simulated_ = ConversionBetween(*from, *to);
  unit_ = UnitText(simulated);
  const auto* set_s = dynamic_cast<const IElementSet*>(simulated.SpatialDefinition());
  const auto* set_o = dynamic_cast<const IElementSet*>(observed.SpatialDefinition());
  const int count_s = set_s != nullptr ? set_s->ElementCount() : 1;
  const int count_o = set_o != nullptr ? set_o->ElementCount() : 1;
  for (int i = 0; i < count_o; ++i) {
    int match = -1;
    if (set_s != nullptr && set_o != nullptr && set_o->GetElementId(i) != nullptr) {
      match = set_s->GetElementIndex(*set_o->GetElementId(i));
    }
    if (match < 0 && count_s == 1 && count_o == 1) match = 0;
    if (match < 0) continue;
    pairs_.emplace_back(static_cast<std::size_t>(match), static_cast<std::size_t>(i));
    elements_.push_back(set_o != nullptr ? ElementIdText(*set_o, i) : std::string());
  }
}

std::vector<RecordedComparison> Comparer::Compare() const {
  std::vector<RecordedComparison> all;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    RecordedComparison one;
    one.spec = &spec_;
    one.element = elements_[k];
    one.unit = unit_;
    one.is_span = simulated_.is_span;
    std::size_t j = 0;
    for (std::size_t i = 0; i < simulated_.times.size(); ++i) {
      while (j < observed_.times.size() && Before(Stamp{observed_.times[j]}, Stamp{simulated_.times[i]})) {
        ++one.unmatched;
        ++j;
      }
      const double s = simulated_.values[i * simulated_.width + pairs_[k].first];
      one.times.push_back(simulated_.times[i]);
      one.simulated.push_back(IsMissing(s, simulated_.missing) ? kNotANumber : s);
      double o = kNotANumber;
      if (j < observed_.times.size() && SameTime(Stamp{observed_.times[j]}, Stamp{simulated_.times[i]})) {
        o = observed_.values[j * observed_.width + pairs_[k].second];
        o = IsMissing(o, observed_.missing) ? kNotANumber : to_simulated_(o);
        ++j;
      }
      one.observed.push_back(o);
    }
    one.unmatched += observed_.times.size() - j;
    all.push_back(std::move(one));
  }
  return all;
}

void Comparer::SaveState(StateWriter& writer) const {
  for (const Side* side : {&simulated_, &observed_}) {
    writer.Write(side->times);
    writer.Write(side->values);
    writer.Write(static_cast<std::int64_t>(side->width));
    writer.Write(side->is_span);
  }
}

void Comparer::LoadState(StateReader& reader) {
  for (Side* side : {&simulated_, &observed_}) {
    side->times = reader.ReadDoubles();
    side->values = reader.ReadDoubles();
    side->width = static_cast<std::size_t>(reader.ReadInteger());
    side->is_span = reader.ReadBool();
    if (side->values.size() != side->times.size() * side->width) {
      throw FormatError({}, "expected a row for each time of a comparison in a state, found another number of values",
                        "use an intact copy");
    }
  }
}

}  // namespace openmi
