#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>

#include "openmi/omi/CompliancyInfo.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi::tools {

/// Arguments (secrets masked), items with their quantities, units, dimensions, elements and times, and the factories of
/// a component.
nlohmann::ordered_json DescribeComponent(IBaseLinkableComponent& component);

/// What an OMI file and the bytes of its library tell; no code of the library runs.
nlohmann::ordered_json DescribeStatic(const OmiFile& omi);

/// An argument, as DescribeComponent has it.
nlohmann::ordered_json DescribeArgument(const IArgument& argument);

/// A description for people.
void PrintDescription(std::FILE* stream, const nlohmann::ordered_json& description);

/// A description as the content of a compliancy information file.
CompliancyInfo CompliancyOf(const nlohmann::ordered_json& description);

}  // namespace openmi::tools
