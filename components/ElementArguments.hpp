#pragma once

#include <memory>
#include <string>

#include "timespace/ElementSet.hpp"

namespace openmi {

/// The element set that two arguments name: a GeoJSON file, or a list of ids between commas; null where both are empty.
/// \param ids   of the features to take, in their order in the file; empty: all
/// \param path  the file, ready to open; empty: bare ids
/// \throws FormatError, FileError  as ReadGeoJson; an id is no feature
std::shared_ptr<const ElementSet> ElementsFrom(const std::string& caption, const std::string& ids,
                                               const std::string& path, const std::string& id_property);

}  // namespace openmi
