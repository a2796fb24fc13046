#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "composition/results/AppendFile.hpp"
#include "composition/results/IResultWriter.hpp"
#include "composition/results/ResultJournal.hpp"
#include "composition/results/ResultSeries.hpp"
#include "composition/results/RunInfo.hpp"

namespace openmi {

/// Keeps the rows of a run as NetCDF after the CF conventions [CF-1.8].
///
/// While the run goes on they stand in a journal, `<path>.journal`; `Close` makes the NetCDF file of it. Where a run
/// was killed, or the disk had no room for the file, the journal stays, and whatever opens the results next completes
/// them
/// (`RebuildFromJournal`; `ReadResults` and `RunFolder` do it by themselves).
///
/// The file is of the classic kind (64-bit offset; 64-bit data where a variable needs more than 4 GiB): every NetCDF
/// library reads it. Where `RunInfo::compression` says so it is netCDF-4, in compressed chunks. Series with the same
/// times share a time dimension, series with the same elements a dimension of elements. Times are seconds since the day
/// of the first one; a span stands at its end and has bounds. See docs/results.md.
class NetcdfResults final : public IResultWriter {
 public:
  /// Results that are to be overwritten stay as they are until `TakePlace`.
  /// \throws FileError    there are earlier results and `existing` refuses them, or the journal cannot be made
  /// \throws FormatError  see `CheckResultSeries`
  NetcdfResults(std::filesystem::path path, const RunInfo& info, std::vector<ResultSeries> series,
                AppendFile::Existing existing = AppendFile::Existing::Refuse);
  /// Goes on with the results of a run that ended early, after the first `journal_bytes` of its journal. A NetCDF file
  /// that somebody made of the journal meanwhile goes with `TakePlace`.
  /// \throws FileError    the journal is not there, or somebody else writes it
  /// \throws FormatError  the bytes are no whole journal of these series
  static std::unique_ptr<NetcdfResults> Reopen(std::filesystem::path path, std::vector<ResultSeries> series,
                                               std::uint64_t journal_bytes);
  /// Closes; an error then leaves the journal behind. Results that never took the place of earlier ones are dropped.
  ~NetcdfResults() override;

  /// Puts what was written in the place of earlier results; `Close` does it as well. A second call does nothing.
  /// \throws FileError
  void TakePlace();

  void Append(std::size_t series, double begin, double end, std::span<const double> values) override;
  void Note(const std::string& text) override;
  void Commit(double until) override;
  void Close() override;

  /// Gives the journal a second name, `<path>.journal.kept`, so that whoever makes the NetCDF file of it meanwhile
  /// leaves what a run needs that goes on. Where the file system has no such names, nothing happens.
  void KeepJournal();
  /// Takes that name away: nobody is to go on from here.
  void ForgetJournal();
  /// How much of the journal is with the operating system.
  std::uint64_t JournalBytes() const { return journal_.Size(); }
  const std::filesystem::path& JournalPath() const { return journal_.Path(); }
  /// Hands the journal to the disk. \throws FileError
  void Sync() { journal_.Sync(); }

 private:
  struct GoesOn {};
  NetcdfResults(GoesOn, std::filesystem::path path, std::vector<ResultSeries> series, std::uint64_t journal_bytes);

  std::filesystem::path path_;
  ResultJournal journal_;
  bool is_closed_ = false;
  bool goes_on_ = false;     // with the journal of a run that ended early
  bool is_in_place_ = true;  // else earlier results are still there
};

/// The journal of the NetCDF file at `netcdf`.
std::filesystem::path JournalOf(const std::filesystem::path& netcdf);

/// Makes the NetCDF file of a journal that was left behind, in one step (an earlier file of that name is replaced), and
/// removes the journal.
/// \param netcdf  path of the NetCDF file
/// \returns whether a file was made; false where there is no journal, where a run is still writing it, or where the run
///          was ended before it said what it was going to write
/// \throws FileError, FormatError
bool RebuildFromJournal(const std::filesystem::path& netcdf);

}  // namespace openmi
