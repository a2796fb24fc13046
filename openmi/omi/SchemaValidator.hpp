#pragma once

#include <string_view>

#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// The text of a schema of schemas/, as it was when this library was built; empty for an unknown name.
/// \param name  "LinkableComponent.xsd", "Composition.xsd", "CompliancyInfo.xsd" or "DcpSlaveDescription.xsd"
std::string_view EmbeddedSchema(std::string_view name);

/// Validates a document against one of the embedded schemas.
///
/// Schemas that the document itself refers to are ignored; nothing is read from disk or network. Thread-safe. Each
/// schema is compiled once per process.
/// \param document  a document that was read before
/// \param schema    the name of an embedded schema, such as "LinkableComponent.xsd"
/// \returns every violation with file and line, and the validator's sentence and column; empty for a valid document
/// \throws RangeError  there is no embedded schema with this name
Problems ValidateXml(const XmlDocument& document, std::string_view schema);

/// Switches `ValidateXml` off for this process: it then reports no problems.
///
/// For a program that validated its documents when they were packed and that runs without the validator.
void TrustDocuments();

}  // namespace openmi
