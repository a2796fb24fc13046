#include "components/TextTable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Trim.hpp"

namespace openmi {
namespace {

/// One cell from `at` on; `at` ends behind its delimiter, or at npos behind the last cell.
std::string TakeCell(std::string_view line, std::size_t& at, char delimiter, const std::string& path, int number) {
  const std::string_view blanks = delimiter == '\t' ? " " : " \t";
  std::size_t begin = line.find_first_not_of(blanks, at);
  if (begin == std::string_view::npos) begin = line.size();
  std::string cell;
  std::size_t end = begin;
  if (begin < line.size() && line[begin] == '"') {
    std::size_t i = begin + 1;
    for (;; ++i) {
      if (i >= line.size()) {
        throw FormatError({.file = path, .line = number}, "expected a closing quote, found the end of the line",
                          "close the quote, or double it inside a quoted cell");
      }
      if (line[i] != '"') {
        cell += line[i];
      } else if (i + 1 < line.size() && line[i + 1] == '"') {
        cell += line[++i];
      } else {
        break;
      }
    }
    end = delimiter == ' ' ? line.find_first_of(" \t", i + 1) : line.find(delimiter, i + 1);
  } else {
    end = delimiter == ' ' ? line.find_first_of(" \t", begin) : line.find(delimiter, begin);
    cell = Trimmed(line.substr(begin, end == std::string_view::npos ? end : end - begin));
  }
  at = end;
  if (end == std::string_view::npos) return cell;
  if (delimiter == ' ') {
    at = line.find_first_not_of(" \t", end);
  } else {
    at = end + 1;
  }
  return cell;
}

std::vector<std::string> Split(std::string_view line, char delimiter, const std::string& path, int number) {
  std::vector<std::string> cells;
  std::size_t at = delimiter == ' ' ? line.find_first_not_of(" \t") : 0;
  while (at != std::string_view::npos) cells.push_back(TakeCell(line, at, delimiter, path, number));
  return cells;
}

std::size_t CountOutsideQuotes(std::string_view line, char wanted) {
  std::size_t count = 0;
  bool quoted = false;
  for (const char character : line) {
    if (character == '"') quoted = !quoted;
    if (character == wanted && !quoted) ++count;
  }
  return count;
}

char FindDelimiter(const std::vector<std::pair<int, std::string_view>>& lines) {
  const std::size_t sample = std::min<std::size_t>(lines.size(), 20);
  for (const char candidate : {';', '\t', ','}) {
    const std::size_t count = sample == 0 ? 0 : CountOutsideQuotes(lines[sample - 1].second, candidate);
    // Most of the lines agree; a title above them may not.
    std::size_t same = 0;
    for (std::size_t i = 0; i < sample; ++i) {
      if (CountOutsideQuotes(lines[i].second, candidate) == count) ++same;
    }
    if (count > 0 && 2 * same >= sample) return candidate;
  }
  return ' ';
}

}  // namespace

TextTable ReadTextTable(const std::string& path, char delimiter) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw FileError({.file = path}, "expected a table, found no file to open", "correct the argument that names it");
  }
  std::ostringstream buffer;
  buffer << stream.rdbuf();
  if (stream.bad()) throw FileError({.file = path}, "expected a table, found a file that cannot be read");
  const std::string content = std::move(buffer).str();
  std::string_view rest = content;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  std::vector<std::pair<int, std::string_view>> lines;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    while (line.ends_with('\r')) line.remove_suffix(1);
    const std::string_view trimmed = Trimmed(line);
    if (!trimmed.empty() && trimmed.front() != '#') lines.emplace_back(number, line);
  }
  TextTable table{path, delimiter != '\0' ? delimiter : FindDelimiter(lines), {}};
  table.lines.reserve(lines.size());
  for (const auto& [number, line] : lines) {
    table.lines.push_back({number, Split(line, table.delimiter, path, number)});
  }
  return table;
}

std::string CsvCell(const std::string& text) {
  if (text.find_first_of(",;\"\t\r\n#") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char character : text) {
    if (character == '\r' || character == '\n') {
      cell += ' ';
      continue;
    }
    if (character == '"') cell += '"';
    cell += character;
  }
  return cell + '"';
}

}  // namespace openmi
