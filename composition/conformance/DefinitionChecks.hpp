#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "composition/conformance/Findings.hpp"
#include "openmi/standard/IArgument.hpp"
#include "openmi/standard/IQuality.hpp"
#include "openmi/standard/IValueDefinition.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"
#include "timespace/standard/ITimeSet.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi::conformance {

/// Runs tests 3.1 to 3.6 on one value definition.
/// \param whose  owner as the report names it: "output 'discharge'"
void CheckDefinition(Findings& findings, const IValueDefinition& definition, const std::string& whose);

/// The values of the categories in their order; sorted if the quality is not ordered.
std::vector<Value> CategoriesOf(const IQuality& quality);

/// Runs tests 4.1 to 4.3 on one spatial definition. Of a large element set some hundred elements are checked.
/// \param whose  owner as the report names it: "output 'discharge'"
void CheckPlace(Findings& findings, const ISpatialDefinition& where, const std::string& whose);

/// A number that stays the same while no element moves. Only the first 200 elements count, with 16 vertices each.
std::uint64_t FingerprintOf(const ISpatialDefinition& where);

/// Runs tests 5.1 and 5.2 on one time set.
/// \param whose  owner as the report names it: "output 'discharge'"
void CheckTimeSet(Findings& findings, const ITimeSet& times, const std::string& whose);

/// A time as a report shows it: ISO 8601, "the far past" or "the far future".
std::string TextOf(Stamp time);

/// The end of the last of `times`, in UTC; the far past if there is none.
Stamp LatestEndOf(const ITimeSet* times);

/// Runs test 7.1 on a list of arguments, and the parts of tests 2.1 and 2.2 that concern arguments.
///
/// Afterwards the arguments hold the values that they held before.
/// \param whose  owner as the report names it: "the component", "adapted output 'linear'"
void CheckArguments(Findings& findings, std::span<IArgument* const> arguments, const std::string& whose);

}  // namespace openmi::conformance
