#pragma once

#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Trial.hpp"

namespace openmi::conformance {

/// Runs tests 10.1 to 10.3 on the factories that the component offers. Makes its own trials.
void CheckAdaptedOutputs(Findings& findings, const Subject& subject);

}  // namespace openmi::conformance
