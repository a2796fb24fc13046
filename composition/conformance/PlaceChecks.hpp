#pragma once

#include <cstdint>
#include <string>

#include "composition/conformance/Findings.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi::conformance {

/// Tests 4.1 to 4.3 on one spatial definition. Of a large element set some hundred elements are looked at.
/// \param whose  for the sentences: "output 'discharge'"
void CheckPlace(Findings& findings, const ISpatialDefinition& where, const std::string& whose);

/// A number that stays as long as no element moves.
std::uint64_t FingerprintOf(const ISpatialDefinition& where);

}  // namespace openmi::conformance
