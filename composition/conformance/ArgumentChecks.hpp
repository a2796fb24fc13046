#pragma once

#include <span>
#include <string>

#include "composition/conformance/Findings.hpp"
#include "openmi/standard/IArgument.hpp"

namespace openmi::conformance {

/// Runs test 7.1 on a list of arguments, and the parts of tests 2.1 and 2.2 that concern arguments.
///
/// Afterwards the arguments hold the values that they held before.
/// \param whose  owner as the report names it: "the component", "adapted output 'linear'"
void CheckArguments(Findings& findings, std::span<IArgument* const> arguments, const std::string& whose);

}  // namespace openmi::conformance
