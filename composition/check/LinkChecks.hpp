#pragma once

#include "openmi/sdk/Problem.hpp"

namespace openmi {

class Composition;

/// Reports how each loop of links will be run, and what prevents it.
void CheckLoops(Composition& composition, Problems& problems);

/// Reports links whose two ends step differently without a time adaptor in between.
void CheckSteps(Composition& composition, Problems& problems);

}  // namespace openmi
