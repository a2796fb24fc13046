#pragma once

#include <cstddef>
#include <optional>

#include "timespace/RowHistory.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi {

/// Writes all rows with their times, to the last bit.
void WriteRows(StateWriter& writer, const RowHistory& rows);

/// Reads what WriteRows wrote.
/// \param width  what each row must hold; nothing: any number
/// \throws FormatError  other bytes, another width, or rows that do not follow each other in time
RowHistory ReadRows(StateReader& reader, std::optional<std::size_t> width = std::nullopt);

/// Puts `rows` in the place of what `history` holds. Views of its rows end.
void ReplaceRows(RowHistory& history, const RowHistory& rows);

}  // namespace openmi
