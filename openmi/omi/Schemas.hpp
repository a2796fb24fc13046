#pragma once

#include <string_view>

namespace openmi {

/// The text of a schema of schemas/, as it was when this library was built; empty for an unknown name.
/// \param name  "LinkableComponent.xsd", "Composition.xsd", "CompliancyInfo.xsd" or "DcpSlaveDescription.xsd"
std::string_view EmbeddedSchema(std::string_view name);

}  // namespace openmi
