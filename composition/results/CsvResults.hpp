#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "composition/results/AppendFile.hpp"
#include "composition/results/IResultWriter.hpp"
#include "composition/results/ResultSeries.hpp"
#include "composition/results/RunInfo.hpp"

namespace openmi {

/// Keeps the rows of a run as one table of comma-separated values.
///
/// Lines that begin with '#' say what the columns are. Then comes the heading, `time,creek.discharge[fp-27] (m3
/// s-1),...`, and a line for each time at which anything was observed: the time of an instant, the end of a span, in
/// UTC. A cell is empty where its series has no row at that time, and NaN where it has one and the value is missing.
/// Lines end with a line feed. See docs/results.md.
///
/// A line is written when its time is committed, in whole. A row that comes after its time was committed stands in a
/// line of its own further down until `Close`, which puts the lines in order.
class CsvResults final : public IResultWriter {
 public:
  /// \throws FileError    there are earlier results and `existing` refuses them, or the file cannot be made
  /// \throws FormatError  see `CheckResultSeries`
  CsvResults(std::filesystem::path path, const RunInfo& info, std::vector<ResultSeries> series,
             AppendFile::Existing existing = AppendFile::Existing::Refuse);
  /// Closes; an error is lost. Whoever wants to know calls `Close`.
  ~CsvResults() override;

  void Append(std::size_t series, double begin, double end, std::span<const double> values) override;
  void Note(const std::string& text) override;
  void Commit(double until) override;
  void Close() override;
  /// Hands what was committed to the disk, and puts the file in the place of the one at `path`. \throws FileError
  void Replace(std::filesystem::path path);
  /// Says that the file is to take the place of earlier results, with `Replace`: where it cannot be written, they stay.
  void StandBeside() { stands_beside_ = true; }
  /// Closes the file and takes it away.
  void Discard() { file_.Discard(); }

 private:
  /// A line to be.
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
  std::vector<Line> spare_;    // so that steady runs allocate nothing
  std::string text_;
  double last_time_;  // of the last line in the file
  bool is_ordered_ = true;
  bool stands_beside_ = false;
};

/// Takes a row away from the end of a results file that was cut when its run was killed, so that other programs do not
/// take a part of a number for a number. Files of others, those that a run is writing, and those that may not be
/// written to are left as they are. \returns whether anything was taken away
bool RepairCsv(const std::filesystem::path& path);

}  // namespace openmi
