#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "composition/conformance/Findings.hpp"
#include "openmi/standard/IBaseOutput.hpp"
#include "openmi/standard/IBaseValueSet.hpp"
#include "openmi/standard/IValueDefinition.hpp"
#include "timespace/standard/ITimeSpaceValueSet.hpp"

namespace openmi::conformance {

/// Whether two values are equal; two doubles that are no numbers are.
bool SameValue(const Value& a, const Value& b);

/// Calls `visit` with the values of a set, at most `limit` of them, in the order of their indices.
/// Exceptions of the set are passed on.
void VisitValues(const IBaseValueSet& values, std::size_t limit,
                 const std::function<void(std::span<const std::size_t>, const Value&)>& visit);

/// A number that two sets share if their first few thousand values are equal bit by bit. All objects count as equal.
std::uint64_t FingerprintOf(const IBaseValueSet& values);
/// The same, of the values and the times of an output.
std::uint64_t FingerprintOf(const IBaseOutput& output);

/// Runs test 6.1 on one value set, 6.2 if it is by time and element, and of 3.1 that the values fit the definition.
/// \param whose  owner as the report names it: "output 'discharge'"
void CheckValueSet(Findings& findings, const IBaseValueSet& values, const IValueDefinition& definition,
                   const std::string& whose);

}  // namespace openmi::conformance
