#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "composition/results/AppendFile.hpp"
#include "composition/results/IResultWriter.hpp"
#include "composition/results/ReadResults.hpp"
#include "composition/results/ResultSeries.hpp"

namespace openmi {

/// Writes the rows of a run as one table of comma-separated values.
///
/// Lines that start with '#' describe the columns. Then come the heading, `time,creek.discharge[fp-27] (m3 s-1),...`,
/// and a line for each time with an observation: the time of an instant or the end of a span, in UTC. A cell is empty
/// if its series has no row at that time, and NaN if it has a row and the value is missing. Lines end with a line feed.
/// See docs/results.md.
///
/// A line is written as a whole when its time is committed. A row that comes after its time was committed is written as
/// a separate line further down; `Close` sorts the lines.
class CsvResults final : public IResultWriter {
 public:
  /// \throws FileError    there are earlier results and `existing` refuses them, or the file cannot be created
  /// \throws FormatError  see `CheckResultSeries`
  CsvResults(std::filesystem::path path, const RunInfo& info, std::vector<ResultSeries> series,
             AppendFile::Existing existing = AppendFile::Existing::Refuse);
  /// Closes the file and ignores errors. Call `Close` to get them.
  ~CsvResults() override;

  void Append(std::size_t series, double begin, double end, std::span<const double> values) override;
  void Note(const std::string& text) override;
  void Commit(double until) override;
  void Close() override;
  /// Passes what was committed to the disk, and replaces the file at `path` by this one.
  /// \throws FileError  the file cannot be moved
  void Replace(std::filesystem::path path);
  /// States that the file will replace earlier results with `Replace`; if it cannot be written, they are kept.
  void StandBeside() { stands_beside_ = true; }
  /// Closes the file and removes it.
  void Discard() { file_.Discard(); }

 private:
  /// A line that is not written yet.
  struct Line {
    double time = 0.0;
    std::vector<double> cells;   // shape [columns]
    std::vector<bool> has_rows;  // shape [series]
  };

  Line& LineAt(double time);
  void AppendText(const Line& line);
  void WriteText(std::size_t lines);

  std::vector<ResultSeries> series_;
  std::vector<std::size_t> first_column_;  // shape [series]
  std::size_t column_count_ = 0;
  AppendFile file_;
  std::vector<Line> waiting_;  // ascending
  std::vector<Line> spare_;    // reused lines, so that a steady run allocates nothing
  std::string text_;
  double last_time_;  // of the last line in the file
  bool is_ordered_ = true;
  bool stands_beside_ = false;
};

/// Removes an incomplete row at the end of a results file whose run was killed.
///
/// Other programs could otherwise read a part of a number as a number. Third-party files, files that a run is writing,
/// and files that are not writable are not changed.
/// \returns whether anything was removed
bool RepairCsv(const std::filesystem::path& path);

/// The start of every results file that this project writes.
inline constexpr std::string_view kCsvMark = "# OpenMI results, form ";

/// The comment lines and the heading of a results file.
std::string CsvHead(const RunInfo& info, const std::vector<ResultSeries>& series);

/// A comment line that states what changed the run from outside.
std::string CsvNote(std::string_view text);

/// Reads a table of comma-separated values; see `ReadResults`. Times without a zone are UTC.
ResultTable ReadCsvResults(const std::filesystem::path& path);

}  // namespace openmi
