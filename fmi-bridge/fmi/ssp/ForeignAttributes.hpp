#pragma once

#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::ssp {

/// Warns of each attribute without prefix that the schemas of SSP 1.0 and 2.0 do not define for its element.
///
/// Elements in annotations are not checked.
/// \param root  the root of a description, a parameter set, a mapping or a dictionary
void WarnOfForeignAttributes(const XmlElement& root, Problems& problems);

}  // namespace openmi::ssp
