#pragma once

#include <array>
#include <string>

#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// The folders in `binaries` for this machine: first that of the version, then that of the other versions.
std::array<const char*, 2> PlatformFolders(FmiMajor version);

/// The program that an FMU with needsExecutionTool needs, in words: the one that generated it, if the description names
/// it.
std::string ToolOf(const ModelDescription& description);

}  // namespace openmi::fmi
