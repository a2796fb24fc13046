#pragma once

#include <filesystem>
#include <string>

#include "fmi-bridge/dcp/description/SlaveDescription.hpp"

namespace openmi::dcp {

/// The description as a .dcpx. What it says is read back the same by ReadSlaveDescription; defaults are left out.
/// \throws FormatError  it would break a rule of DCP 1.0; the message is the reader's
std::string SlaveDescriptionText(const SlaveDescription& description);

/// Writes it to `path`: a .dcp archive if the name ends so, else a .dcpx.
/// \throws FormatError, FileError
void WriteSlaveDescription(const SlaveDescription& description, const std::filesystem::path& path);

}  // namespace openmi::dcp
