#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "composition/model/LoopMethod.hpp"

namespace openmi {

class StateReader;
class StateWriter;

/// Makes the next iterate x' of a fixed-point problem x = H(x) from the iterate x and the answer H(x).
///
/// Order of calls: `BeginStep`, `Next` once in each iteration, `EndStep`; then again. All spans of one step have the
/// same length. If the next step has another length, call `Forget` before. In steady state nothing is allocated.
class IAcceleration {
 public:
  virtual ~IAcceleration() = default;

  /// Starts a step.
  /// \param weights  the weight of each value in norms; shape [values]. Values of different items have different units:
  ///   1 divided by the size of the item makes them comparable.
  virtual void BeginStep(std::span<const double> weights) = 0;
  /// Makes the next iterate.
  /// \param iterate  x; shape [values]
  /// \param answer   H(x); same shape
  /// \param next     x'; same shape; may be the memory of `iterate`
  virtual void Next(std::span<const double> iterate, std::span<const double> answer, std::span<double> next) = 0;
  /// Ends the step; `Next` may use what it learned from it in later steps.
  virtual void EndStep() = 0;
  /// Forgets everything that was learned.
  virtual void Forget() = 0;
  /// Saves what was learned in the steps so far; LoadState restores it. Both are called between two steps.
  virtual void SaveState(StateWriter& writer) const = 0;
  virtual void LoadState(StateReader& reader) = 0;
};

/// What MakeAcceleration needs to know about a method.
struct AccelerationOptions {
  LoopMethod method = LoopMethod::QuasiNewton;
  /// The meaning depends on the method: the constant factor; the first factor of Aitken and of quasi-Newton; the mixing
  /// of Anderson. Dimensionless, above 0. The plain fixed point has none.
  double relaxation = 0.5;
  std::size_t depth = 20;        ///< Anderson and quasi-Newton: the largest number of pairs of differences used
  std::size_t reused_steps = 4;  ///< quasi-Newton: see QuasiNewtonOptions
};

/// Makes the acceleration of `options.method`.
std::unique_ptr<IAcceleration> MakeAcceleration(const AccelerationOptions& options);

}  // namespace openmi
