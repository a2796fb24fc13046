#pragma once

#include <string>
#include <vector>

#include "composition/conformance/Findings.hpp"
#include "openmi/standard/IQuality.hpp"
#include "openmi/standard/IValueDefinition.hpp"

namespace openmi::conformance {

/// Runs tests 3.1 to 3.6 on one value definition.
/// \param whose  owner as the report names it: "output 'discharge'"
void CheckDefinition(Findings& findings, const IValueDefinition& definition, const std::string& whose);

/// The values of the categories in their order; sorted if the quality is not ordered.
std::vector<Value> CategoriesOf(const IQuality& quality);

}  // namespace openmi::conformance
