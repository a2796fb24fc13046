#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "composition/results/ResultSeries.hpp"

namespace openmi {

/// Text without control characters: each becomes a blank.
std::string WithoutControls(std::string_view text);

/// Appends a field, quoted where it holds a comma, a quote, a '#' (begins a comment for many readers), blanks at an
/// end. Source: RFC 4180, 2.
void AppendCsvField(std::string& line, std::string_view field);

/// The fields of a record; quotes are undone. Nothing where a quote is not closed.
std::optional<std::vector<std::string>> SplitCsvRecord(std::string_view record);

/// The heading of a column: "creek.discharge[fp-27] (m3 s-1)".
/// \param element  index; ignored where the series has no elements
std::string CsvHeading(const ResultSeries& series, std::size_t element);

/// What a heading names: item, element (empty: none) and unit.
struct CsvColumn {
  std::string id;
  std::string element;
  std::string unit;
  bool has_element = false;
};
CsvColumn ParseCsvHeading(std::string_view heading);

/// `key="text"` pairs, with a blank between them, as the comment lines of a results file have them. Quotes, backslashes
/// and control characters in texts are written as in JSON.
void AppendPair(std::string& line, std::string_view key, std::string_view text);
/// And back; what is no pair ends the list.
std::vector<std::pair<std::string, std::string>> ParsePairs(std::string_view text);

/// Shortest text that reads back exactly: "0.1", "NaN", "inf".
void AppendNumber(std::string& line, double number);
/// The number, or nothing where the text is none. "NaN", "nan", "NA" are not-a-number.
std::optional<double> ParseNumber(std::string_view text);

/// ISO 8601 in UTC with whole seconds where the time is one, else milliseconds or microseconds, whatever is the fewest
/// digits for the same time by the house's tolerance.
std::string ResultTimeText(double mjd);

}  // namespace openmi
