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
#include "composition/results/IResultWriter.hpp"
#include "composition/results/RunFolder.hpp"
#include "composition/run/RunRecord.hpp"
#include "timespace/Stamp.hpp"

namespace openmi {

struct RunOptions;
class CsvResults;
class NetcdfResults;

/// The files one run writes: the folder it holds, and its CSV and NetCDF.
class RunFiles {
 public:
  /// Takes the folder.
  /// \throws FileError  the folder is taken, holds earlier results, or cannot be written
  RunFiles(const CompositionFile& file, const RunOptions& options);
  ~RunFiles();

  /// The whole path, so that a component that changes the working folder moves no file.
  const std::filesystem::path& Folder() const { return folder_.Folder(); }
  /// The path of a file in the folder as the user writes it.
  std::filesystem::path Shown(const std::filesystem::path& path) const;
  /// Whether there is anything of an earlier run.
  bool HasEarlier() const;

  /// Makes the results files; where `overwrite` is set, beside those of an earlier run until `TakePlace`.
  /// \throws FileError
  void Open(const std::vector<RecordedSeries>& series, bool overwrite);
  /// Hears rows that were written before.
  using Taker = std::function<void(std::size_t series, Stamp begin, Stamp end, std::span<const double> row)>;
  /// Goes on with the results of a run that ended early, after the first `journal_bytes` of its journal: the CSV is
  /// written anew from there, up to `until` (Modified Julian Day, UTC), beside the one that is there until `TakePlace`;
  /// `take` is told all rows in the order in which they were written.
  /// \throws FileError    the files are not there, or taken
  /// \throws FormatError  they are not those of the checkpoint
  void Reopen(const std::vector<RecordedSeries>& series, std::uint64_t journal_bytes, double until, const Taker& take);

  /// Whether earlier results are no longer there: this run's files have taken their place, or there were none.
  bool IsInPlace() const { return is_in_place_; }
  /// Puts what was written in the place of earlier results. A second call does nothing, or what the first one failed
  /// to do. \throws FileError
  void TakePlace();
  /// Gives up what has not taken its place: earlier results stay as they are.
  void Drop();

  void Append(std::size_t series, double begin, double end, std::span<const double> row);
  /// Writes the rows until then. \returns whether earlier results have to give way now, with `TakePlace`: the first
  /// row of this run is written
  bool Commit(double until);
  /// Writes down what changed the run from outside. \param text  one line, with its time
  void Note(const std::string& text);
  /// Hands what was committed to the disk, and keeps it for whoever goes on from here.
  /// \returns how much of the journal that is; nothing where no results are written
  std::optional<std::uint64_t> Keep();
  /// \returns the paths of the completed files
  std::vector<std::string> Close();
  /// Gives up what a run that goes on from here would need. After its checkpoints are gone: they lean on it.
  void Forget();
  const std::filesystem::path& ReportPath() const { return report_; }

 private:
  void Take(std::unique_ptr<CsvResults> csv, std::unique_ptr<NetcdfResults> netcdf, bool is_in_place);

  const CompositionFile& file_;
  const RunOptions& options_;
  RunFolder folder_;
  std::filesystem::path report_;
  std::filesystem::path csv_;
  std::filesystem::path nc_;
  std::unique_ptr<CsvResults> csv_results_;  // both or none
  std::unique_ptr<NetcdfResults> netcdf_;
  bool is_in_place_ = true;
  bool csv_is_beside_ = false;  // it has not yet taken the place of the earlier one
  bool has_rows_ = false;       // of this run
  std::vector<std::string> paths_;
};

}  // namespace openmi
