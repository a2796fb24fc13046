#pragma once

#include "openmi/sdk/EnumNames.hpp"

namespace openmi {

/// The order in which the members of a loop compute within one iteration.
enum class LoopOrder {
  GaussSeidel,  ///< one after the other: each uses what the members before it have just computed
  Jacobi        ///< all from the same iterate
};
inline constexpr EnumNames<LoopOrder> kLoopOrders{"gauss-seidel", "jacobi"};

/// How the next iterate is made from an iterate and the answers of the members to it.
enum class LoopMethod {
  FixedPoint,  ///< the answer itself
  Relaxation,  ///< the iterate plus a constant part of the residual
  Aitken,      ///< the same, with the part determined again in each iteration
  Anderson,    ///< the least residual over the last iterations, with mixing
  QuasiNewton  ///< interface quasi-Newton: Anderson that also learns from earlier steps
};
inline constexpr EnumNames<LoopMethod> kLoopMethods{"fixed-point", "relaxation", "aitken", "anderson", "quasi-newton"};

/// What the first iterate of a step is made from.
enum class LoopGuess {
  Last,      ///< the values that the last step ended with
  Linear,    ///< a straight line through the last two steps
  Quadratic  ///< a parabola through the ends of the last three steps
};
inline constexpr EnumNames<LoopGuess> kLoopGuesses{"last", "linear", "quadratic"};

/// What happens if a step does not converge.
enum class LoopFailure {
  Fail,    ///< the run ends
  Warn,    ///< the last iterate is used, and the step is counted
  Shorten  ///< the step is repeated with half its length
};
inline constexpr EnumNames<LoopFailure> kLoopFailures{"fail", "warn", "shorten"};

}  // namespace openmi
