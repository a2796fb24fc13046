#pragma once

#include <string>

#include "adaptors/kernels/SparseRows.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// A sentence on the sources that have a weight and lie far from all targets, as gauges do whose longitude and latitude
/// were exchanged; empty where there are none. Far is further from the middle of the targets than ten times their own
/// extent about it, and on the earth 1000 km besides.
/// \param weights  [target x source]
/// \throws LinkError  as PlacesOf
std::string FarSources(const std::string& adaptor, const IElementSet& source, const IElementSet& target,
                       const SparseRows& weights);

}  // namespace openmi
