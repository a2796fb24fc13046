#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi {

/// What the processes are called that compute a component together.
struct PieceNames {
  const char* one;
  const char* many;
  const char* attribute;  ///< of the composition file
  std::size_t first;      ///< number of the first one
  /// "rank 2".
  std::string Of(std::size_t piece) const { return one + (' ' + std::to_string(first + piece)); }
};
inline constexpr PieceNames kRankNames{"rank", "ranks", "Ranks", 0};
inline constexpr PieceNames kPartNames{"part", "parts", "Parts", 1};

/// The elements of an item in all processes that have it.
struct JoinedElements {
  std::shared_ptr<const ISpatialDefinition> where;  ///< null: a single value, which is the same in all pieces
  std::vector<std::size_t> pieces;                  ///< that have the item, ascending
  std::vector<std::vector<std::size_t>> places;     ///< shape [pieces][elements of the piece]: indices in `where`
};

/// Joins the elements of all pieces. Elements with the same id are one element. The order is that of the ids if all of
/// them are whole numbers, so that it does not depend on the number of pieces; else that of the pieces.
/// \param each    the elements of each of the pieces; null: a single value
/// \param pieces  their numbers, from 0
/// \param names   what they are called, for messages
/// \param place   of the item, for messages
/// \throws LinkError  the sets differ in kind, an element has no id, or one id names different places
JoinedElements JoinElements(std::span<const ISpatialDefinition* const> each, std::vector<std::size_t> pieces,
                            const PieceNames& names, const Where& place);

/// Joins the elements of the parts of a population, in the order of the rows of its table.
/// \param each  the elements of all parts; one or more for each row
/// \param rows  the numbers of the rows of each part, from 0
/// \throws LinkError  they do not fit together
JoinedElements JoinRows(std::span<const ISpatialDefinition* const> each, std::span<const std::vector<std::size_t>> rows,
                        const Where& place);

}  // namespace openmi
