#pragma once

#include <string>
#include <vector>

namespace openmi {

/// Puts SVG pictures below each other into one picture; each keeps its own height.
std::string Stacked(const std::vector<std::string>& pictures);

/// Puts SVG pictures side by side into one picture, from left to right; each keeps its own width.
std::string InARow(const std::vector<std::string>& pictures);

}  // namespace openmi
