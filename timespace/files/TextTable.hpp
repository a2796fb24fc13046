#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// A table in a text file: CSV, tab-separated values, or columns between blanks.
///
/// It keeps the text of the file and where the lines start, and splits a line when it is asked for. The memory is the
/// size of the file and 16 bytes a line.
class TextTable {
 public:
  /// Reads a table.
  ///
  /// Empty lines and lines that start with `#` are skipped. Lines may end with CR LF; a byte order mark is skipped.
  /// Cells may be in double quotes; a quote inside them is doubled. Blanks around a cell are dropped.
  /// \param path  of the file
  /// \param delimiter  ',', ';', a tab or ' '; 0: found from the first lines
  /// \throws FileError  the file cannot be opened; see `ExpectReadable`
  /// \throws FormatError  a quote is not closed in its line (the message names file and line), or the file is no text,
  ///   but for instance a workbook or a compressed file
  ///
  /// Source: [RFC4180], with comments and other delimiters.
  explicit TextTable(const std::string& path, char delimiter = '\0');

  /// The delimiter; ' ' means any sequence of blanks and tabs.
  char Delimiter() const { return delimiter_; }
  /// The number of lines.
  std::size_t Count() const { return lines_.size(); }
  /// The number of a line in the file, from 1.
  int LineNumber(std::size_t line) const { return lines_[line].number; }
  /// The cells of a line; valid until the next call.
  const std::vector<std::string>& Cells(std::size_t line);

 private:
  struct Line {
    std::size_t begin = 0;  // position in the text
    int number = 0;
  };
  std::string_view TextOf(const Line& line) const;

  std::string path_;
  char delimiter_;
  std::string text_;
  std::vector<Line> lines_;
  std::vector<std::string> cells_;
};

/// A text as one cell of a CSV file: in quotes if it needs them.
std::string CsvCell(const std::string& text);

}  // namespace openmi
