#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::fmi {

/// A longer description is refused.
inline constexpr std::size_t kMostDescriptionBytes = std::size_t{1} << 30;

/// Reads the modelDescription.xml of any version and checks it against every rule of the standard that needs no running
/// FMU. What cannot be used becomes an error; what the standard forbids and can be lived with, a warning. Each says
/// file, line, variable, expectation and remedy; after a thousand they are only counted. Nothing outside the text is
/// opened.
/// \param bytes  the file; at most kMostDescriptionBytes
/// \param file   only for messages
/// \returns what could be read, even with problems
/// \throws FormatError  no XML, or no description of FMI 1.0, 2.0 or 3.0
ModelDescription ReadModelDescription(std::string_view bytes, const std::string& file, Problems& problems);

/// The same of an FMU, an archive or an unpacked folder; no library is loaded and nothing unpacked.
/// \throws FileError, FormatError  also where the archive cannot be read
ModelDescription ReadFmuDescription(const std::filesystem::path& fmu, Problems& problems);

/// The same without errors, read once for as long as somebody has it and the file is not changed: for many instances of
/// one FMU. May be called by any thread.
/// \throws FileError, FormatError  also where there is an error in it
std::shared_ptr<const ModelDescription> ShareFmuDescription(const std::filesystem::path& fmu);

/// Checks of the whole; ReadModelDescription has made them already.
void CheckModelDescription(const ModelDescription& description, Problems& problems);

}  // namespace openmi::fmi
