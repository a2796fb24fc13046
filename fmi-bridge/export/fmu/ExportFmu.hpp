#pragma once

#include <string>
#include <vector>

#include "fmi-bridge/export/ExportInterface.hpp"
#include "fmi-bridge/export/ExportOptions.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::fmu {

/// Makes an FMU for co-simulation from an OMI file or a composition, including the runtime and everything the
/// components need.
///
/// The same model gives the same bytes if the environment variable SOURCE_DATE_EPOCH is set (seconds since 1970).
/// \param problems  receives notes, and the problems that the check of the composition found
/// \returns the interface of the FMU
/// \throws FileError      a file cannot be read, copied or written
/// \throws FormatError    the source is not well-formed, or has no Run element
/// \throws ArgumentError  an option or a chosen variable is wrong
/// \throws LoadError      a library cannot be loaded or found
exported::ExportInterface ExportFmu(const exported::ExportOptions& options, Problems& problems);

/// The modelDescription.xml of FMI 2.0: an array becomes a scalar variable for each element, `name[1]` onwards.
/// \param made  time of the export, ISO 8601
std::string DescriptionOfFmi2(const exported::ExportInterface& interface, const std::string& identifier,
                              const std::string& made);
/// The modelDescription.xml of FMI 3.0: an item of several elements becomes an array.
std::string DescriptionOfFmi3(const exported::ExportInterface& interface, const std::string& identifier,
                              const std::string& made);

/// The documentation/index.html, for users of the FMU.
/// \param external  libraries that the importer's machine must have
std::string DocumentationHtml(const exported::ExportInterface& interface, const std::vector<std::string>& external);

}  // namespace openmi::fmu
