#pragma once

#include <string>

namespace openmi::tools {

/// `ExpectFile` for the description of a slave.
/// \throws UsageFault  `path` is the address of a slave
/// \throws MissingFile  there is no file at `path`
void ExpectSlaveDescription(const std::string& path);

}  // namespace openmi::tools
