#include "adaptors/time/FillGaps.hpp"

#include "openmi/sdk/Missing.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi {
namespace {

Stamp Middle(const RowHistory& rows, std::size_t row) {
  return rows.Begin(row) + rows.Duration(row) * 0.5;
}

}  // namespace

FillGaps::FillGaps(std::string id, IBaseOutput& adaptee) : DerivedSeries(std::move(id), adaptee) {
  by_ = AddArgument<std::string>("by", {.caption = "what fills a gap",
                                        .description = "previous: the last value; linear: a line to the next one",
                                        .value = "linear",
                                        .possible_values = {"previous", "linear"}});
  longest_text_ =
      AddArgument<std::string>("longest", {.caption = "the longest gap that is filled",
                                           .description = "ISO 8601 duration, or '6 h'; from value to value",
                                           .value = "P1D",
                                           .meaning = ArgumentMeaning::Plain});
}

void FillGaps::OnInitialize() {
  DerivedSeries::OnInitialize();
  linear_ = by_.Value() == "linear";
  longest_ = DurationOf(Place(), longest_text_, Days{}) + kTimeTolerance;
}

void FillGaps::SaveState(StateWriter& writer) const {
  DerivedSeries::SaveState(writer);
  writer.Write(waiting_for_.mjd);
  writer.Write(last_value_);
  for (const Stamp time : last_time_) writer.Write(time.mjd);
}

void FillGaps::LoadState(StateReader& reader) {
  DerivedSeries::LoadState(reader);
  waiting_for_ = Stamp{reader.ReadDouble()};
  last_value_ = reader.ReadDoubles();
  last_time_.assign(last_value_.size(), kFarPast);
  for (Stamp& time : last_time_) time = Stamp{reader.ReadDouble()};
}

void FillGaps::TakeBack(Stamp time) {
  waiting_for_ = kFarFuture;
  for (std::size_t i = 0; i < last_time_.size(); ++i) {
    if (Before(last_time_[i], time)) continue;
    last_value_[i] = kNotANumber;
    last_time_[i] = kFarPast;
  }
}

bool FillGaps::OnLine(const RowHistory& source, std::size_t row, std::size_t element, bool ended, double& value) const {
  value = kNotANumber;
  if (last_time_[element] == kFarPast) return true;
  for (std::size_t next = row + 1; next < source.Count(); ++next) {
    const Days gap = Middle(source, next) - last_time_[element];
    if (gap > longest_) return true;
    const std::span<const double> later = source.Row(next);
    if (element >= later.size() || IsMissing(later[element], MissingValue())) continue;
    const double weight = (Middle(source, row) - last_time_[element]) / gap;
    value = (1.0 - weight) * last_value_[element] + weight * later[element];
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
        value = now - last_time_[i] <= longest_ ? last_value_[i] : kNotANumber;
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
    const std::span<const double> in = source.Row(row);
    if (in.size() > last_value_.size()) {
      last_value_.resize(in.size(), kNotANumber);
      last_time_.resize(in.size(), kFarPast);
    }
    if (!FillRow(source, row, ended, made.NextRow(in.size()))) {
      waiting_for_ = source.Begin(row);
      return;
    }
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (IsMissing(in[i], MissingValue())) continue;
      last_value_[i] = in[i];
      last_time_[i] = Middle(source, row);
    }
    made.Commit(source.Begin(row), source.Duration(row));
    Took(source, row);
  }
}

}  // namespace openmi
