#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "composition/loops/Acceleration.hpp"
#include "composition/loops/LeastSquares.hpp"

namespace openmi {

struct QuasiNewtonOptions {
  double first_factor = 0.5;     ///< part of the residual that is used while nothing is known; dimensionless
  double mixing = 1.0;           ///< Anderson's b; 1 for the interface quasi-Newton method
  std::size_t depth = 20;        ///< the largest number of pairs of differences used
  std::size_t reused_steps = 0;  ///< number of earlier steps used, of those that found something new
  double filter = 1e-8;          ///< a difference is omitted if less than this part of it is new; dimensionless
};

/// Anderson acceleration, and the interface quasi-Newton method with an inverse Jacobian from least squares (IQN-ILS).
///
/// With the residuals r = H(x) - x, their differences V and the differences W of the answers H(x), newest first:
///   c = argmin | V c + r |,   x' = x + b r + (W - (1 - b) V) c.
/// b = 1 is IQN-ILS, which may also use differences of earlier steps. At most as many differences are used as there are
/// values; linearly dependent ones are dropped.
///
/// Source: [Anderson1965]; [Walker2011] (the form by differences); [Degroote2009] (IQN-ILS); [Haelterman2016] (filter).
class QuasiNewton final : public IAcceleration {
 public:
  explicit QuasiNewton(const QuasiNewtonOptions& options) : options_(options), solver_(options.filter) {}
  void BeginStep(std::span<const double> weights) override;
  void Next(std::span<const double> iterate, std::span<const double> answer, std::span<double> next) override;
  void EndStep() override;
  void Forget() override;
  void SaveState(StateWriter& writer) const override;
  /// \throws FormatError  what was learned does not fit together
  void LoadState(StateReader& reader) override;
  /// The number of pairs of differences that are stored.
  std::size_t Count() const { return count_; }

 private:
  void Insert(std::span<const double> residual_change, std::span<const double> answer_change);
  void Drop(std::size_t column);

  QuasiNewtonOptions options_;
  LeastSquares solver_;
  std::vector<double> weights_;
  std::vector<double> residual_, answer_;  // of the iteration before
  std::vector<double> new_residual_, change_r_, change_a_;
  bool is_first_ = true;
  std::size_t count_ = 0;
  std::vector<std::vector<double>> v_,
      w_;                                 // the first count_ hold differences, newest first; the rest is memory to use
  std::vector<std::size_t> per_step_{0};  // how many belong to each step, newest first
};

}  // namespace openmi
