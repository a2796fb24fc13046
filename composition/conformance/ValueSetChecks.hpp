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

/// Calls `visit` with the values of a set, at most `limit` of them, in the order of their indices.
/// \throws what the set throws
void VisitValues(const IBaseValueSet& values, std::size_t limit,
                 const std::function<void(std::span<const std::size_t>, const Value&)>& visit);

/// A number that two sets share when their (first few thousand) values are equal bit by bit. Objects count as one.
std::uint64_t FingerprintOf(const IBaseValueSet& values);
/// The same with the times of an output.
std::uint64_t FingerprintOf(const IBaseOutput& output);

/// Test 6.1 on one value set, 6.2 too if it is one by time and element, and of 3.1 that it fits its definition.
/// \param whose  for the sentences: "output 'discharge'"
void CheckValueSet(Findings& findings, const IBaseValueSet& values, const IValueDefinition& definition,
                   const std::string& whose);

}  // namespace openmi::conformance
