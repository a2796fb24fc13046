#pragma once

#include <string>
#include <vector>

#include "adaptors/kernels/SparseRows.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// Adds the nearest source to targets that have none.
/// \param adaptor  names the adaptor in messages
/// \param source  the sources
/// \param target  the targets
/// \param weights  [target x source]
/// \param uncovered  the targets without a source
/// \param source_in  for each source whether it takes part
/// \returns the weights for all targets
SparseRows TakeNearest(const std::string& adaptor, const IElementSet& source, const IElementSet& target,
                       const SparseRows& weights, const std::vector<std::size_t>& uncovered,
                       const std::vector<bool>& source_in);

/// Gives targets without a source the mean of their neighbours' weights, neighbour by neighbour from the covered ones
/// inwards.
///
/// A target stays empty if no chain of neighbours joins it to a covered one.
/// \param adaptor  names the adaptor in messages
/// \param target  the targets
/// \param weights  [target x source]
/// \param uncovered  the targets without a source
/// \param target_in  for each target whether it takes part
/// \returns the weights for all targets
SparseRows Creep(const std::string& adaptor, const IElementSet& target, const SparseRows& weights,
                 const std::vector<std::size_t>& uncovered, const std::vector<bool>& target_in);

}  // namespace openmi
