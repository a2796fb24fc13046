#pragma once

#include <span>
#include <string>

#include "composition/conformance/Findings.hpp"
#include "openmi/standard/IArgument.hpp"

namespace openmi::conformance {

/// Test 7.1 on a list of arguments, and of 2.1 and 2.2 what concerns them. The values are afterwards what they were.
/// \param whose  for the sentences: "the component", "adapted output 'linear'"
void CheckArguments(Findings& findings, std::span<IArgument* const> arguments, const std::string& whose);

}  // namespace openmi::conformance
