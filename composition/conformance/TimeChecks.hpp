#pragma once

#include <string>

#include "composition/conformance/Findings.hpp"
#include "timespace/Stamp.hpp"
#include "timespace/standard/ITimeSet.hpp"

namespace openmi::conformance {

/// Tests 5.1 and 5.2 on one time set.
/// \param whose  for the sentences: "output 'discharge'"
void CheckTimeSet(Findings& findings, const ITimeSet& times, const std::string& whose);

/// A time for a sentence: ISO 8601, "the far past" or "the far future".
std::string TextOf(Stamp time);

/// The end of the last of `times`, in UTC; the far past where there is none.
Stamp LatestEndOf(const ITimeSet* times);

}  // namespace openmi::conformance
