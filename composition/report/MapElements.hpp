#pragma once

#include "composition/report/SvgMap.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// The shapes of one element as a map draws them, without a value.
/// \param index  of the element in `set`
MapElement DescribeElement(const IElementSet& set, int index);

}  // namespace openmi
