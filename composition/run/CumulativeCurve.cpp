#include "composition/run/CumulativeCurve.hpp"

#include <algorithm>
#include <cmath>

#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi {

void CumulativeCurve::Add(Stamp from, Stamp to, double amount) {
  if (times_.empty() || Before(Stamp{times_.back()}, from)) {
    times_.push_back(from.mjd);
    totals_.push_back(sum_ + carry_);
  }
  const double next = sum_ + amount;
  carry_ += std::fabs(sum_) >= std::fabs(amount) ? (sum_ - next) + amount : (amount - next) + sum_;
  sum_ = next;
  times_.push_back(to.mjd);
  totals_.push_back(sum_ + carry_);
}

double CumulativeCurve::At(Stamp time) const {
  if (times_.empty() || time.mjd <= times_.front()) return 0.0;
  const auto after = std::ranges::upper_bound(times_, time.mjd);
  if (after == times_.end()) return totals_.back();
  const auto i = static_cast<std::size_t>(after - times_.begin());
  const double span = times_[i] - times_[i - 1];
  // A time that is a step's end but for rounding is that end.
  if (SameTime(Stamp{times_[i]}, time)) return totals_[i];
  if (SameTime(Stamp{times_[i - 1]}, time)) return totals_[i - 1];
  return totals_[i - 1] + (totals_[i] - totals_[i - 1]) * (time.mjd - times_[i - 1]) / span;
}

void CumulativeCurve::SaveState(StateWriter& writer) const {
  writer.Write(times_);
  writer.Write(totals_);
  writer.Write(carry_);
  writer.Write(sum_);
}

void CumulativeCurve::LoadState(StateReader& reader) {
  times_ = reader.ReadDoubles();
  totals_.resize(times_.size());
  reader.ReadDoubles(totals_);
  carry_ = reader.ReadDouble();
  sum_ = reader.ReadDouble();
}

}  // namespace openmi
