#include "composition/loops/Acceleration.hpp"

#include "composition/loops/QuasiNewton.hpp"
#include "composition/loops/Relaxation.hpp"

namespace openmi {

std::unique_ptr<IAcceleration> MakeAcceleration(const AccelerationOptions& options) {
  switch (options.method) {
    case LoopMethod::FixedPoint:
      break;
    case LoopMethod::Relaxation:
      return std::make_unique<ConstantRelaxation>(options.relaxation);
    case LoopMethod::Aitken:
      return std::make_unique<AitkenRelaxation>(options.relaxation);
    case LoopMethod::Anderson:
      return std::make_unique<QuasiNewton>(QuasiNewtonOptions{
          .first_factor = options.relaxation, .mixing = options.relaxation, .depth = options.depth, .reused_steps = 0});
    case LoopMethod::QuasiNewton:
      return std::make_unique<QuasiNewton>(QuasiNewtonOptions{.first_factor = options.relaxation,
                                                              .mixing = 1.0,
                                                              .depth = options.depth,
                                                              .reused_steps = options.reused_steps});
  }
  return std::make_unique<ConstantRelaxation>(1.0);
}

}  // namespace openmi
