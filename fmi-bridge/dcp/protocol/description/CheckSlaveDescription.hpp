#pragma once

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"

namespace openmi::dcp {

/// Checks the rules that tie parts of a description together. ReadSlaveDescription already calls it.
void CheckSlaveDescription(const SlaveDescription& description, described::Report& report);

}  // namespace openmi::dcp
