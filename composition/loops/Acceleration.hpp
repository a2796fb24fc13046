#pragma once

#include <cstddef>
#include <memory>

#include "composition/loops/IAcceleration.hpp"
#include "composition/loops/LoopMethod.hpp"

namespace openmi {

struct AccelerationOptions {
  LoopMethod method = LoopMethod::QuasiNewton;
  /// What it means depends on the method: the constant factor; the first factor of Aitken and of quasi-Newton; the
  /// mixing of Anderson. Dimensionless, above 0. The plain fixed point has none.
  double relaxation = 0.5;
  std::size_t depth = 20;
  std::size_t reused_steps = 4;  ///< quasi-Newton
};

std::unique_ptr<IAcceleration> MakeAcceleration(const AccelerationOptions& options);

}  // namespace openmi
