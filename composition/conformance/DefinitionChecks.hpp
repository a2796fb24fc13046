#pragma once

#include <string>
#include <vector>

#include "composition/conformance/Findings.hpp"
#include "openmi/standard/IQuality.hpp"
#include "openmi/standard/IValueDefinition.hpp"

namespace openmi::conformance {

/// Tests 3.1 to 3.6 on one value definition.
/// \param whose  for the sentences: "output 'discharge'"
void CheckDefinition(Findings& findings, const IValueDefinition& definition, const std::string& whose);

/// The values of the categories in their order; sorted where the order means nothing.
std::vector<Value> CategoriesOf(const IQuality& quality);

}  // namespace openmi::conformance
