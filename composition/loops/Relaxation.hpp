#pragma once

#include <vector>

#include "composition/loops/Acceleration.hpp"

namespace openmi {

/// Relaxation with a constant factor:  x' = x + w (H(x) - x). w = 1 is the plain fixed point; a smaller factor damps.
class ConstantRelaxation final : public IAcceleration {
 public:
  /// \param factor  w, dimensionless, above 0
  explicit ConstantRelaxation(double factor) : factor_(factor) {}
  void BeginStep(std::span<const double>) override {}
  void Next(std::span<const double> iterate, std::span<const double> answer, std::span<double> next) override;
  void EndStep() override {}
  void Forget() override {}
  void SaveState(StateWriter&) const override {}
  void LoadState(StateReader&) override {}

 private:
  double factor_;
};

/// Aitken's relaxation:  x' = x + w_k r_k,  r = H(x) - x,  w_k = -w_(k-1) (r_(k-1) . (r_k - r_(k-1))) / |r_k -
/// r_(k-1)|^2.
///
/// This is the secant of the residuals, with one factor for all values. A step starts with the factor at which the last
/// one ended, but at most with the first factor.
///
/// Source: [Irons1969]; the vector form after [Kuttler2008], section 3.2.
class AitkenRelaxation final : public IAcceleration {
 public:
  /// \param first  the first factor, dimensionless, above 0
  explicit AitkenRelaxation(double first) : first_(first), factor_(first) {}
  void BeginStep(std::span<const double> weights) override;
  void Next(std::span<const double> iterate, std::span<const double> answer, std::span<double> next) override;
  void EndStep() override {}
  void Forget() override { factor_ = first_; }
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;
  /// The factor of the last iteration.
  double Factor() const { return factor_; }

 private:
  double first_;
  double factor_;
  bool is_first_ = true;
  std::vector<double> weights_;
  std::vector<double> residual_;  // of the iteration before
};

}  // namespace openmi
