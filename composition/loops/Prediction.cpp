#include "composition/loops/Prediction.hpp"

#include <algorithm>

#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

void Prediction::Add(double time, std::span<const double> values) {
  if (count_ > 0 && past_.front().values.size() != values.size()) Clear();
  if (count_ < most_) {
    if (past_.size() == count_) past_.emplace_back();
    ++count_;
  }
  const auto last = past_.begin() + static_cast<std::ptrdiff_t>(count_);
  std::rotate(past_.begin(), last - 1, last);
  past_.front().time = time;
  past_.front().values.assign(values.begin(), values.end());
}

void Prediction::SaveState(StateWriter& writer) const {
  writer.Write(static_cast<std::int64_t>(count_));
  for (std::size_t i = count_; i-- > 0;) {  // oldest first
    writer.Write(past_[i].time);
    writer.Write(past_[i].values);
  }
}

void Prediction::LoadState(StateReader& reader) {
  Clear();
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    const double time = reader.ReadDouble();
    Add(time, reader.ReadDoubles());
  }
}

void Prediction::At(double time, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  for (std::size_t i = 0; i < count_; ++i) {
    double weight = 1.0;
    for (std::size_t j = 0; j < count_; ++j) {
      if (j != i) weight *= (time - past_[j].time) / (past_[i].time - past_[j].time);
    }
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += weight * past_[i].values[k];
  }
}

}  // namespace openmi
