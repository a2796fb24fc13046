#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "composition/results/AppendFile.hpp"
#include "composition/results/IResultWriter.hpp"
#include "composition/results/ResultJournal.hpp"
#include "composition/results/ResultSeries.hpp"

namespace openmi {

/// Writes the rows of a run as NetCDF after the CF conventions [CF-1.8].
///
/// During the run the rows are in a journal, `<path>.journal`; `Close` makes the NetCDF file from it. If the run was
/// killed, or the disk had no space for the file, the journal stays, and the next program that opens the results
/// completes them (`RebuildFromJournal`, which `ReadResults` and `RunFolder` call).
///
/// `BuildNetcdf` describes the file.
class NetcdfResults final : public IResultWriter {
 public:
  /// Earlier results that are to be overwritten stay until `TakePlace`.
  /// \throws FileError    there are earlier results and `existing` refuses them, or the journal cannot be created
  /// \throws FormatError  see `CheckResultSeries`
  NetcdfResults(std::filesystem::path path, const RunInfo& info, std::vector<ResultSeries> series,
                AppendFile::Existing existing = AppendFile::Existing::Refuse);
  /// Continues the results of a run that ended early, after the first `journal_bytes` bytes of its journal.
  ///
  /// `TakePlace` removes a NetCDF file that was made from the journal meanwhile.
  /// \throws FileError    the journal does not exist, or another process writes it
  /// \throws FormatError  the bytes are not a complete journal of these series
  static std::unique_ptr<NetcdfResults> Reopen(std::filesystem::path path, std::vector<ResultSeries> series,
                                               std::uint64_t journal_bytes);
  /// Closes the file; after an error the journal stays. Results that did not replace earlier ones are dropped.
  ~NetcdfResults() override;

  /// Replaces earlier results by what was written; `Close` does the same. A second call does nothing.
  /// \throws FileError  the files cannot be moved or removed
  void TakePlace();

  void Append(std::size_t series, double begin, double end, std::span<const double> values) override;
  void Note(const std::string& text) override;
  void Commit(double until) override;
  void Close() override;

  /// Gives the journal a second name, `<path>.journal.kept`.
  ///
  /// A program that makes the NetCDF file meanwhile then does not remove the journal, which a run needs to continue.
  /// Does nothing if the file system has no such names (hard links).
  void KeepJournal();
  /// Removes that name: no run will continue from here.
  void ForgetJournal();
  /// The number of bytes of the journal that the operating system has.
  std::uint64_t JournalBytes() const { return journal_.Size(); }
  const std::filesystem::path& JournalPath() const { return journal_.Path(); }
  /// Passes the journal to the disk.
  /// \throws FileError  the disk failed
  void Sync() { journal_.Sync(); }

 private:
  struct GoesOn {};
  NetcdfResults(GoesOn, std::filesystem::path path, std::vector<ResultSeries> series, std::uint64_t journal_bytes);

  std::filesystem::path path_;
  ResultJournal journal_;
  bool is_closed_ = false;
  bool goes_on_ = false;     // continues the journal of a run that ended early
  bool is_in_place_ = true;  // false: earlier results are still at the path
};

/// The journal of the NetCDF file at `netcdf`.
std::filesystem::path JournalOf(const std::filesystem::path& netcdf);

/// Makes the NetCDF file from the journal of a killed run in one step, and removes the journal.
///
/// Replaces an earlier file of that name.
/// \param netcdf  path of the NetCDF file
/// \returns whether a file was made; false if there is no journal, if a run is still writing it, or if the run ended
///   before it wrote which series it has
/// \throws FileError    a file cannot be read or written
/// \throws FormatError  the file at the path of the journal is not a journal
bool RebuildFromJournal(const std::filesystem::path& netcdf);

}  // namespace openmi
