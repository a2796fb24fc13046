#pragma once

#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::ssp {

/// Warns of each attribute that the schemas of SSP 1.0 and 2.0 do not know on the element where it stands: of names
/// without prefix on elements of SSP; what is inside annotations is left alone.
/// \param root  of a description, a set, a mapping or a dictionary
void WarnOfForeignAttributes(const XmlElement& root, Problems& problems);

}  // namespace openmi::ssp
