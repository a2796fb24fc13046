#pragma once

#include "openmi/sdk/Problem.hpp"

namespace openmi {

class Composition;

/// Checks a composition before it runs: asks every component to validate itself, and checks files, the run, horizons,
/// steps, loops, observed items, states and the trigger. Every problem is reported, not only the first one.
/// \param composition  loaded and connected
/// \param problems     receives what is found
void CheckComposition(Composition& composition, Problems& problems);

}  // namespace openmi
