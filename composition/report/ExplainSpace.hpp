#pragma once

#include <string>

#include "composition/report/SvgMap.hpp"

namespace openmi {

/// Draws how the adaptors of a link change the values of its source at one time.
///
/// Three maps side by side: the elements of the source coloured by value, the elements of the target, and the elements
/// of the target coloured by the values that arrived. Both coloured maps use the same colours if they have the same
/// unit.
/// \param source  with values; its title appears above its map
/// \param target  with values; its title appears above its map
/// \param title   title of the map in the middle
std::string ExplainSpaceSvg(ElementMap source, ElementMap target, const std::string& title);

}  // namespace openmi
