#pragma once

#include <cstddef>
#include <memory>

#include "composition/loops/IAcceleration.hpp"
#include "composition/model/LoopMethod.hpp"

namespace openmi {

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
