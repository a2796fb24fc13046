#pragma once

#include <cstdint>
#include <string>

#include "composition/conformance/Findings.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi::conformance {

/// Runs tests 4.1 to 4.3 on one spatial definition. Of a large element set some hundred elements are checked.
/// \param whose  owner as the report names it: "output 'discharge'"
void CheckPlace(Findings& findings, const ISpatialDefinition& where, const std::string& whose);

/// A number that stays the same while no element moves. Only the first 200 elements count, with 16 vertices each.
std::uint64_t FingerprintOf(const ISpatialDefinition& where);

}  // namespace openmi::conformance
