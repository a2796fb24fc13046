#pragma once

#include <limits>

namespace openmi {

inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

}  // namespace openmi
