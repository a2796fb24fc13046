#pragma once

#include "fmi-bridge/dcp/description/SlaveDescription.hpp"
#include "fmi-bridge/description/DescriptionText.hpp"

namespace openmi::dcp {

/// Rules that tie parts of a description together. ReadSlaveDescription has asked for it already.
void CheckSlaveDescription(const SlaveDescription& description, described::Report& report);

}  // namespace openmi::dcp
