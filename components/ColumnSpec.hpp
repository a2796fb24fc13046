#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// Which column (or variable) of a file becomes which item: "APCP_surface=precipitation[mm h-1]".
struct ColumnSpec {
  std::string source;   ///< name in the file, or number of the column from 1
  std::string item;     ///< id of the item; the source where nothing else is said
  std::string element;  ///< id of the element of that item; may be empty
  std::string unit;     ///< may be empty: as the file says
  bool has_unit = false;
};

/// Reads a list of columns between commas: `source`, `source=item`, `source=item@element`, each with `[unit]` behind it
/// if the file does not say the unit. Names that hold a comma, '=', '@' or '[' stand in double quotes.
/// \throws FormatError  an entry cannot be read; names it
std::vector<ColumnSpec> ParseColumns(std::string_view text);

/// What a column's heading says: "discharge (m3 s-1)", "level [m]", and as our results are headed with item and
/// element, "creek.discharge[fp-27] (m3 s-1)". What it does not say is empty.
ColumnSpec ParseHeading(std::string_view heading);

}  // namespace openmi
