#pragma once

#include "timespace/ElementSet.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi {

/// Writes anyone's element set as bytes: type, reference system, version, ids, geometry with holes and parts, and
/// attributes where it is one of ours. For another process, or a file.
/// \throws FormatError  a foreign geometry breaks a rule of ElementSetBuilder
void WriteElementSet(StateWriter& writer, const IElementSet& elements);

/// Reads it back, the same to the last bit. The bytes may come from a stranger: what does not fit together is refused.
/// \throws FormatError
ElementSet ReadElementSet(StateReader& reader);

}  // namespace openmi
