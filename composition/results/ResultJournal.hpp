#pragma once

#include <string>
#include <vector>

#include "composition/results/AppendFile.hpp"
#include "composition/results/IResultWriter.hpp"
#include "composition/results/ResultSeries.hpp"
#include "composition/results/RunInfo.hpp"

namespace openmi {

/// Keeps the rows of a run in the order in which they come, in a form that is cheap to write and safe to cut anywhere.
///
/// A journal is a chain of blocks: a head of 24 bytes (kind, number of the series, length, check sum) and a body padded
/// to 8 bytes. It begins with the run and the series and goes on with rows and notes. Words are those of the machine
/// (64 bit, little-endian). A block that is cut or whose check sum is wrong ends the journal; `JournalReader` reads up
/// to there. While it is written its file is locked, so that nobody takes it for one left behind.
class ResultJournal final : public IResultWriter {
 public:
  /// \throws FileError    the file is there already and `existing` refuses that, or it cannot be made
  /// \throws FormatError  see `CheckResultSeries`
  ResultJournal(std::filesystem::path path, const RunInfo& info, std::vector<ResultSeries> series,
                AppendFile::Existing existing);
  /// Goes on with a journal after its first `size` bytes. What follows them is cut off once there is something to
  /// write in its place, or with `CutBack`.
  /// \throws FileError    it is not there; somebody else writes it
  /// \throws FormatError  the bytes are no whole journal of these series
  ResultJournal(std::filesystem::path path, std::vector<ResultSeries> series, std::uint64_t size);
  ~ResultJournal() override;

  void Append(std::size_t series, double begin, double end, std::span<const double> values) override;
  /// Where the journal goes on and nothing was written yet, the note waits for the first `Commit`.
  void Note(const std::string& text) override;
  /// Writes all rows in hand, also those that end later.
  void Commit(double until) override;
  /// Writes the rest. The file stays locked until `Release` or the end of this object.
  void Close() override;
  void Release();
  /// Cuts off what is to go. \throws FileError
  void CutBack();
  /// Gives the file another path, in the place of what is there; it stays open and locked. \throws FileError
  void MoveTo(std::filesystem::path path) { file_.MoveTo(std::move(path)); }
  /// Closes the file and takes it away.
  void Discard() { file_.Discard(); }

  /// How many bytes are with the operating system.
  std::uint64_t Size() const { return file_.Size(); }
  /// Hands them to the disk. \throws FileError
  void Sync() { file_.Sync(); }

  const std::filesystem::path& Path() const { return file_.Path(); }

 private:
  void Flush();

  std::vector<ResultSeries> series_;
  AppendFile file_;
  std::string pending_;  // blocks not yet written
  double last_end_;      // of the last row in the file, for messages
  double pending_end_;
  bool is_cut_due_ = false;  // what follows the bytes to go on from is still there
};

}  // namespace openmi
