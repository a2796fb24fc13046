#pragma once

namespace openmi {

/// In which order the members of a loop compute within one iteration.
enum class LoopOrder {
  GaussSeidel,  ///< one after the other: each takes what the members before it have just computed
  Jacobi        ///< all from the same iterate
};

/// How the next iterate is made of an iterate and what the members answered to it.
enum class LoopMethod {
  FixedPoint,  ///< the answer itself
  Relaxation,  ///< the iterate and a constant part of the residual
  Aitken,      ///< the same, the part found anew at each iteration
  Anderson,    ///< the least residual over the last iterations, mixed
  QuasiNewton  ///< interface quasi-Newton: Anderson that also learns from the steps before
};

/// What the first iterate of a step is made of.
enum class LoopGuess {
  Last,      ///< the values that the last step ended with
  Linear,    ///< a straight line through the last two steps
  Quadratic  ///< a parabola through the last three
};

/// What happens when a step does not converge.
enum class LoopFailure {
  Fail,    ///< the run ends
  Warn,    ///< the last iterate is taken, and counted
  Shorten  ///< the step is tried again at half its length
};

}  // namespace openmi
