#pragma once

#include <string>
#include <vector>

#include "fmi-bridge/outward/ExportInterface.hpp"

namespace openmi::fmu {

/// modelDescription.xml of FMI 2.0: an array is a scalar variable each element, `name[1]` onwards.
/// \param made  when, ISO 8601
std::string DescriptionOfFmi2(const outward::ExportInterface& interface, const std::string& identifier,
                              const std::string& made);
/// modelDescription.xml of FMI 3.0: an item of several elements is an array.
std::string DescriptionOfFmi3(const outward::ExportInterface& interface, const std::string& identifier,
                              const std::string& made);

/// documentation/index.html: what there is, for people.
/// \param external  libraries that the importer's machine has to have
std::string DocumentationHtml(const outward::ExportInterface& interface, const std::vector<std::string>& external);

}  // namespace openmi::fmu
