#pragma once

#include "timespace/ElementSet.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi {

/// Writes any element set as bytes, for another process or a file.
///
/// Writes type, reference system, version, ids, geometry with holes and parts; also attributes when the set is an
/// ElementSet.
/// \throws FormatError  the geometry of a third-party set breaks a rule of ElementSetBuilder
void WriteElementSet(StateWriter& writer, const IElementSet& elements);

/// Reads an element set that `WriteElementSet` wrote; equal to the original to the last bit.
///
/// The bytes may come from an untrusted source: inconsistent data are refused.
/// \throws FormatError  the bytes are not an element set
ElementSet ReadElementSet(StateReader& reader);

}  // namespace openmi
