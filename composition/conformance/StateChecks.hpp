#pragma once

#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Trial.hpp"

namespace openmi::conformance {

/// Tests 11.1 and 11.2, in trials of their own: a state that was kept, as it is and through bytes, leads to the same
/// results again; unknown ones are refused.
void CheckStates(Findings& findings, const Subject& subject);

}  // namespace openmi::conformance
