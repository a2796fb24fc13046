#pragma once

#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Trial.hpp"

namespace openmi::conformance {

/// Runs the part of test 12.1 on calls at a wrong time: each call is refused and changes nothing. Makes its own trials.
/// \param prepares  whether a second component can be prepared, so that calls after Prepare can be tried
void CheckCallOrder(Findings& findings, const Subject& subject, bool prepares);

}  // namespace openmi::conformance
