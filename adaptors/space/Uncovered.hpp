#pragma once

#include <string>
#include <vector>

#include "adaptors/kernels/SparseRows.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// The weights with the nearest sources for targets that have none.
/// \param source_in  for each source whether it takes part
SparseRows TakeNearest(const std::string& adaptor, const IElementSet& source, const IElementSet& target,
                       const SparseRows& weights, const std::vector<std::size_t>& uncovered,
                       const std::vector<bool>& source_in);

/// The weights with the mean of their neighbours' for targets that have none, from the covered ones inwards, neighbour
/// by neighbour. Targets that no chain of neighbours joins to a covered one stay without. \param target_in  for each
/// target whether it takes part
SparseRows Creep(const std::string& adaptor, const IElementSet& target, const SparseRows& weights,
                 const std::vector<std::size_t>& uncovered, const std::vector<bool>& target_in);

}  // namespace openmi
