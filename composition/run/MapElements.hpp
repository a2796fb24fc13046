#pragma once

#include "composition/report/SvgMap.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// The parts of one element as a map draws them, without a value.
MapElement DescribeElement(const IElementSet& set, int index);

}  // namespace openmi
