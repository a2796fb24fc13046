#pragma once

#include <span>
#include <string>

#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// A message of FMI 1.0 or 2.0 with names in the place of "#r12#" (the Real of value reference 12; i, b and s are the
/// other types) and "#" for "##".
std::string NamesInText(const char* text, const ModelDescription& description);

/// Whether an FMU can be told to log messages of these categories only.
/// \throws ArgumentError  one is not of the FMU, or it is of FMI 1.0, which has no categories
void CheckLogCategories(std::span<const std::string> categories, const ModelDescription& description);

}  // namespace openmi::fmi
