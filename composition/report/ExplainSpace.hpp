#pragma once

#include <string>

#include "composition/report/SvgMap.hpp"

namespace openmi {

/// Draws what the adaptors of a link make of the values at its source at one time: the source's elements coloured by
/// value, the target's elements, and these coloured by what arrived; side by side, in the same colours where both are
/// in one unit.
/// \param source, target  with values; their titles stand above
/// \param title           of the picture in the middle
std::string ExplainSpaceSvg(ElementMap source, ElementMap target, const std::string& title);

}  // namespace openmi
