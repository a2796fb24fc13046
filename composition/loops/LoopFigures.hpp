#pragma once

#include <cstdint>
#include <string>

namespace openmi {

/// What an iterated loop did.
struct LoopFigures {
  std::string cycle;              ///< "a -> b -> a"
  std::string method;             ///< "quasi-Newton, Gauss-Seidel"
  std::uint64_t steps = 0;        ///< taken
  std::uint64_t iterations = 0;   ///< of all steps, including abandoned ones
  std::uint64_t most = 0;         ///< of one step
  std::uint64_t unconverged = 0;  ///< steps that were taken although they did not converge
  std::uint64_t shortened = 0;    ///< steps that were abandoned and repeated with a shorter length
  std::uint64_t missing = 0;      ///< steps that ended with a missing value on a link that was cut

  /// Adds the figures of another part of the same loop's run.
  void Add(const LoopFigures& more) {
    cycle = more.cycle;
    method = more.method;
    steps += more.steps;
    iterations += more.iterations;
    most = more.most > most ? more.most : most;
    unconverged += more.unconverged;
    shortened += more.shortened;
    missing += more.missing;
  }
};

}  // namespace openmi
