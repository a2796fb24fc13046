#pragma once

#include <cstddef>
#include <optional>

#include "timespace/RowHistory.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi {

/// Writes all rows with their times, exact to the last bit.
void WriteRows(StateWriter& writer, const RowHistory& rows);

/// Reads rows that `WriteRows` wrote.
/// \param width  the required length of each row; no value: any length
/// \throws FormatError  the bytes are not rows, a row has another length, or the rows are not ascending in time
RowHistory ReadRows(StateReader& reader, std::optional<std::size_t> width = std::nullopt);

/// Replaces the content of `history` by `rows`. Views of its rows become invalid.
void ReplaceRows(RowHistory& history, const RowHistory& rows);

}  // namespace openmi
