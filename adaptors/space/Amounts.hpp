#pragma once

#include "openmi/standard/IDimension.hpp"

namespace openmi {

/// Whether values of that dimension are amounts of an element (extensive), or rates of amounts: volume, mass, energy,
/// amount of substance, each by itself or per time. What is per area or per volume, a length, a speed, a temperature is
/// none; nor is what the dimension does not tell, such as counts.
bool IsAmount(const IDimension& dimension);

}  // namespace openmi
