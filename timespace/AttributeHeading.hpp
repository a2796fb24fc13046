#pragma once

#include <string>

#include "timespace/ElementAttribute.hpp"

namespace openmi {

/// The attribute that a property or a column of that heading holds, without values: "length (km)" and "length [km]" are
/// `length` in km, "area" is `area` in m2, "areasqkm" in km2, and anything else has the unit 1.
ElementAttribute AttributeNamed(const std::string& heading);

}  // namespace openmi
