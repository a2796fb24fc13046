#pragma once

#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Trial.hpp"

namespace openmi::conformance {

/// Of test 12.1: calls at a wrong time are refused and change nothing. In trials of their own.
/// \param prepares  whether a second component can be prepared, so that calls after Prepare can be tried
void CheckCallOrder(Findings& findings, const Subject& subject, bool prepares);

}  // namespace openmi::conformance
