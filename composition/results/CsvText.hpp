#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "composition/results/ResultSeries.hpp"

namespace openmi {

/// `text` with each control character replaced by a space.
std::string WithoutControls(std::string_view text);

/// Appends a field, quoted if it holds a comma, a quote, a '#' (many readers take it for a comment) or a space at an
/// end.
///
/// Source: RFC 4180, 2.
void AppendCsvField(std::string& line, std::string_view field);

/// The fields of a record without their quotes. Nothing if a quote is not closed.
std::optional<std::vector<std::string>> SplitCsvRecord(std::string_view record);

/// What separates the columns of a heading without commas: "';'" or "tabs"; empty: there is one column, or several.
std::string_view OtherSeparator(const std::vector<std::string>& headings);

/// The heading of a column: "creek.discharge[fp-27] (m3 s-1)".
/// \param element  index; ignored if the series has no elements
std::string CsvHeading(const ResultSeries& series, std::size_t element);

/// The parts of a heading: item, element (empty: none) and unit.
struct CsvColumn {
  std::string id;
  std::string element;
  std::string unit;
  bool has_element = false;
};
/// Reads the heading of a column.
CsvColumn ParseCsvHeading(std::string_view heading);

/// Appends a space and a pair `key="text"`, as in the comment lines of a results file.
///
/// Quotes, backslashes and control characters in texts are written as in JSON.
void AppendPair(std::string& line, std::string_view key, std::string_view text);
/// Reads such pairs; stops at the first text that is no pair.
std::vector<std::pair<std::string, std::string>> ParsePairs(std::string_view text);

/// Appends the shortest text from which the same number is read: "0.1", "NaN", "inf".
void AppendNumber(std::string& line, double number);
/// The number, or nothing if the text is not a number. "NaN", "nan", "NA" are not-a-number.
std::optional<double> ParseNumber(std::string_view text);

/// A time as ISO 8601 in UTC.
///
/// In whole seconds if the time is one, else in milliseconds or microseconds: the fewest digits that give the same time
/// within `kTimeTolerance`.
std::string ResultTimeText(double mjd);

}  // namespace openmi
