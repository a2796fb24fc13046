#pragma once

#include <string_view>

namespace openmi {

/// Text of a schema of schemas/ as it was when this library was built; empty for a name that is not there.
/// \param name  "LinkableComponent.xsd", "Composition.xsd", "CompliancyInfo.xsd" or
/// "DcpSlaveDescription.xsd"
std::string_view EmbeddedSchema(std::string_view name);

}  // namespace openmi
