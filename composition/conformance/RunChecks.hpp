#pragma once

#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Trial.hpp"

namespace openmi::conformance {

/// Checks one complete life of a component; runs all tests except those on calls at a wrong time, adapted outputs and
/// states.
///
/// The calls: arguments, Initialize, links, Validate, Prepare, Update until the component is Done or the limit of the
/// options is reached, Finish, and calls that must fail afterwards. A component that ends in the status Created runs
/// again and must give the same results.
/// \returns whether the run reached its end
bool CheckRun(Findings& findings, const Subject& subject);

/// Runs the part of test 12.1 on calls at a wrong time: each call is refused and changes nothing. Makes its own trials.
/// \param prepares  whether a second component can be prepared, so that calls after Prepare can be tried
void CheckCallOrder(Findings& findings, const Subject& subject, bool prepares);

/// Runs tests 11.1 and 11.2 in its own trials.
///
/// A kept state leads to the same results again, directly and after conversion to bytes and back; unknown states are
/// refused.
void CheckStates(Findings& findings, const Subject& subject);

}  // namespace openmi::conformance
