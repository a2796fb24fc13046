#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "fmi-bridge/dcp/description/SlaveDescription.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::dcp {

/// Reads a slave description (.dcpx) and checks it against the schema and every rule of DCP 1.0 that needs no running
/// slave. What cannot be used becomes an error; what is odd and can be lived with, a warning. Each says file, line,
/// variable, expectation and remedy. Nothing outside the text is opened.
/// \param bytes  the file; at most 64 MiB
/// \param file  only for messages
/// \returns what could be read, even with problems
/// \throws FormatError  no XML, no slave description, or one of another major version
SlaveDescription ReadSlaveDescription(std::string_view bytes, const std::string& file, Problems& problems);

/// The same of a file: a description, or a .dcp archive (or its unpacked folder) with `v1.0/dcpSlaveDescription.dcpx`
/// in it.
/// \throws FileError, FormatError  also where the archive cannot be read
SlaveDescription LoadSlaveDescription(const std::filesystem::path& path, Problems& problems);

/// Where the description stands in an archive.
inline constexpr std::string_view kDescriptionEntry = "v1.0/dcpSlaveDescription.dcpx";

}  // namespace openmi::dcp
