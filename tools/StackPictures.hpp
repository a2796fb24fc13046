#pragma once

#include <string>
#include <vector>

namespace openmi::tools {

/// SVG pictures one below the other in one file, each as high as it says.
std::string Stacked(const std::vector<std::string>& pictures);

}  // namespace openmi::tools
