#pragma once

#include <string>

#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// A message of FMI 1.0 or 2.0 with names in the place of "#r12#" (the Real of value reference 12; i, b and s are the
/// other types) and "#" for "##".
std::string NamesInText(const char* text, const ModelDescription& description);

}  // namespace openmi::fmi
