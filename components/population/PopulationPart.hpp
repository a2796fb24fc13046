#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "components/population/RowTable.hpp"

namespace openmi::population {

/// How the rows of a population are divided.
struct PopulationPart {
  std::size_t count = 1;                   ///< of parts
  std::string by;                          ///< a column: rows with the same cell are in the same part; empty: any
  std::optional<std::size_t> number = {};  ///< which of the parts, from 0; nothing: the whole

  /// \param count   empty: one
  /// \param number  from 1; empty: the whole
  /// \throws ArgumentError  one of them is something else
  static PopulationPart Of(std::string_view count, std::string by, std::string_view number);
  /// The part of each row, from 0. Each part has about as many rows, with neighbours in the order of the table.
  /// \throws ArgumentError  there is no such column, or fewer rows (or different cells of it) than parts
  std::vector<std::size_t> PartOfRows(const RowTable& table) const;
};

/// The numbers of rows as ranges: "0-14 17".
/// \param rows  ascending
std::string RangesOf(std::span<const std::size_t> rows);

}  // namespace openmi::population
