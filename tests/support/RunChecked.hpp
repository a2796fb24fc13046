#pragma once

#include <utility>

#include "composition/check/CheckComposition.hpp"
#include "composition/link/Composition.hpp"
#include "composition/run/CompositionRun.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::test {

/// Loads, connects, checks and runs a composition to its end, without results in files.
/// \param problems  those found when it was read
/// \throws Error  the first error found before the run
inline RunRecord RunChecked(Composition& composition, Problems problems = {}) {
  composition.Load(problems);
  composition.Connect(problems);
  CheckComposition(composition, problems);
  ThrowIfErrors(problems);
  RunOptions options;
  options.write_results = false;
  return CompositionRun(composition, std::move(problems), options).Run();
}

}  // namespace openmi::test
