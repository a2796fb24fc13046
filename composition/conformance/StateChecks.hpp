#pragma once

#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Trial.hpp"

namespace openmi::conformance {

/// Runs tests 11.1 and 11.2 in its own trials.
///
/// A kept state leads to the same results again, directly and after conversion to bytes and back; unknown states are
/// refused.
void CheckStates(Findings& findings, const Subject& subject);

}  // namespace openmi::conformance
