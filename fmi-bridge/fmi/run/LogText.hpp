#pragma once

#include <span>
#include <string>

#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// A message of FMI 1.0 or 2.0 with the names of variables in it.
///
/// Replaces `#r12#` by the name of the Real with value reference 12 (i, b and s are the other types), and `##` by `#`.
std::string NamesInText(const char* text, const ModelDescription& description);

/// Checks that an FMU can restrict its log to these categories.
/// \throws ArgumentError  a category does not belong to the FMU, or the FMU is of FMI 1.0, which has no categories
void CheckLogCategories(std::span<const std::string> categories, const ModelDescription& description);

}  // namespace openmi::fmi
