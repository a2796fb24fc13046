#include "composition/loops/QuasiNewton.hpp"

#include <algorithm>
#include <numeric>

#include "openmi/sdk/Error.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

void QuasiNewton::BeginStep(std::span<const double> weights) {
  weights_.assign(weights.begin(), weights.end());
  for (auto* values : {&residual_, &answer_, &new_residual_, &change_r_, &change_a_}) values->resize(weights.size());
  is_first_ = true;
}

void QuasiNewton::Insert(std::span<const double> residual_change, std::span<const double> answer_change) {
  const std::size_t most = std::max<std::size_t>(1, std::min(options_.depth, weights_.size()));
  while (count_ >= most) Drop(count_ - 1);
  if (v_.size() == count_) {
    v_.emplace_back();
    w_.emplace_back();
  }
  const auto at = static_cast<std::ptrdiff_t>(count_);
  std::rotate(v_.begin(), v_.begin() + at, v_.begin() + at + 1);  // moves pointers, not values
  std::rotate(w_.begin(), w_.begin() + at, w_.begin() + at + 1);
  v_.front().assign(residual_change.begin(), residual_change.end());
  w_.front().assign(answer_change.begin(), answer_change.end());
  ++count_;
  ++per_step_.front();
}

void QuasiNewton::Drop(std::size_t column) {
  const auto from = static_cast<std::ptrdiff_t>(column);
  const auto end = static_cast<std::ptrdiff_t>(count_);
  std::rotate(v_.begin() + from, v_.begin() + from + 1, v_.begin() + end);
  std::rotate(w_.begin() + from, w_.begin() + from + 1, w_.begin() + end);
  --count_;
  for (std::size_t& of_step : per_step_) {
    if (column < of_step) {
      --of_step;
      break;
    }
    column -= of_step;
  }
}

void QuasiNewton::Next(std::span<const double> iterate, std::span<const double> answer, std::span<double> next) {
  const std::size_t size = next.size();
  for (std::size_t i = 0; i < size; ++i) new_residual_[i] = answer[i] - iterate[i];
  if (!is_first_) {
    for (std::size_t i = 0; i < size; ++i) {
      change_r_[i] = new_residual_[i] - residual_[i];
      change_a_[i] = answer[i] - answer_[i];
    }
    Insert(change_r_, change_a_);
  }
  is_first_ = false;
  std::copy(answer.begin(), answer.end(), answer_.begin());
  std::copy(new_residual_.begin(), new_residual_.end(), residual_.begin());
  const std::span<const double> c = solver_.Solve(std::span(v_.data(), count_), weights_, residual_);
  const std::vector<bool>& left_out = solver_.LeftOut();
  const bool knows = std::ranges::find(left_out, false) != left_out.end();
  const double part = knows ? options_.mixing : options_.first_factor;
  for (std::size_t i = 0; i < size; ++i) next[i] = iterate[i] + part * residual_[i];
  for (std::size_t k = 0; k < count_; ++k) {
    if (left_out[k]) continue;
    for (std::size_t i = 0; i < size; ++i) next[i] += c[k] * (w_[k][i] - (1.0 - options_.mixing) * v_[k][i]);
  }
  for (std::size_t k = count_; k-- > 0;) {
    if (left_out[k]) Drop(k);
  }
}

void QuasiNewton::EndStep() {
  if (per_step_.front() == 0) return;  // it learned nothing: earlier knowledge remains valid
  per_step_.insert(per_step_.begin(), 0);
  while (per_step_.size() > options_.reused_steps + 1) {
    count_ -= per_step_.back();  // the oldest are last
    per_step_.pop_back();
  }
}

void QuasiNewton::Forget() {
  count_ = 0;
  per_step_.assign(1, 0);
}

void QuasiNewton::SaveState(StateWriter& writer) const {
  writer.Write(static_cast<std::int64_t>(count_));
  for (std::size_t i = 0; i < count_; ++i) {
    writer.Write(v_[i]);
    writer.Write(w_[i]);
  }
  writer.Write(static_cast<std::int64_t>(per_step_.size()));
  for (const std::size_t of_step : per_step_) writer.Write(static_cast<std::int64_t>(of_step));
}

void QuasiNewton::LoadState(StateReader& reader) {
  v_.clear();
  w_.clear();
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    v_.push_back(reader.ReadDoubles());
    w_.push_back(reader.ReadDoubles());
  }
  count_ = v_.size();
  per_step_.clear();
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    per_step_.push_back(static_cast<std::size_t>(reader.ReadInteger()));
  }
  const bool is_even = std::ranges::all_of(v_, [this](const auto& one) { return one.size() == v_.front().size(); }) &&
                       std::ranges::all_of(w_, [this](const auto& one) { return one.size() == v_.front().size(); });
  if (!is_even || per_step_.empty() || std::accumulate(per_step_.begin(), per_step_.end(), std::size_t{0}) != count_) {
    throw FormatError({}, "expected a consistent history of the iteration in the state, found an inconsistent one",
                      "use an intact copy");
  }
}

}  // namespace openmi
