#pragma once

#include <cstdarg>
#include <string>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"

namespace openmi::fmi {

/// A message of FMI 1.0 or 2.0 with names in the place of "#r12#" (the Real of value reference 12; i, b and s are the
/// other types) and "#" for "##".
std::string NamesInText(const char* text, const ModelDescription& description);

/// Tells the instance a message of FMI 1.0 or 2.0, which is a format of printf.
void TellFormatted(Instance& instance, CallStatus status, const char* category, const char* format,
                   std::va_list arguments);

}  // namespace openmi::fmi
