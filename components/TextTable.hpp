#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// A table in a text file: CSV, tab-separated values, or columns between blanks.
///
/// Keeps the text of the file and where its lines begin, and takes a line apart when it is asked for: a long table
/// takes its own size and 16 bytes a line.
class TextTable {
 public:
  /// Reads a table. Empty lines and lines that begin with '#' are left out; lines may end with CR LF; a byte order mark
  /// is skipped. Cells may stand in double quotes, a quote in them is doubled; blanks around a cell are dropped.
  /// \param delimiter  ',', ';', '\t' or ' '; 0: found out from the first lines
  /// \throws FileError    the file cannot be opened; see ExpectReadable
  /// \throws FormatError  a quote is not closed in its line; names file and line. Or the file is no text, but a
  ///                      workbook or a compressed file for instance
  /// Source: RFC 4180, with comments and other delimiters.
  explicit TextTable(const std::string& path, char delimiter = '\0');

  /// ' ' stands for any run of blanks and tabs.
  char Delimiter() const { return delimiter_; }
  /// How many lines there are.
  std::size_t Count() const { return lines_.size(); }
  /// The number of a line in the file, from 1.
  int LineNumber(std::size_t line) const { return lines_[line].number; }
  /// The cells of a line; good until the next call.
  const std::vector<std::string>& Cells(std::size_t line);

 private:
  struct Line {
    std::size_t begin = 0;  // in the text
    int number = 0;
  };
  std::string_view TextOf(const Line& line) const;

  std::string path_;
  char delimiter_;
  std::string text_;
  std::vector<Line> lines_;
  std::vector<std::string> cells_;
};

/// A text as one cell of a CSV file: in quotes where it has to be.
std::string CsvCell(const std::string& text);

}  // namespace openmi
