#pragma once

#include <string>
#include <vector>

namespace openmi {

/// SVG pictures one below the other in one file, each as high as it says.
std::string Stacked(const std::vector<std::string>& pictures);

/// The same from left to right, each as wide as it says.
std::string InARow(const std::vector<std::string>& pictures);

}  // namespace openmi
