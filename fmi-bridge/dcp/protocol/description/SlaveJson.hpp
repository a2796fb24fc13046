#pragma once

#include <string>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"

namespace openmi::dcp {

/// A description as JSON, for other programs: modes, times, transports, capabilities, variables.
std::string SlaveJson(const SlaveDescription& description);

/// Start values as a user writes them: numbers separated by blanks, bytes as hexadecimal digits; empty where none is
/// given.
std::string StartText(const Variable& variable);

}  // namespace openmi::dcp
