#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::fmi {

/// Greatest size of a description; a longer one is refused.
inline constexpr std::size_t kMostDescriptionBytes = std::size_t{1} << 30;

/// Whether it is a name of C: letters, digits and '_', and no digit first.
bool IsIdentifier(std::string_view name);

/// Reads the modelDescription.xml of any version, and checks every rule of the standard that needs no running FMU.
///
/// A fault that makes the FMU unusable is an error; other violations of the standard are warnings. Each states file,
/// line, variable, expectation and remedy; after a thousand they are only counted. Opens no other file.
/// \param bytes  the file; at most kMostDescriptionBytes
/// \param file   file name for messages
/// \returns what could be read, even with problems
/// \throws FormatError  the text is not XML, or not a description of FMI 1.0, 2.0 or 3.0
ModelDescription ReadModelDescription(std::string_view bytes, const std::string& file, Problems& problems);

/// The same for an FMU, an archive or an unpacked folder; loads no library and unpacks nothing.
/// \throws FileError    the FMU does not exist or cannot be read
/// \throws FormatError  as above, or the archive is damaged
ModelDescription ReadFmuDescription(const std::filesystem::path& fmu, Problems& problems);

/// The same for descriptions without errors. For many instances of one FMU; may be called by any thread.
///
/// The description is read once and shared as long as it is in use and the file is not changed.
/// \throws FileError    as above
/// \throws FormatError  as above, or the description has an error
std::shared_ptr<const ModelDescription> ShareFmuDescription(const std::filesystem::path& fmu);

/// Runs the checks that concern the whole description; ReadModelDescription includes them.
void CheckModelDescription(const ModelDescription& description, Problems& problems);

}  // namespace openmi::fmi
