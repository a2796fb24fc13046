#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi {

/// The elements of an item on all ranks that have it.
struct JoinedElements {
  std::shared_ptr<const ISpatialDefinition> where;  ///< null: a single value, which is the same on all ranks
  std::vector<std::size_t> ranks;                   ///< that have the item, ascending
  std::vector<std::vector<std::size_t>> places;     ///< shape [ranks][elements of the rank]: indices in `where`
};

/// Joins the elements of all ranks. Elements with the same id are one element. The order is that of the ids if all of
/// them are whole numbers, so that it does not depend on the number of ranks; else that of the ranks.
/// \param parts  the elements of each of the ranks; null: a single value
/// \param ranks  their numbers
/// \param place  of the item, for messages
/// \throws LinkError  the parts differ in kind, an element has no id, or one id names different places
JoinedElements JoinElements(std::span<const ISpatialDefinition* const> parts, std::vector<std::size_t> ranks,
                            const Where& place);

}  // namespace openmi
