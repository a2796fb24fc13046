#pragma once

#include <string>
#include <vector>

namespace openmi {

/// A line of a table of texts.
struct TextLine {
  int line = 0;  ///< in the file, from 1
  std::vector<std::string> cells;
};

/// A table in a text file: CSV, tab-separated values, or columns between blanks.
struct TextTable {
  std::string path;
  char delimiter = ',';  ///< ' ' stands for any run of blanks and tabs
  std::vector<TextLine> lines;
};

/// Reads a table. Empty lines and lines that begin with '#' are left out; lines may end with CR LF; a byte order mark
/// is skipped. Cells may stand in double quotes, a quote in them is doubled; blanks around a cell are dropped. \param
/// delimiter  ',', ';', '\t' or ' '; 0: found out from the first lines \throws FileError    the file cannot be opened
/// \throws FormatError  a quote is not closed in its line; names file and line
/// Source: RFC 4180, with comments and other delimiters.
TextTable ReadTextTable(const std::string& path, char delimiter = '\0');

/// A text as one cell of a CSV file: in quotes where it has to be.
std::string CsvCell(const std::string& text);

}  // namespace openmi
