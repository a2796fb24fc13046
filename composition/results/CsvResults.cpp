#include "composition/results/CsvResults.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>

#include "composition/results/CsvHead.hpp"
#include "composition/results/CsvText.hpp"
#include "composition/results/FileProblem.hpp"
#include "composition/results/ReadCsvResults.hpp"
#include "composition/results/RowRules.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/Iso8601.hpp"
#include "timespace/Stamp.hpp"

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
                         : fmt::format("the rows up to {} are intact", FormatIsoTime(last_time_)));
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

}  // namespace openmi
