#pragma once

#include <string>

namespace openmi::tools {

/// ExpectFile, for the description of a slave.
/// \throws UsageFault  the address of one stands there
/// \throws MissingFile
void ExpectSlaveDescription(const std::string& path);

}  // namespace openmi::tools
