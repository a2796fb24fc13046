#include "composition/loops/Relaxation.hpp"

#include <algorithm>
#include <cmath>

#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

void ConstantRelaxation::Next(std::span<const double> iterate, std::span<const double> answer, std::span<double> next) {
  for (std::size_t i = 0; i < next.size(); ++i) {
    next[i] = factor_ == 1.0 ? answer[i] : iterate[i] + factor_ * (answer[i] - iterate[i]);
  }
}

void AitkenRelaxation::BeginStep(std::span<const double> weights) {
  weights_.assign(weights.begin(), weights.end());
  residual_.resize(weights.size());
  is_first_ = true;
}

void AitkenRelaxation::SaveState(StateWriter& writer) const {
  writer.Write(factor_);
}

void AitkenRelaxation::LoadState(StateReader& reader) {
  factor_ = reader.ReadDouble();
}

void AitkenRelaxation::Next(std::span<const double> iterate, std::span<const double> answer, std::span<double> next) {
  if (is_first_) {
    factor_ = std::copysign(std::min(first_, std::fabs(factor_)), factor_);
  } else {
    double product = 0.0;
    double square = 0.0;
    for (std::size_t i = 0; i < next.size(); ++i) {
      const double change = (answer[i] - iterate[i] - residual_[i]) * weights_[i];
      product += residual_[i] * weights_[i] * change;
      square += change * change;
    }
    const double factor = -factor_ * product / square;
    if (square > 0.0 && std::isfinite(factor) && factor != 0.0) factor_ = factor;
  }
  is_first_ = false;
  for (std::size_t i = 0; i < next.size(); ++i) {
    residual_[i] = answer[i] - iterate[i];
    next[i] = iterate[i] + factor_ * residual_[i];
  }
}

}  // namespace openmi
