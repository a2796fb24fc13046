#include "composition/threads/StepTimes.hpp"

#include <algorithm>
#include <cmath>

namespace openmi {

void StepTimes::Add(const StepTimes& other) {
  for (std::size_t i = 0; i < kClasses; ++i) classes_[i] += other.classes_[i];
  count_ += other.count_;
  longest_ = std::max(longest_, other.longest_);
}

double StepTimes::MiddleOf(std::size_t number) {
  constexpr std::size_t kEach = std::size_t{1} << kBits;
  const std::size_t shift = number < 2 * kEach ? 0 : number / kEach - 1;
  const auto lowest = static_cast<double>(number - shift * kEach);
  return std::ldexp(lowest, static_cast<int>(shift)) + 0.5 * (std::ldexp(1.0, static_cast<int>(shift)) - 1.0);
}

double StepTimes::Percentile(double part) const {
  if (count_ == 0) return 0.0;
  const double wanted = std::clamp(std::ceil(part * static_cast<double>(count_)), 1.0, static_cast<double>(count_));
  const auto rank = static_cast<std::uint64_t>(wanted);
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < kClasses; ++i) {
    below += classes_[i];
    if (below >= rank) return std::min(MiddleOf(i), static_cast<double>(longest_));
  }
  return static_cast<double>(longest_);
}

}  // namespace openmi
