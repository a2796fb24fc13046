#include "adaptors/time/DerivedSeries.hpp"

#include <algorithm>

#include "timespace/values/RowHistory.hpp"

namespace openmi {

void DerivedSeries::Initialize() {
  made_.Clear();
  latest_seen_ = kFarPast;
  TimeAdaptor::Initialize();
  TakeBack(kFarPast);
  next_ = AdapteeHistory().Trimmed();
  seen_ = next_;
}

void DerivedSeries::SaveState(StateWriter& writer) const {
  // The position in the adaptee's rows follows from the newest row, since their numbers start again.
  const std::uint64_t end = AdapteeHistory().Trimmed() + AdapteeHistory().Count();
  for (const std::uint64_t at : {next_, seen_}) writer.Write(static_cast<std::int64_t>(end - std::min(end, at)));
  writer.Write(latest_seen_.mjd);
  WriteRows(writer, made_);
}

void DerivedSeries::LoadState(StateReader& reader) {
  const std::uint64_t end = AdapteeHistory().Trimmed() + AdapteeHistory().Count();
  for (std::uint64_t* at : {&next_, &seen_}) {
    const auto behind = static_cast<std::uint64_t>(std::max<std::int64_t>(0, reader.ReadInteger()));
    *at = end - std::min(end, behind);
  }
  latest_seen_ = Stamp{reader.ReadDouble()};
  ReplaceRows(made_, ReadRows(reader));
}

std::size_t DerivedSeries::Next(const RowHistory& source) const {
  const std::uint64_t trimmed = source.Trimmed();
  return next_ > trimmed ? static_cast<std::size_t>(next_ - trimmed) : 0;
}

void DerivedSeries::Make(bool ended) {
  const RowHistory& source = AdapteeHistory();
  made_.TrimBefore(EarliestNeeded());
  const std::uint64_t trimmed = source.Trimmed();
  // A row that does not end after those seen before replaces rows taken back.
  for (std::uint64_t row = std::max(seen_, trimmed); row < trimmed + source.Count(); ++row) {
    const auto index = static_cast<std::size_t>(row - trimmed);
    if (!Before(latest_seen_, source.End(index))) {
      const Stamp back = (source.Duration(index).count > 0.0 ? source.Begin(index) : source.End(index)) -
                         kTimeTolerance * (source.Duration(index).count > 0.0 ? -1.0 : 2.0);
      made_.TrimAfter(back);
      TakeBack(back);
      next_ = row;
    }
    latest_seen_ = source.End(index);
  }
  seen_ = trimmed + source.Count();
  MakeRows(source, made_, ended);
}

void DerivedSeries::MakeLast() {
  const std::uint64_t before = made_.Trimmed() + made_.Count();
  Make(true);
  // They were not notified otherwise, as no row was published.
  if (made_.Trimmed() + made_.Count() != before) RefreshAdaptedOutputs();
}

Advance DerivedSeries::Reach(Stamp time) {
  Advance came = AdapteeProvider()->AdvanceTo(time);
  Make(false);
  // The rows made may be behind: a step is not complete yet, or the end of a gap has not come.
  while (came == Advance::Reached && Before(made_.LatestEnd(), time)) {
    const Stamp before = AdapteeHistory().LatestEnd();
    came = AdapteeProvider()->AdvanceTo(before + kTimeTolerance * 4.0);
    Make(false);
    if (!Before(before, AdapteeHistory().LatestEnd())) break;  // the adaptee reports an advance but gives no rows
  }
  if (came == Advance::Ended) MakeLast();
  return came;
}

Stamp DerivedSeries::NeededFor(Stamp time) const {
  return std::min(TimeAdaptor::NeededFor(time), SourceNeeded());
}

}  // namespace openmi
