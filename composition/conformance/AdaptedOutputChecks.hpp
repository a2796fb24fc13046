#pragma once

#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Trial.hpp"

namespace openmi::conformance {

/// Tests 10.1 to 10.3, in a trial of their own, on the factories that the component offers.
void CheckAdaptedOutputs(Findings& findings, const Subject& subject);

}  // namespace openmi::conformance
