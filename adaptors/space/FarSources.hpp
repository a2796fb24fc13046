#pragma once

#include <string>

#include "adaptors/kernels/SparseRows.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// Names the sources that have a weight and lie far from all targets, as gauges with exchanged longitude and latitude
/// do.
///
/// A source is far if it is further from the middle of the targets than ten times their extent about it; on the earth
/// also further than 1000 km.
/// \param adaptor  names the adaptor in messages
/// \param source  the sources
/// \param target  the targets
/// \param weights  [target x source]
/// \returns one sentence; empty if there are no such sources
/// \throws LinkError  as `PlacesOf`
std::string FarSources(const std::string& adaptor, const IElementSet& source, const IElementSet& target,
                       const SparseRows& weights);

}  // namespace openmi
