#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// States which column (or variable) of a file becomes which item: "APCP_surface=precipitation[mm h-1]".
struct ColumnSpec {
  std::string source;   ///< name in the file, or number of the column, from 1
  std::string item;     ///< id of the item; by default the source
  std::string element;  ///< id of the element of that item; may be empty
  std::string unit;     ///< empty: the unit in the file
  bool has_unit = false;
};

/// Reads a list of columns between commas: `source`, `source=item` or `source=item@element`.
///
/// Each may be followed by `[unit]` if the file does not state the unit. Names with a comma, '=', `@` or '[' must be in
/// double quotes.
/// \throws FormatError  an entry cannot be read; the message names it
std::vector<ColumnSpec> ParseColumns(std::string_view text);

/// Reads the heading of a column: "discharge (m3 s-1)", "level [m]", or with item and element as in the results of a
/// run, "creek.discharge[fp-27] (m3 s-1)". Parts that the heading does not have are empty.
ColumnSpec ParseHeading(std::string_view heading);

}  // namespace openmi
