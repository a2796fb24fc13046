#include "composition/loops/LoopIterate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "composition/loops/Acceleration.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

LoopIterate::LoopIterate(const IterateSpec& spec)
    : acceleration_(MakeAcceleration({.method = spec.method,
                                      .relaxation = spec.relaxation,
                                      .reused_steps = static_cast<std::size_t>(spec.reused_steps)})) {}

void LoopIterate::AddLink(LoopLink& link) {
  cut_.push_back(&link);
  sizes_.push_back(0.0);
}

void LoopIterate::BeginStep() {
  accelerates_ = false;
  was_number_.clear();
}

void LoopIterate::EndStep() {
  if (accelerates_) acceleration_->EndStep();
}

bool LoopIterate::HasMissing() const {
  return std::ranges::any_of(answered_, [](double value) { return value != value; });
}

bool LoopIterate::IsChanged() const {
  return std::ranges::any_of(cut_, [](const LoopLink* link) { return link->IsChanged(); });
}

bool LoopIterate::Agrees() {
  iterate_.clear();
  answered_.clear();
  firsts_.assign(1, 0);
  worst_ = nullptr;
  double largest = -1.0;
  bool agrees = true;
  for (const LoopLink* link : cut_) {
    link->Gather(iterate_, answered_);
    const std::size_t first = firsts_.back();
    firsts_.push_back(iterate_.size());
    const LoopResidual residual =
        MeasureItem(std::span(iterate_).subspan(first), std::span(answered_).subspan(first), link->Tolerance());
    agrees = agrees && residual.IsSmall();
    const double ratio = residual.largest == 0.0 ? 0.0 : residual.largest / residual.limit;
    if (!(ratio <= largest)) {
      largest = ratio;
      worst_ = link;
      worst_residual_ = residual;
    }
  }
  if (NumbersStay()) return agrees;
  worst_residual_ = {.largest = std::numeric_limits<double>::infinity(), .limit = 0.0};
  return false;
}

bool LoopIterate::NumbersStay() {
  if (IsChanged() || was_number_.size() != answered_.size()) was_number_.assign(answered_.size(), false);
  bool stay = true;
  for (std::size_t i = 0; i < answered_.size(); ++i) {
    const bool is_number = answered_[i] == answered_[i];
    stay = stay && (is_number || !was_number_[i]);
    was_number_[i] = was_number_[i] || is_number;
  }
  return stay;
}

void LoopIterate::MakeNext() {
  const bool is_first = !accelerates_;
  if (is_first || IsChanged()) {
    // The questions have changed: what was learned does not apply, unless there are as many values at the start of a
    // step.
    if (!is_first || learned_ != iterate_.size()) acceleration_->Forget();
    learned_ = iterate_.size();
    weights_.resize(iterate_.size());
    for (std::size_t k = 0; k < cut_.size(); ++k) {
      const auto first = static_cast<std::ptrdiff_t>(firsts_[k]);
      const auto last = static_cast<std::ptrdiff_t>(firsts_[k + 1]);
      const std::span<const double> values(answered_.begin() + first, answered_.begin() + last);
      // Weighted by the largest size so far: a value that passes through zero does not get a higher weight.
      sizes_[k] = std::max(sizes_[k], SizeOfItem(values));
      std::fill(weights_.begin() + first, weights_.begin() + last, sizes_[k] > 0.0 ? 1.0 / sizes_[k] : 1.0);
    }
    acceleration_->BeginStep(weights_);
    accelerates_ = true;
  }
  // Missing values cannot be accelerated: they stay out of the sums, and are passed on unchanged.
  missing_.clear();
  for (std::size_t i = 0; i < answered_.size(); ++i) {
    if (!std::isfinite(answered_[i])) {
      missing_.emplace_back(i, answered_[i]);
      iterate_[i] = answered_[i] = 0.0;
    } else if (!std::isfinite(iterate_[i])) {
      iterate_[i] = answered_[i];
    }
  }
  acceleration_->Next(iterate_, answered_, iterate_);
  for (const auto& [i, value] : missing_) iterate_[i] = value;
  for (std::size_t k = 0; k < cut_.size(); ++k) {
    cut_[k]->Scatter(std::span(iterate_).subspan(firsts_[k], firsts_[k + 1] - firsts_[k]));
  }
}

void LoopIterate::SaveState(StateWriter& writer) const {
  writer.Write(sizes_);
  writer.Write(static_cast<std::int64_t>(learned_));
  acceleration_->SaveState(writer);
}

void LoopIterate::LoadState(StateReader& reader) {
  reader.ReadDoubles(sizes_);
  learned_ = static_cast<std::size_t>(reader.ReadInteger());
  acceleration_->LoadState(reader);
}

}  // namespace openmi
