#pragma once

#include <span>

#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// A stretch of a measured line (M: chainage, river kilometre). Begin and end may be equal and may be in either order.
struct Stretch {
  double begin;
  double end;
};

/// Interpolates values of stretches linearly along M.
///
/// A target gets the value at its middle, between the middles of the two sources beside it. Beyond the first and the
/// last middle, the outermost stretch itself holds as far as it reaches.
/// \param sources  no two with the same middle; finite
/// \param targets  finite
/// \returns [targets x sources]; rows of targets beyond all sources are empty
/// \throws RangeError  two sources with the same middle, or an M that is not finite
///
/// Source: [Kreyszig2011], sec. 19.3, linear interpolation.
SparseRows InterpolateAlong(std::span<const Stretch> sources, std::span<const Stretch> targets);

/// Averages stretches over targets: the weight of a source is the length of M that it has in common with the target.
///
/// A target without length takes the source that contains it; if two sources meet there, half of each.
/// \returns [targets x sources]; rows sum to 1, but are empty where nothing is in common
/// \throws RangeError  an M that is not finite
///
/// Source: none; the mean of a piecewise constant function is the sum of value times length over the sum of lengths.
SparseRows MeanAlong(std::span<const Stretch> sources, std::span<const Stretch> targets);

}  // namespace openmi
