#include "composition/record/Observer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "openmi/sdk/Missing.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"
#include "timespace/times/WholeSeconds.hpp"

namespace openmi {

Observer::Observer(std::vector<std::size_t> elements, ObserveAs as, Days every, Stamp begin, double missing, Sink sink)
    : elements_(std::move(elements)),
      as_(as),
      every_(every),
      missing_(missing),
      sink_(std::move(sink)),
      period_begin_(begin),
      first_begin_(begin),
      last_(kFarPast) {}

void Observer::Select(std::span<const double> row) {
  row_.resize(elements_.empty() ? row.size() : elements_.size());
  for (std::size_t i = 0; i < row_.size(); ++i) {
    const std::size_t element = elements_.empty() ? i : elements_[i];
    const double value = element < row.size() ? row[element] : kNotANumber;
    row_[i] = IsMissing(value, missing_) ? kNotANumber : value;
  }
}

void Observer::Restart() {
  covered_ = 0.0;
  any_ = false;
  const double start =
      as_ == ObserveAs::Minimum || as_ == ObserveAs::Maximum || as_ == ObserveAs::Instant ? kNotANumber : 0.0;
  value_.assign(row_.size(), start);
}

void Observer::OnRow(Stamp begin, Days duration, std::span<const double> row) {
  Select(row);
  if (!(every_.count > 0.0)) {
    sink_(begin, duration, row_);
    last_ = begin + duration;
    return;
  }
  const Stamp end = begin + duration;
  Stamp from = duration.count > 0.0 ? begin : (last_ == kFarPast ? end : last_);
  if (value_.size() != row_.size()) Restart();
  if (duration.count == 0.0 && last_ == kFarPast && as_ == ObserveAs::Instant && SameTime(end, first_begin_)) {
    sink_(end, Days{}, row_);  // the initial value
  }
  const double whole = SecondsBetween(from, end);
  from = std::max(from, period_begin_);
  while (Before(from, end)) {
    const Stamp period_end = first_begin_ + every_ * static_cast<double>(period_ + 1);
    if (!Before(from, period_end)) {  // no row touched the rest of this period
      Emit();
      continue;
    }
    const Stamp to = Before(end, period_end) ? end : period_end;
    Add(from, to, whole > 0.0 ? SecondsBetween(from, to) / whole : 1.0);
    if (!Before(to, period_end)) Emit();
    from = to;
  }
  last_ = end;
}

void Observer::SaveState(StateWriter& writer) const {
  writer.Write(row_);
  writer.Write(value_);
  writer.Write(period_begin_.mjd);
  writer.Write(period_);
  writer.Write(last_.mjd);
  writer.Write(covered_);
  writer.Write(any_);
}

void Observer::LoadState(StateReader& reader) {
  row_ = reader.ReadDoubles();
  value_ = reader.ReadDoubles();
  period_begin_ = Stamp{reader.ReadDouble()};
  period_ = reader.ReadInteger();
  last_ = Stamp{reader.ReadDouble()};
  covered_ = reader.ReadDouble();
  any_ = reader.ReadBool();
}

void Observer::Add(Stamp from, Stamp to, double share) {
  const double seconds = SecondsBetween(from, to);
  for (std::size_t i = 0; i < row_.size(); ++i) {
    double& value = value_[i];
    switch (as_) {
      case ObserveAs::Instant:
        value = row_[i];
        break;
      case ObserveAs::Mean:
        value += row_[i] * seconds;
        break;
      case ObserveAs::Sum:
        value += row_[i] * share;
        break;
      case ObserveAs::Minimum:
        value = any_ ? (std::isnan(row_[i]) ? value : std::fmin(value, row_[i])) : row_[i];
        break;
      case ObserveAs::Maximum:
        value = any_ ? (std::isnan(row_[i]) ? value : std::fmax(value, row_[i])) : row_[i];
        break;
    }
  }
  covered_ += seconds;
  any_ = true;
}

void Observer::Emit() {
  const bool gaps = covered_ < ToSeconds(every_ - kTimeTolerance * 4.0);
  if (as_ == ObserveAs::Mean) {
    for (double& value : value_) value = gaps ? kNotANumber : value / covered_;
  } else if (as_ == ObserveAs::Sum && gaps) {
    std::ranges::fill(value_, kNotANumber);
  }
  const Stamp period_end = first_begin_ + every_ * static_cast<double>(period_ + 1);
  if (as_ == ObserveAs::Instant) {
    sink_(period_end, Days{}, value_);
  } else {
    sink_(period_begin_, period_end - period_begin_, value_);
  }
  ++period_;
  period_begin_ = period_end;
  Restart();
}

}  // namespace openmi
