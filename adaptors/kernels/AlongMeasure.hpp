#pragma once

#include <span>

#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// A stretch of a measured line (M: chainage, river kilometre); begin and end may be equal, and either way round.
struct Stretch {
  double begin;
  double end;
};

/// Values at stretches sampled along M: linear between the middles of the two sources beside a target's middle; beyond
/// the first and last middle the end stretch itself holds as far as it reaches.
/// \param sources  no two with the same middle; finite
/// \returns [targets x sources]; rows of targets beyond all sources are empty
/// \throws RangeError  two sources with one middle, or an M that is not finite
SparseRows InterpolateAlong(std::span<const Stretch> sources, std::span<const Stretch> targets);

/// Means of stretches: sources weigh by the length of M in common with a target; a target of no length takes the source
/// that it lies in (of two that meet there, both by half).
/// \returns [targets x sources]; rows sum to 1, but are empty where nothing is in common
/// \throws RangeError  an M that is not finite
SparseRows MeanAlong(std::span<const Stretch> sources, std::span<const Stretch> targets);

}  // namespace openmi
