#pragma once

#include <filesystem>
#include <string>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"

namespace openmi::dcp {

/// The description as the text of a .dcpx. ReadSlaveDescription reads the same description back; defaults are omitted.
/// \throws FormatError  the description would break a rule of DCP 1.0; the message is the reader's
std::string SlaveDescriptionText(const SlaveDescription& description);

/// Writes the description to `path`: a .dcp archive if the name ends with `.dcp`, else a .dcpx.
/// \throws FormatError  as SlaveDescriptionText
/// \throws FileError  the file cannot be written
void WriteSlaveDescription(const SlaveDescription& description, const std::filesystem::path& path);

}  // namespace openmi::dcp
