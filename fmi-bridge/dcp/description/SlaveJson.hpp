#pragma once

#include <string>

#include "fmi-bridge/dcp/description/SlaveDescription.hpp"

namespace openmi::dcp {

/// A description as JSON, for other programs: modes, times, transports, capabilities, variables.
std::string SlaveJson(const SlaveDescription& description);

/// Start values as a user writes them: numbers between blanks, bytes in hexadecimal digits; empty without.
std::string StartText(const Variable& variable);

}  // namespace openmi::dcp
