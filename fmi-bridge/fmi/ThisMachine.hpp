#pragma once

#include <array>
#include <string>

#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// The folders below `binaries` whose libraries run on this machine: first that of the version, then that of the
/// others.
std::array<const char*, 2> PlatformFolders(FmiMajor version);

/// The program that an FMU with needsExecutionTool needs, in words: the one that wrote it, where the description says.
std::string ToolOf(const ModelDescription& description);

}  // namespace openmi::fmi
