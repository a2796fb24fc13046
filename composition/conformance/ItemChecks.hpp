#pragma once

#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Trial.hpp"

namespace openmi::conformance {

/// Checks the items of an initialized component before anything is linked: 2.1 and 2.2, 3.1 to 3.6, 4.1 to 4.3, 5.1 and
/// 5.2, 9.1, 9.4.
void CheckItems(Findings& findings, Trial& trial);

/// Runs tests 9.2 and 9.6 in its own trial: inputs accept a provider and values, and release them again.
void CheckInputs(Findings& findings, const Subject& subject);

}  // namespace openmi::conformance
