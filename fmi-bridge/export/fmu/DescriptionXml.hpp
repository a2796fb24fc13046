#pragma once

#include <string>
#include <vector>

#include "fmi-bridge/export/ExportInterface.hpp"

namespace openmi::fmu {

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
