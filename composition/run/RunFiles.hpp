#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/record/RunRecord.hpp"
#include "composition/results/IResultWriter.hpp"
#include "composition/results/RunFolder.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

struct RunOptions;
class CsvResults;
class NetcdfResults;

/// The files that one run writes: the results folder, which it locks, and its CSV and NetCDF files.
class RunFiles {
 public:
  /// Locks the folder.
  /// \param file     borrowed
  /// \param options  borrowed
  /// \throws FileError  the folder is locked by another run, holds earlier results, or cannot be written
  RunFiles(const CompositionFile& file, const RunOptions& options);
  ~RunFiles();

  /// The absolute path, so that a component that changes the working folder does not move the files.
  const std::filesystem::path& Folder() const { return folder_.Folder(); }
  /// The path of a file in the folder as the user writes it.
  std::filesystem::path Shown(const std::filesystem::path& path) const;
  /// Whether the folder contains anything of an earlier run.
  bool HasEarlier() const;

  /// Makes the results files. If `overwrite` is set, writes them beside those of an earlier run until `TakePlace`.
  /// \throws FileError
  void Open(const std::vector<RecordedSeries>& series, bool overwrite);
  /// Receives rows that were written before.
  using Taker = std::function<void(std::size_t series, Stamp begin, Stamp end, std::span<const double> row)>;
  /// Continues the results of a run that ended early, after the first `journal_bytes` of its journal. Writes the CSV
  /// again from there, up to `until`, beside the existing file until `TakePlace`.
  /// \param until  Modified Julian Day, UTC
  /// \param take   receives all rows, in the order in which they were written
  /// \throws FileError    the files do not exist, or are in use
  /// \throws FormatError  they do not belong to the checkpoint
  void Reopen(const std::vector<RecordedSeries>& series, std::uint64_t journal_bytes, double until, const Taker& take);

  /// Whether earlier results no longer exist: this run's files have replaced them, or there were none.
  bool IsInPlace() const { return is_in_place_; }
  /// Replaces earlier results by what was written. A second call does nothing, or repeats what the first one failed to
  /// do.
  /// \throws FileError
  void TakePlace();
  /// Discards files that have not replaced earlier ones: earlier results stay as they are.
  void Drop();

  /// Appends a row to a series.
  /// \param begin  Modified Julian Day, UTC
  /// \param end    Modified Julian Day, UTC
  /// \param row    shape [elements of the series]; NaN where missing
  void Append(std::size_t series, double begin, double end, std::span<const double> row);
  /// Writes the rows until `until` (Modified Julian Day, UTC).
  /// \returns whether earlier results have to be replaced now, with `TakePlace`: the first row of this run is written
  bool Commit(double until);
  /// Records a change of the run from outside.
  /// \param text  one line, with its time
  void Note(const std::string& text);
  /// Syncs what was committed to the disk, so that a run can be resumed from here.
  /// \returns the length of the journal, bytes; no value if no results are written
  std::optional<std::uint64_t> Keep();
  /// Completes the files.
  /// \returns their paths
  std::vector<std::string> Close();
  /// Removes what a resumed run would need. To be called after the checkpoints are removed, since they depend on it.
  void Forget();
  const std::filesystem::path& ReportPath() const { return report_; }
  /// Writes the GeoPackage of the run, if the composition names one.
  /// \returns its path; empty: none was written
  /// \throws FileError  it cannot be written
  std::string WriteMap(const RunRecord& record);

 private:
  void Take(std::unique_ptr<CsvResults> csv, std::unique_ptr<NetcdfResults> netcdf, bool is_in_place);

  const CompositionFile& file_;
  const RunOptions& options_;
  RunFolder folder_;
  std::filesystem::path report_;
  std::filesystem::path csv_;
  std::filesystem::path nc_;
  std::filesystem::path map_;                // empty: no GeoPackage is to be written
  std::unique_ptr<CsvResults> csv_results_;  // both or none
  std::unique_ptr<NetcdfResults> netcdf_;
  bool is_in_place_ = true;
  bool csv_is_beside_ = false;  // the new CSV has not yet replaced the earlier one
  bool has_rows_ = false;       // of this run
  std::vector<std::string> paths_;
};

}  // namespace openmi
