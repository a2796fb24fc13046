#include "adaptors/time/WithinHorizon.hpp"

#include <algorithm>

#include "timespace/times/TimeSet.hpp"

namespace openmi {

void WithinHorizon::OnInitialize() {
  DerivedSeries::OnInitialize();
  const openmi::ITimeSet& times = *AdapteeItems().TimeSet();
  const Days offset = Hours(times.OffsetFromUtcInHours());
  begin_ = Stamp{times.TimeHorizon().StampAsModifiedJulianDay()} - offset;
  end_ = EndOf(times.TimeHorizon()) - offset;
}

void WithinHorizon::MakeRows(const RowHistory& source, RowHistory& made, bool) {
  for (std::size_t row = Next(source); row < source.Count(); ++row) {
    const bool is_span = source.Duration(row).count > 0.0;
    const bool is_inside = is_span ? Before(begin_, source.End(row)) && Before(source.Begin(row), end_)
                                   : !Before(source.Begin(row), begin_) && !Before(end_, source.Begin(row));
    if (is_inside) {
      const std::span<const double> in = source.Row(row);
      std::ranges::copy(in, made.NextRow(in.size()).begin());
      made.Commit(source.Begin(row), source.Duration(row));
    }
    Took(source, row);
  }
}

Advance WithinHorizon::Reach(Stamp time) {
  const RowHistory& source = AdapteeHistory();
  Advance came = AdapteeProvider()->AdvanceTo(time);
  Make(false);
  while (came == Advance::Reached && Rows().Empty() && Before(source.LatestEnd(), end_)) {  // before the first row
    came = AdapteeProvider()->AdvanceTo(source.LatestEnd() + kTimeTolerance * 4.0);
    Make(false);
  }
  return came == Advance::Reached && Before(Rows().LatestEnd(), time) ? Advance::Ended : came;
}

}  // namespace openmi
