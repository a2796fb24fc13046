#pragma once

#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Trial.hpp"

namespace openmi::conformance {

/// What can be said of the items of an initialized component before anything is linked: 2.1 and 2.2, 3.1 to 3.6, 4.1 to
/// 4.3, 5.1 and 5.2, 9.1, 9.4.
void CheckItems(Findings& findings, Trial& trial);

/// Tests 9.2 and 9.6 in a trial of their own: inputs take a provider and values, and give them up again.
void CheckInputs(Findings& findings, const Subject& subject);

}  // namespace openmi::conformance
