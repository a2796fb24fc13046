#include "composition/results/CsvResults.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <system_error>

#include "composition/results/CsvText.hpp"
#include "composition/results/FileProblem.hpp"
#include "composition/results/ReadResults.hpp"
#include "composition/results/ResultSeries.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {
namespace {

constexpr std::size_t kWriteAt = 1 << 20;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Reads the file, merges lines at the same time, sorts them, and replaces the file in one step.
void PutInOrder(const std::filesystem::path& path) {
  const ResultTable table = ReadCsvResults(path);
  std::vector<ResultSeries> series;
  for (const ResultRows& rows : table.series) series.push_back(rows.series);
  std::filesystem::path part = path;
  part += ".part";
  std::error_code problem;
  try {
    CsvResults ordered(part, table.info, series, AppendFile::Existing::Overwrite);
    for (std::size_t i = 0; i < table.series.size(); ++i) {
      const ResultRows& rows = table.series[i];
      for (std::size_t row = 0; row < rows.ends.size(); ++row) {
        ordered.Append(i, rows.begins[row], rows.ends[row], rows.Row(row));
      }
    }
    ordered.Close();
  } catch (const Error&) {
    std::filesystem::remove(part, problem);
    throw;
  }
  std::filesystem::rename(part, path, problem);
  if (problem) ThrowFileProblem(path, "put results in order", problem.value(), "all rows are in the file");
}

void AppendRemark(std::string& head, std::string_view name, std::string_view text) {
  if (!text.empty()) head += fmt::format("# {}: {}\n", name, WithoutControls(text));
}

void AppendCoordinates(std::string& head, std::string_view name, const std::vector<double>& numbers) {
  if (numbers.empty()) return;
  head += fmt::format("# {}:", name);
  for (const double number : numbers) {
    head += ' ';
    AppendNumber(head, number);
  }
  head += '\n';
}

void AppendSeries(std::string& head, const ResultSeries& series) {
  head += "# series:";
  AppendPair(head, "id", series.id);
  AppendPair(head, "kind", kResultKinds.NameOf(series.kind));
  if (series.span) AppendPair(head, "span", FormatIsoDuration(*series.span));
  AppendPair(head, "unit", series.unit);
  AppendPair(head, "elements", fmt::format("{}", series.elements.size()));
  if (!series.caption.empty()) AppendPair(head, "caption", series.caption);
  if (!series.quantity.empty()) AppendPair(head, "quantity", series.quantity);
  if (!series.comment.empty()) AppendPair(head, "comment", series.comment);
  for (const auto& [name, text] : series.attributes) AppendPair(head, "+" + WithoutControls(name), text);
  head += '\n';
  AppendCoordinates(head, series.is_longitude_latitude ? "lon" : "x", series.x);
  AppendCoordinates(head, series.is_longitude_latitude ? "lat" : "y", series.y);
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string ReadAll(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) ThrowFileProblem(path, "read results", errno);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) ThrowFileProblem(path, "read results", EIO);
  return text;
}

bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

constexpr std::size_t kNotRead = static_cast<std::size_t>(-1);

/// A column of the table: the series (or kNotRead) and the element it belongs to.
struct Place {
  std::size_t series = 0;
  std::size_t element = 0;
};

class CsvReader {
 public:
  explicit CsvReader(const std::filesystem::path& path) : path_(path), all_(ReadAll(path)), rest_(all_) {}

  ResultTable Read() {
    TakePrefix(rest_, "\xEF\xBB\xBF");
    const bool is_ours = rest_.starts_with(kCsvMark);
    if (is_ours) {
      // Text after the last line feed is an incomplete row of a run that was killed.
      const std::size_t whole = rest_.rfind('\n') + 1;
      table_.was_cut = whole != rest_.size();
      rest_ = rest_.substr(0, whole);
    }
    if (!ReadHead()) {
      table_.was_cut = is_ours;
      if (is_ours) return table_;  // the run was killed before it wrote the heading
      throw FormatError({.file = path_.string()}, "expected a heading and rows of results, found neither",
                        "name a file that a run wrote");
    }
    bool is_first = true;
    for (std::string_view line; NextLine(line);) {
      if (TakePrefix(line, "# note: ")) {
        table_.info.notes.emplace_back(line);
        continue;
      }
      if (line.empty() || line.front() == '#') continue;
      try {
        SplitRow(line);
        if (is_first && !is_ours) FindForm();
        ReadRow();
      } catch (const FormatError& error) {
        if (is_ours || !is_first) throw;
        throw FormatError({.file = path_.string()},
                          fmt::format("expected results of a run (CSV with a heading and rows that begin with a time, "
                                      "NetCDF or a journal), found something else: {}",
                                      WithoutControls(error.what())),
                          "name a file that a run wrote, or a table with seconds below the heading 'time'");
      }
      is_first = false;
    }
    const bool has_rows = std::ranges::any_of(table_.series, [](const ResultRows& rows) { return !rows.ends.empty(); });
    if (!is_ours && !has_rows) {
      throw FormatError({.file = path_.string()}, "expected rows of results below a heading, found none",
                        "name a file that a run wrote");
    }
    Finish();
    return std::move(table_);
  }

 private:
  bool NextLine(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t length = std::min(rest_.find('\n'), rest_.size());
    line = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++line_number_;
    return true;
  }

  [[noreturn]] void Fail(const std::string& problem, const std::string& remedy) const {
    throw FormatError({.file = path_.string(), .line = line_number_}, problem, remedy);
  }

  bool ReadHead() {
    for (std::string_view line; NextLine(line);) {
      if (line.empty()) continue;
      if (TakePrefix(line, "#")) {
        ReadRemark(line);
      } else {
        ReadHeading(line);
        return true;
      }
    }
    return false;
  }

  void ReadRemark(std::string_view line) {
    TakePrefix(line, " ");
    if (TakePrefix(line, "series:")) {
      described_.push_back(ReadSeries(line));
    } else if (!described_.empty() && TakePrefix(line, "lon:")) {
      described_.back().x = ReadNumbers(line);
      described_.back().is_longitude_latitude = true;
    } else if (!described_.empty() && TakePrefix(line, "x:")) {
      described_.back().x = ReadNumbers(line);
    } else if (!described_.empty() && (TakePrefix(line, "lat:") || TakePrefix(line, "y:"))) {
      described_.back().y = ReadNumbers(line);
    } else if (TakePrefix(line, "title: ")) {
      table_.info.title = line;
    } else if (TakePrefix(line, "source: ")) {
      table_.info.source = line;
    } else if (TakePrefix(line, "history: ")) {
      table_.info.history = line;
    } else if (TakePrefix(line, "comment: ")) {
      table_.info.comment = line;
    } else if (TakePrefix(line, "note: ")) {
      table_.info.notes.emplace_back(line);
    }
  }

  ResultSeries ReadSeries(std::string_view line) {
    ResultSeries series;
    for (const auto& [key, text] : ParsePairs(line)) {
      if (key == "id") {
        series.id = text;
      } else if (key == "kind") {
        const auto kind = kResultKinds.Find(text);
        if (!kind) {
          Fail(fmt::format("expected kind instant, mean, sum, minimum or maximum, found '{}'", text), "correct it");
        }
        series.kind = *kind;
      } else if (key == "span") {
        try {
          series.span = ParseIsoDuration(text);
          if (!(*series.span > Days())) series.span.reset();
        } catch (const FormatError& error) {
          Fail(WithoutControls(error.Problem()), error.Remedy());
        }
      } else if (key == "unit") {
        series.unit = text;
      } else if (key == "elements") {
        std::size_t count = 0;
        std::from_chars(text.data(), text.data() + text.size(), count);
        // At most as many as there can be headings, so that a wrong count cannot allocate all memory.
        series.elements.resize(std::min(count, all_.size()));
      } else if (key == "caption") {
        series.caption = text;
      } else if (key == "quantity") {
        series.quantity = text;
      } else if (key == "comment") {
        series.comment = text;
      } else if (key.starts_with('+')) {
        series.attributes.emplace_back(key.substr(1), text);
      }
    }
    return series;
  }

  std::vector<double> ReadNumbers(std::string_view line) {
    std::vector<double> numbers;
    while (TakePrefix(line, " ")) {
      const std::size_t length = std::min(line.find(' '), line.size());
      numbers.push_back(ReadNumber(line.substr(0, length), "coordinates"));
      line.remove_prefix(length);
    }
    return numbers;
  }

  /// The number in a cell; in tables with numbers of seconds also True and False.
  std::optional<double> NumberIn(std::string_view text) const {
    const std::optional<double> number = ParseNumber(text);
    if (number || !table_.in_seconds) return number;
    const std::string word = Lower(text);
    return word == "true" ? std::optional(1.0) : word == "false" ? std::optional(0.0) : std::nullopt;
  }

  double ReadNumber(std::string_view text, const std::string& column) const {
    const auto number = NumberIn(text);
    if (!number) {
      Fail(fmt::format("column '{}': expected a number, found '{}'", WithoutControls(column),
                       WithoutControls(text.substr(0, 40))),
           "write it with a decimal point, or leave the cell empty");
    }
    return *number;
  }

  void ReadHeading(std::string_view line) {
    auto headings = SplitCsvRecord(line);
    if (!headings) Fail("expected a heading, found a quote that is not closed", "close it");
    headings_ = std::move(*headings);
    if (headings_.size() < 2 && !described_.empty())
      Fail("expected columns for the series, found none", "restore them");
    if (const std::string_view separator = OtherSeparator(headings_); !separator.empty()) {
      Fail(fmt::format("expected columns between commas, found {} between them", separator),
           "write the table with commas, and with decimal points");
    }
    if (!PlaceAsDescribed()) PlaceAsHeaded();
    MakeRow();
  }

  void MakeRow() {
    values_.resize(table_.series.size());
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i].resize(table_.series[i].series.Width());
  }

  /// Assigns columns by the descriptions alone: exact for any characters in ids.
  bool PlaceAsDescribed() {
    std::size_t column = 1;
    for (ResultSeries& series : described_) {
      for (std::size_t i = 0; i < series.Width(); ++i, ++column) {
        if (column >= headings_.size()) return false;
        if (series.elements.empty()) {
          if (headings_[column] != CsvHeading(series, 0)) return false;
          continue;
        }
        const std::string before = WithoutControls(series.id) + "[";
        const std::string after = WithoutControls(fmt::format("] ({})", series.unit.empty() ? "1" : series.unit));
        const std::string& heading = headings_[column];
        if (heading.size() < before.size() + after.size() || !heading.starts_with(before) ||
            !heading.ends_with(after)) {
          return false;
        }
        series.elements[i] = heading.substr(before.size(), heading.size() - before.size() - after.size());
      }
    }
    if (column != headings_.size()) return false;
    for (ResultSeries& series : described_) {
      if (series.x.size() != series.elements.size() || series.y.size() != series.elements.size()) {
        series.x.clear();
        series.y.clear();
      }
      for (std::size_t i = 0; i < series.Width(); ++i) places_.push_back({table_.series.size(), i});
      table_.series.push_back({.series = series});
    }
    return true;
  }

  /// Assigns columns by the headings, for third-party tables and for ours with moved or removed columns.
  void PlaceAsHeaded() {
    std::map<std::string, std::size_t> known;
    for (std::size_t column = 1; column < headings_.size(); ++column) {
      if (!is_text_.empty() && is_text_[column]) {
        table_.texts.push_back(headings_[column]);
        places_.push_back({kNotRead, 0});
        continue;
      }
      const CsvColumn parsed = ParseCsvHeading(headings_[column]);
      const auto [place, is_new] = known.try_emplace(parsed.id + "\n" + parsed.unit, table_.series.size());
      if (is_new) {
        ResultSeries series;
        for (const ResultSeries& described : described_) {
          if (described.id == parsed.id) series = described;
        }
        series.id = parsed.id.empty() ? fmt::format("column {}", column + 1) : parsed.id;
        series.unit = parsed.unit;
        series.elements.clear();
        series.x.clear();
        series.y.clear();
        table_.series.push_back({.series = series});
      }
      ResultSeries& series = table_.series[place->second].series;
      places_.push_back({place->second, series.elements.size()});
      if (parsed.has_element) {
        series.elements.push_back(parsed.element);
      } else if (!is_new) {
        Fail(fmt::format("expected headings that differ, found '{}' twice", WithoutControls(headings_[column])),
             "rename one of the columns");
      }
    }
  }

  void SplitRow(std::string_view line) {
    cells_.clear();
    if (line.find('"') == std::string_view::npos) {
      for (;;) {
        const std::size_t comma = line.find(',');
        cells_.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos) break;
        line.remove_prefix(comma + 1);
      }
    } else {
      auto fields = SplitCsvRecord(line);
      if (!fields) Fail("expected a row, found a quote that is not closed", "close it");
      unquoted_ = std::move(*fields);
      cells_.assign(unquoted_.begin(), unquoted_.end());
    }
    if (cells_.size() != headings_.size()) {
      Fail(fmt::format("expected {} cells as in the heading, found {}", headings_.size(), cells_.size()),
           "restore the row, or take it out");
    }
  }

  /// Finds by the first row of a third-party table whether times are numbers of seconds, as tools of FMI write them.
  /// Such tables may have columns of texts, which are left out.
  void FindForm() {
    const std::string_view time = Trimmed(cells_.front());
    const bool is_date = time.size() == 8 && time.find_first_not_of("0123456789") == std::string_view::npos;
    const std::string heading = ParseCsvHeading(headings_.front()).id;
    table_.in_seconds = Lower(Trimmed(heading)) == "time" && !is_date && ParseNumber(time);
    if (!table_.in_seconds) return;
    for (const std::string_view cell : cells_) is_text_.push_back(!cell.empty() && !NumberIn(cell));
    table_.series.clear();
    places_.clear();
    PlaceAsHeaded();
    MakeRow();
  }

  double ReadTime(std::string_view text) const {
    if (table_.in_seconds) {
      const double seconds = ReadNumber(text, headings_.front());
      if (std::isfinite(seconds)) return (kZeroOfSeconds + Seconds(seconds)).mjd;
      Fail(fmt::format("column 1: expected a number of seconds, found '{}'", WithoutControls(text)),
           "take the row out");
    }
    try {
      return ParseIsoTime(text, 0.0).mjd;
    } catch (const FormatError& error) {
      Fail(fmt::format("column 1: {}", WithoutControls(error.Problem())), error.Remedy());
    }
  }

  void ReadRow() {
    const double time = ReadTime(cells_.front());
    has_row_.assign(table_.series.size(), false);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].series == kNotRead) continue;
      const std::string_view cell = cells_[i + 1];
      values_[places_[i].series][places_[i].element] = cell.empty() ? kNaN : ReadNumber(cell, headings_[i + 1]);
      if (!cell.empty()) has_row_[places_[i].series] = true;
    }
    for (std::size_t i = 0; i < table_.series.size(); ++i) {
      ResultRows& rows = table_.series[i];
      if (!has_row_[i]) {
        if (table_.in_seconds) rows.empty_at.push_back(time);
        continue;
      }
      rows.ends.push_back(time);
      rows.values.insert(rows.values.end(), values_[i].begin(), values_[i].end());
    }
  }

  void Finish() {
    for (ResultRows& rows : table_.series) {
      rows.begins = rows.ends;
      std::ranges::sort(rows.empty_at);
      OrderRows(rows, table_.in_seconds);
      if (rows.series.kind == ResultKind::Instant) continue;
      // The table has no starts of spans. A span starts its length before its end or, if lengths differ, at the end of
      // the span before.
      for (std::size_t i = 0; i < rows.ends.size(); ++i) {
        if (rows.series.span) {
          rows.begins[i] = rows.ends[i] - rows.series.span->count;
        } else if (i > 0) {
          rows.begins[i] = rows.ends[i - 1];
        }
      }
    }
  }

  const std::filesystem::path path_;
  const std::string all_;
  std::string_view rest_;
  int line_number_ = 0;
  std::vector<ResultSeries> described_;
  std::vector<std::string> headings_;
  std::vector<Place> places_;  // by column after the time
  std::vector<bool> is_text_;  // by column; empty: all are read
  ResultTable table_;
  std::vector<std::string_view> cells_;
  std::vector<std::string> unquoted_;
  std::vector<std::vector<double>> values_;  // by series: the current row
  std::vector<bool> has_row_;
};

}  // namespace

CsvResults::CsvResults(std::filesystem::path path, const RunInfo& info, std::vector<ResultSeries> series,
                       AppendFile::Existing existing)
    : series_((CheckResultSeries(series), std::move(series))),
      file_(std::move(path), existing),
      last_time_(-kInfinity) {
  for (const ResultSeries& one : series_) {
    first_column_.push_back(column_count_);
    column_count_ += one.Width();
  }
  if (const int error = file_.Write(CsvHead(info, series_)); error != 0) {
    file_.Discard();
    ThrowFileProblem(file_.Path(), "write results", error);
  }
}

CsvResults::~CsvResults() {
  try {
    Close();
  } catch (const Error&) {
    // A destructor cannot report it; all that could be written is in the file.
  }
}

void CsvResults::Append(std::size_t series, double begin, double end, std::span<const double> values) {
  CheckRow(series_, series, begin, end, values);
  Line& line = LineAt(end);
  std::copy(values.begin(), values.end(), line.cells.begin() + static_cast<std::ptrdiff_t>(first_column_[series]));
  line.has_rows[series] = true;
}

void CsvResults::Note(const std::string& text) {
  if (const int error = file_.Write(CsvNote(text)); error != 0) {
    ThrowFileProblem(
        file_.Path(), "append results", error,
        stands_beside_ ? "the results of the earlier run are as they were" : "the rows until then are intact");
  }
}

CsvResults::Line& CsvResults::LineAt(double time) {
  auto place = waiting_.end();
  while (place != waiting_.begin() && !Before({std::prev(place)->time}, {time})) --place;
  if (place != waiting_.end() && SameTime({place->time}, {time})) return *place;
  Line line;
  if (!spare_.empty()) {
    line = std::move(spare_.back());
    spare_.pop_back();
  }
  line.time = time;
  line.cells.resize(column_count_);
  line.has_rows.assign(series_.size(), false);
  return *waiting_.insert(place, std::move(line));
}

void CsvResults::AppendText(const Line& line) {
  text_ += ResultTimeText(line.time);
  for (std::size_t i = 0; i < series_.size(); ++i) {
    for (std::size_t k = 0; k < series_[i].Width(); ++k) {
      text_ += ',';
      if (!line.has_rows[i]) continue;
      const double value = line.cells[first_column_[i] + k];
      AppendNumber(text_, IsMissing(value, series_[i].missing) ? kNotANumber : value);
    }
  }
  text_ += '\n';
}

void CsvResults::Commit(double until) {
  std::size_t lines = 0;
  text_.clear();
  while (lines < waiting_.size() && !Before({until}, {waiting_[lines].time})) {
    AppendText(waiting_[lines]);
    ++lines;
    if (text_.size() < kWriteAt) continue;
    WriteText(lines);
    lines = 0;
  }
  if (lines > 0) WriteText(lines);
}

void CsvResults::WriteText(std::size_t lines) {
  if (const int error = file_.Write(text_); error != 0) {
    ThrowFileProblem(file_.Path(), "append results", error,
                     stands_beside_ ? "the results of the earlier run are as they were"
                     : last_time_ == -kInfinity
                         ? "no row was written yet"
                         : fmt::format("the rows up to {} are intact", FormatIsoTime(Stamp{last_time_})));
  }
  text_.clear();
  if (!Before({last_time_}, {waiting_.front().time})) is_ordered_ = false;
  last_time_ = std::max(last_time_, waiting_[lines - 1].time);
  for (std::size_t i = 0; i < lines; ++i) spare_.push_back(std::move(waiting_[i]));
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(lines));
}

bool RepairCsv(const std::filesystem::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC));
  struct stat status = {};
  if (!file.IsOpen() || flock(file.Number(), LOCK_EX | LOCK_NB) != 0 || fstat(file.Number(), &status) != 0)
    return false;
  std::string begin(kCsvMark.size(), '\0');
  if (pread(file.Number(), begin.data(), begin.size(), 0) != static_cast<ssize_t>(begin.size()) || begin != kCsvMark) {
    return false;
  }
  std::string tail(1 << 16, '\0');
  for (off_t end = status.st_size; end > 0;) {
    const off_t from = std::max<off_t>(0, end - static_cast<off_t>(tail.size()));
    const ssize_t count = pread(file.Number(), tail.data(), static_cast<std::size_t>(end - from), from);
    if (count != end - from) return false;
    const std::size_t feed = std::string_view(tail).substr(0, static_cast<std::size_t>(count)).rfind('\n');
    if (feed != std::string_view::npos) {
      const off_t whole = from + static_cast<off_t>(feed) + 1;
      return whole < status.st_size && ftruncate(file.Number(), whole) == 0;
    }
    end = from;
  }
  return false;
}

void CsvResults::Replace(std::filesystem::path path) {
  file_.Sync();
  file_.MoveTo(std::move(path));
  stands_beside_ = false;
  SyncFolder(file_.Path().parent_path());
}

void CsvResults::Close() {
  if (!file_.IsOpen()) return;
  Commit(kInfinity);
  const bool is_there = file_.IsAtItsPath();
  file_.Close();
  if (!is_there) {
    throw FileError(
        {.file = file_.Path().string()},
        "expected the results to stay where they are, found that the file was removed or moved during the run",
        "take its rows from the NetCDF file beside it, or run again");
  }
  if (!is_ordered_) PutInOrder(file_.Path());
}

std::string CsvNote(std::string_view text) {
  return fmt::format("# note: {}\n", WithoutControls(text));
}

std::string CsvHead(const RunInfo& info, const std::vector<ResultSeries>& series) {
  std::string head(kCsvMark);
  head +=
      "1. Times are UTC; a mean, sum, minimum or maximum stands at the end of its span.\n"
      "# NaN: the value is missing. Empty: nothing was observed at that time.\n";
  AppendRemark(head, "title", info.title);
  AppendRemark(head, "source", info.source);
  AppendRemark(head, "history", info.history);
  AppendRemark(head, "comment", info.comment);
  for (const std::string& note : info.notes) head += CsvNote(note);
  for (const ResultSeries& one : series) AppendSeries(head, one);
  head += "time";
  for (const ResultSeries& one : series) {
    for (std::size_t i = 0; i < one.Width(); ++i) {
      head += ',';
      AppendCsvField(head, CsvHeading(one, i));
    }
  }
  head += '\n';
  return head;
}

ResultTable ReadCsvResults(const std::filesystem::path& path) {
  return CsvReader(path).Read();
}

}  // namespace openmi
