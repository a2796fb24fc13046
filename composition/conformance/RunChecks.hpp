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

}  // namespace openmi::conformance
