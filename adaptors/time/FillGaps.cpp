#include "adaptors/time/FillGaps.hpp"

#include <algorithm>
#include <vector>

#include "openmi/sdk/Missing.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {
namespace {

Stamp Middle(const RowHistory& rows, std::size_t row) {
  return rows.Begin(row) + rows.Duration(row) * 0.5;
}

}  // namespace

FillGaps::FillGaps(const std::string& id, IBaseOutput& adaptee) : DerivedSeries(id, adaptee) {
  by_ = AddArgument<std::string>("by", {.caption = "value that fills a gap",
                                        .description = "previous: the last value; linear: a line to the next one",
                                        .value = "linear",
                                        .possible_values = {"previous", "linear"}});
  longest_text_ = ArgumentItems().AddPlain(
      "longest", {.caption = "the longest gap that is filled",
                  .description = "ISO 8601 duration, or a number with a unit; from value to value",
                  .value = "P1D"});
}

void FillGaps::OnInitialize() {
  DerivedSeries::OnInitialize();
  linear_ = by_.Value() == "linear";
  longest_ = DurationOf(Place(), longest_text_, Days{}) + kTimeTolerance;
}

void FillGaps::SaveState(StateWriter& writer) const {
  DerivedSeries::SaveState(writer);
  writer.Write(waiting_for_.mjd);
  writer.Write(last_.first(last_.size() / 2));
  for (const double time : last_.subspan(last_.size() / 2)) writer.Write(time);
}

void FillGaps::LoadState(StateReader& reader) {
  DerivedSeries::LoadState(reader);
  waiting_for_ = Stamp{reader.ReadDouble()};
  std::vector<double> last = reader.ReadDoubles();
  const std::size_t elements = last.size();
  Stamp latest = kFarPast;
  for (std::size_t i = 0; i < elements; ++i) {
    last.push_back(reader.ReadDouble());
    latest = std::max(latest, Stamp{last.back()});
  }
  known_.Clear();
  if (latest != kFarPast) known_.Append(latest, Days{}, last);
  last_ = known_.Empty() ? std::span<const double>() : known_.LastRow();
}

void FillGaps::TakeBack(Stamp time) {
  waiting_for_ = kFarFuture;
  known_.TrimAfter(time);
  last_ = known_.Empty() ? std::span<const double>() : known_.LastRow();
}

void FillGaps::Learn(const RowHistory& source, std::size_t row) {
  // Keeps one row more than the source, all of whose rows may be taken back.
  if (known_.IsFull()) known_.TrimBefore(source.Begin(0) - kTimeTolerance * 4.0);
  const std::span<const double> in = source.Row(row);
  const std::span<double> next = known_.NextRow(2 * in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const bool is_missing = IsMissing(in[i], MissingValue());
    next[i] = is_missing ? LastValue(i) : in[i];
    next[in.size() + i] = (is_missing ? LastTime(i) : Middle(source, row)).mjd;
  }
  known_.Commit(source.Begin(row), source.Duration(row));
  last_ = known_.LastRow();
}

bool FillGaps::OnLine(const RowHistory& source, std::size_t row, std::size_t element, bool ended, double& value) const {
  value = kNotANumber;
  const Stamp last = LastTime(element);
  if (last == kFarPast) return true;
  for (std::size_t next = row + 1; next < source.Count(); ++next) {
    const Days gap = Middle(source, next) - last;
    if (gap > longest_) return true;
    const std::span<const double> later = source.Row(next);
    if (element >= later.size() || IsMissing(later[element], MissingValue())) continue;
    const double weight = (Middle(source, row) - last) / gap;
    value = (1.0 - weight) * LastValue(element) + weight * later[element];
    return true;
  }
  return ended;
}

bool FillGaps::FillRow(const RowHistory& source, std::size_t row, bool ended, std::span<double> out) {
  const std::span<const double> in = source.Row(row);
  const Stamp now = Middle(source, row);
  for (std::size_t i = 0; i < in.size(); ++i) {
    double value = in[i];
    if (IsMissing(value, MissingValue())) {
      if (linear_) {
        if (!OnLine(source, row, i, ended, value)) return false;
      } else {
        value = now - LastTime(i) <= longest_ ? LastValue(i) : kNotANumber;
      }
      if (value != value) value = MissingValue();
    }
    out[i] = value;
  }
  return true;
}

void FillGaps::MakeRows(const RowHistory& source, RowHistory& made, bool ended) {
  waiting_for_ = kFarFuture;
  for (std::size_t row = Next(source); row < source.Count(); ++row) {
    if (!FillRow(source, row, ended, made.NextRow(source.Row(row).size()))) {
      waiting_for_ = source.Begin(row);
      return;
    }
    Learn(source, row);
    made.Commit(source.Begin(row), source.Duration(row));
    Took(source, row);
  }
}

}  // namespace openmi
