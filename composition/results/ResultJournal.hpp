#pragma once

#include <string>
#include <vector>

#include "composition/results/AppendFile.hpp"
#include "composition/results/IResultWriter.hpp"
#include "composition/results/ResultSeries.hpp"

namespace openmi {

/// Writes the rows of a run in the order in which they come, in a form that is cheap to write and readable after any
/// cut.
///
/// A journal is a chain of blocks: a head of 24 bytes (kind, number of the series, length, check sum) and a body padded
/// to 8 bytes. It starts with the run and the series; rows and notes follow. Words are those of the machine (64 bit,
/// little-endian). An incomplete block or a wrong check sum ends the journal; `JournalReader` reads up to there.
///
/// The file is locked while it is written, so that no process treats it as the journal of a killed run.
class ResultJournal final : public IResultWriter {
 public:
  /// \throws FileError    the file exists and `existing` refuses that, or it cannot be created
  /// \throws FormatError  see `CheckResultSeries`
  ResultJournal(std::filesystem::path path, const RunInfo& info, std::vector<ResultSeries> series,
                AppendFile::Existing existing);
  /// Continues a journal after its first `size` bytes.
  ///
  /// What follows them is removed when the first new block is written, or by `CutBack`.
  /// \throws FileError    the journal does not exist, or another process writes it
  /// \throws FormatError  the bytes are not a complete journal of these series
  ResultJournal(std::filesystem::path path, std::vector<ResultSeries> series, std::uint64_t size);
  ~ResultJournal() override;

  void Append(std::size_t series, double begin, double end, std::span<const double> values) override;
  /// Adds a note. In a continued journal without new blocks the note waits for the first `Commit`.
  void Note(const std::string& text) override;
  /// Writes all rows that are not written yet, also those that end after `until`.
  void Commit(double until) override;
  /// Writes the remaining rows. The file stays locked until `Release` or the destruction of this object.
  void Close() override;
  /// Closes the file and releases its lock.
  void Release();
  /// Removes what follows the bytes from which the journal continues.
  /// \throws FileError  the file cannot be cut
  void CutBack();
  /// Moves the file to another path and replaces what is there; it stays open and locked.
  /// \throws FileError  the file cannot be moved
  void MoveTo(std::filesystem::path path) { file_.MoveTo(std::move(path)); }
  /// Closes the file and removes it.
  void Discard() { file_.Discard(); }

  /// The number of bytes that the operating system has.
  std::uint64_t Size() const { return file_.Size(); }
  /// Passes them to the disk.
  /// \throws FileError  the disk failed
  void Sync() { file_.Sync(); }

  const std::filesystem::path& Path() const { return file_.Path(); }

 private:
  void Flush();

  std::vector<ResultSeries> series_;
  AppendFile file_;
  std::string pending_;  // blocks not yet written
  double last_end_;      // of the last row in the file, for messages
  double pending_end_;
  bool is_cut_due_ = false;  // what follows the bytes to continue from is still in the file
};

}  // namespace openmi
