#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::dcp {

/// Reads a slave description (.dcpx) and checks it.
///
/// It is checked against the schema and every rule of DCP 1.0 that needs no running slave. What makes the description
/// unusable is an error; what is unusual but usable is a warning. Each problem names file, line, variable, expectation
/// and remedy. Nothing outside the text is opened.
/// \param bytes  the file; at most 64 MiB
/// \param file  only for messages
/// \returns what could be read, even with problems
/// \throws FormatError  no XML, no slave description, or one of another major version
SlaveDescription ReadSlaveDescription(std::string_view bytes, const std::string& file, Problems& problems);

/// Reads and checks a file: a description, a .dcp archive, or an unpacked archive.
///
/// An archive (or its folder) contains `v1.0/dcpSlaveDescription.dcpx`.
/// \throws FileError  the file cannot be read
/// \throws FormatError  as ReadSlaveDescription; also where the archive cannot be read
SlaveDescription LoadSlaveDescription(const std::filesystem::path& path, Problems& problems);

/// Where the description is in an archive.
inline constexpr std::string_view kDescriptionEntry = "v1.0/dcpSlaveDescription.dcpx";

}  // namespace openmi::dcp
