#pragma once

#include <string>

#include "composition/conformance/Findings.hpp"
#include "timespace/Stamp.hpp"
#include "timespace/standard/ITimeSet.hpp"

namespace openmi::conformance {

/// Runs tests 5.1 and 5.2 on one time set.
/// \param whose  owner as the report names it: "output 'discharge'"
void CheckTimeSet(Findings& findings, const ITimeSet& times, const std::string& whose);

/// A time as a report shows it: ISO 8601, "the far past" or "the far future".
std::string TextOf(Stamp time);

/// The end of the last of `times`, in UTC; the far past if there is none.
Stamp LatestEndOf(const ITimeSet* times);

}  // namespace openmi::conformance
