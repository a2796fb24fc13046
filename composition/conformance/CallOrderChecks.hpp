#pragma once

#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Trial.hpp"

namespace openmi::conformance {

/// Of test 12.1: calls at a wrong time are refused and change nothing. In trials of their own.
void CheckCallOrder(Findings& findings, const Subject& subject);

}  // namespace openmi::conformance
