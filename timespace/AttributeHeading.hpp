#pragma once

#include <string>

#include "timespace/ElementAttribute.hpp"

namespace openmi {

/// The attribute for a property or a column with this heading, without values.
///
/// "length (km)" and "length [km]" are `length` in km, "area" is `area` in m2, "areasqkm" is `areasqkm` in km2. Any
/// other heading has the unit 1.
ElementAttribute AttributeNamed(const std::string& heading);

}  // namespace openmi
