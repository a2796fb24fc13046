#pragma once

#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "composition/run/RunCheckpoints.hpp"
#include "composition/run/RunFiles.hpp"

namespace openmi {

/// The results of one run on their way to its files and checkpoints, if it writes any. They replace those of an earlier
/// run once the first row is written.
class RunResults {
 public:
  /// Takes the files, which are made by OpenAnew if the run begins anew.
  void Take(std::unique_ptr<RunFiles> files, std::unique_ptr<RunCheckpoints> checkpoints, bool begins_anew,
            bool overwrites);
  /// Null: no files are written.
  RunFiles* Files() const { return files_.get(); }
  /// Null: no files are written.
  RunCheckpoints* Checkpoints() const { return checkpoints_.get(); }
  /// Whether the files are to be made when all components are prepared.
  bool BeginsAnew() const { return begins_anew_; }
  /// Whether the files are to be made over those of an earlier run.
  bool Overwrites() const { return begins_anew_ && overwrites_; }
  bool HasFailed() const { return failure_ != nullptr; }
  /// Throws what the files threw, if they failed.
  void RethrowFailure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  /// Makes the files of a run from its start, and writes the rows that were observed before. Where earlier files are to
  /// be overwritten, the new ones are written beside them.
  /// \throws FileError
  void OpenAnew(const std::vector<RecordedSeries>& series);
  /// Replaces the files of an earlier run by those of this run, once this run has written its first row.
  /// \throws FileError
  void GiveWay();
  /// Writes a row; a failure is thrown by the next Commit.
  void Write(std::size_t series, Stamp begin, Stamp end, std::span<const double> row);
  /// Writes a line; a failure is thrown by the next Commit.
  void Note(const std::string& text);
  /// Unlocks the folder, for another run, when everything is written.
  void Release() {
    checkpoints_.reset();
    files_.reset();
  }
  /// Writes the rows until `until`.
  /// \throws FileError  this or an earlier row cannot be written
  void Commit(Stamp until) {
    if (files_) CommitRows(until);
  }

 private:
  /// Does `work`; what it throws is kept as the failure, and thrown.
  template <class Work>
  void Noting(const Work& work);
  void CommitRows(Stamp until);
  /// A row that was observed before the files were made: components publish rows while they are prepared.
  struct EarlyRow {
    std::size_t series;
    Stamp begin, end;
    std::vector<double> values;
  };

  std::unique_ptr<RunFiles> files_;
  std::unique_ptr<RunCheckpoints> checkpoints_;
  std::vector<EarlyRow> early_rows_;
  bool begins_anew_ = false;
  bool overwrites_ = false;
  std::exception_ptr failure_;  // possibly of a row that a component published
};

}  // namespace openmi
