#pragma once

#include <optional>
#include <string>
#include <vector>

#include "components/CellNumber.hpp"
#include "components/SeriesComponent.hpp"
#include "components/TimeFormat.hpp"
#include "timespace/files/TextTable.hpp"

namespace openmi {

/// Time series from a text file: CSV, tab-separated values, or columns between blanks. Type `openmi.CsvSeries`.
class CsvSeries final : public SeriesComponent {
 public:
  CsvSeries();

 private:
  /// The structure of the table.
  struct Layout {
    std::size_t width = 0;           ///< cells in a row
    std::size_t first_row = 0;       ///< index among the lines
    std::vector<std::string> names;  ///< of the columns, empty where there is no heading; shape [width]
    bool has_heading = false;        ///< the names are from the file
    bool has_text_above = false;     ///< the line above the first row holds text, not only numbers and times
    std::vector<std::size_t> time;   ///< columns with the time; empty: there is none
  };
  /// A column to read.
  struct Wanted {
    std::size_t column;
    SeriesColumn item;
  };

  SeriesData Read() override;
  /// Reads the rows of a file.
  SeriesData ReadFile(const std::string& path);
  /// Reads a table with the columns id and file, and from each of these files the series of one element.
  SeriesData ReadList();
  /// The file that is read, as messages show it.
  const std::string& Shown() const { return reading_.empty() ? ShownPath() : reading_; }
  Layout FindLayout(TextTable& table, const std::optional<TimeFormat>& format,
                    std::vector<std::string>& warnings) const;
  void FindTime(TextTable& table, const std::optional<TimeFormat>& format, Layout& layout) const;
  std::size_t FindColumn(const Layout& layout, const std::string& name, const char* argument) const;
  std::vector<Wanted> FindColumns(const Layout& layout) const;
  std::vector<SeriesStamp> ReadStamps(TextTable& table, const std::optional<TimeFormat>& format, const Layout& layout,
                                      const CellNumber& numbers) const;
  std::vector<SeriesStamp> CountStamps(TextTable& table, const Layout& layout) const;
  void ReadValues(TextTable& table, const Layout& layout, const std::vector<Wanted>& wanted, CellNumber& numbers,
                  SeriesData& data) const;
  void CheckWidths(TextTable& table, const Layout& layout) const;
  void CheckHeading(TextTable& table, const Layout& layout, std::vector<std::string>& warnings) const;
  void CheckEncoding(TextTable& table, std::size_t line) const;
  /// Throws for a line with more or fewer cells than the rows have.
  [[noreturn]] void RefuseWidth(TextTable& table, const Layout& layout, std::size_t line) const;
  std::string ColumnText(const Layout& layout, std::size_t column) const;
  std::optional<TimeFormat> GivenTimeFormat() const;
  std::optional<double> Offset() const;
  char Delimiter() const;

  Argument<std::string> file_is_, time_column_, time_format_, utc_offset_, delimiter_, decimal_, start_,
      missing_values_, item_;
  Argument<int> header_lines_;
  Argument<bool> elements_from_columns_;
  std::string reading_;  // a file of a list
};

}  // namespace openmi
