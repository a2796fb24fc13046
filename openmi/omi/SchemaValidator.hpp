#pragma once

#include <string_view>

#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// Validates a document that was read against one of the embedded schemas. Schemas that the document itself points to
/// are not followed; nothing is read from disk or network. Thread-safe; each schema is compiled once a process. \param
/// schema  name of an embedded schema, such as "LinkableComponent.xsd" \returns every violation with file, line, and
/// the validator's own sentence and column; empty for a valid document \throws RangeError  there is no embedded schema
/// of that name
Problems ValidateXml(const XmlDocument& document, std::string_view schema);

/// From now on ValidateXml of this process finds nothing: for a program whose documents were validated when they were
/// packed, and which goes without the validator.
void TrustDocuments();

}  // namespace openmi
