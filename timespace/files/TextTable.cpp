#include "timespace/files/TextTable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/ReadableFile.hpp"

namespace openmi {
namespace {

/// Takes one cell at `at`; `at` then is after its delimiter, or npos after the last cell.
void TakeCell(std::string_view line, std::size_t& at, char delimiter, const std::string& path, int number,
              std::string& cell) {
  const std::string_view blanks = delimiter == '\t' ? " " : " \t";
  std::size_t begin = line.find_first_not_of(blanks, at);
  if (begin == std::string_view::npos) begin = line.size();
  cell.clear();
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
  if (end == std::string_view::npos) return;
  if (delimiter == ' ') {
    at = line.find_first_not_of(" \t", end);
  } else {
    at = end + 1;
  }
}

void Split(std::string_view line, char delimiter, const std::string& path, int number,
           std::vector<std::string>& cells) {
  std::size_t count = 0;
  std::size_t at = delimiter == ' ' ? line.find_first_not_of(" \t") : 0;
  while (at != std::string_view::npos) {
    if (count == cells.size()) cells.emplace_back();
    TakeCell(line, at, delimiter, path, number, cells[count++]);
  }
  cells.resize(count);
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

/// \param lines  the first lines of the file
char FindDelimiter(const std::vector<std::string_view>& lines) {
  const std::size_t sample = lines.size();
  for (const char candidate : {';', '\t', ','}) {
    const std::size_t count = sample == 0 ? 0 : CountOutsideQuotes(lines[sample - 1], candidate);
    // Most lines agree; a title above them may differ.
    std::size_t same = 0;
    for (std::size_t i = 0; i < sample; ++i) {
      if (CountOutsideQuotes(lines[i], candidate) == count) ++same;
    }
    if (count > 0 && 2 * same >= sample) return candidate;
  }
  return ' ';
}

/// How a user can turn a file of that kind into plain text.
const char* TextRemedy(FileKind kind) {
  static constexpr std::pair<FileKind, const char*> kRemedies[] = {
      {FileKind::Gzip, "unpack it first, for instance with gunzip"},
      {FileKind::Bzip2, "unpack it first, for instance with bunzip2"},
      {FileKind::Xz, "unpack it first, for instance with unxz"},
      {FileKind::Zstd, "unpack it first, for instance with unzstd"},
      {FileKind::Zip, "unpack the archive, or save the sheet as CSV in UTF-8"},
      {FileKind::OldWorkbook, "save the sheet as CSV in UTF-8"},
      {FileKind::Pdf, "give the table as CSV in UTF-8"},
      {FileKind::Hdf5, "read it with the type openmi.NetcdfSeries"},
      {FileKind::Netcdf, "read it with the type openmi.NetcdfSeries"},
      {FileKind::Database, "export the table as CSV in UTF-8"},
      {FileKind::Utf16, "save it as UTF-8, for instance with iconv -f UTF-16 -t UTF-8"},
  };
  const auto* found = std::ranges::find(kRemedies, kind, &std::pair<FileKind, const char*>::first);
  return found != std::end(kRemedies) ? found->second : "give a text file in UTF-8";
}

}  // namespace

TextTable::TextTable(const std::string& path, char delimiter) : path_(path), delimiter_(delimiter) {
  ExpectReadable(path, path, "a table");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw FileError({.file = path}, "expected a table, found a file that cannot be opened");
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  if (!unknown) text_.reserve(size);
  std::array<char, 1 << 16> block{};
  while (stream.read(block.data(), block.size()), stream.gcount() > 0) {
    text_.append(block.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) throw FileError({.file = path}, "expected a table, found a file that cannot be read");
  if (const FileKind kind = KindOfBytes(text_); kind != FileKind::Unknown) {
    const auto before = text_.begin() + static_cast<std::ptrdiff_t>(std::min(text_.find('\0'), text_.size()));
    const bool is_by_its_begin = before == text_.end();
    const int line = is_by_its_begin ? 1 : 1 + static_cast<int>(std::count(text_.begin(), before, '\n'));
    throw FormatError({.file = path, .line = line}, "expected a table as text, found " + std::string(TextOfKind(kind)),
                      TextRemedy(kind));
  }
  constexpr std::size_t kSample = 20;
  std::vector<std::string_view> sample;
  std::vector<Line> quoted;
  std::size_t at = text_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (int number = 1; at < text_.size(); ++number) {
    const Line next{at, number};
    const std::string_view line = TextOf(next);
    const std::size_t feed = text_.find('\n', at);
    at = feed == std::string::npos ? text_.size() : feed + 1;
    const std::string_view trimmed = Trimmed(line);
    if (trimmed.empty() || trimmed.front() == '#') continue;
    lines_.push_back(next);
    if (sample.size() < kSample) sample.push_back(line);
    if (trimmed.find('"') != std::string_view::npos) quoted.push_back(next);
  }
  if (delimiter_ == '\0') delimiter_ = FindDelimiter(sample);
  for (const Line& line : quoted) Split(TextOf(line), delimiter_, path_, line.number, cells_);
}

std::string_view TextTable::TextOf(const Line& line) const {
  std::string_view text = std::string_view(text_).substr(line.begin);
  text = text.substr(0, text.find('\n'));
  while (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

const std::vector<std::string>& TextTable::Cells(std::size_t line) {
  Split(TextOf(lines_[line]), delimiter_, path_, lines_[line].number, cells_);
  return cells_;
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
