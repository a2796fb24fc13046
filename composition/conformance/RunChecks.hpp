#pragma once

#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Trial.hpp"

namespace openmi::conformance {

/// One whole life of a component: arguments, Initialize, links, Validate, Prepare, Update until it is Done or the bound
/// of the options is reached, Finish, and what must not work afterwards. A component that ends Created runs again and
/// must give the same. Every test that is not about calls at a wrong time, adapted outputs or states is made here.
/// \returns whether it came to the end
bool CheckRun(Findings& findings, const Subject& subject);

}  // namespace openmi::conformance
