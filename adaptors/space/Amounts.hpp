#pragma once

#include "openmi/standard/IDimension.hpp"

namespace openmi {

/// Whether values of a dimension are amounts of an element (extensive), or rates of amounts.
///
/// Amounts are volume, mass, energy and amount of substance, each alone or per time. Values per area or per volume,
/// lengths, speeds and temperatures are none. Neither are values whose dimension does not show it, such as counts.
bool IsAmount(const IDimension& dimension);

}  // namespace openmi
