#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "components/ColumnSpec.hpp"
#include "components/ElementArguments.hpp"
#include "openmi/sdk/IResumes.hpp"
#include "timespace/ResultsFolder.hpp"
#include "timespace/StatefulComponent.hpp"

namespace openmi {

/// Writes what its inputs are given into a CSV file headed like the results of a run, which CsvSeries reads. Type
/// `openmi.Recorder`.
///
/// Every row is with the operating system when its step has ended. An earlier file is never written over unless the
/// argument `overwrite` says so, or it is the one that this component wrote itself when it ran before; it stays until
/// the first row of the new one is written. Where a state is restored the file is cut back to where it was then; in a
/// run that is resumed, with its first row.
class Recorder final : public StatefulSteppingComponent, public IResumes {
 public:
  Recorder();
  ~Recorder() override;
  void ExpectRestore() override { expects_restore_ = true; }

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const;
  };

  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  void End() override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;
  void WriteLine();
  /// Writes the line of headings, as the first one of the file.
  void WriteHead();
  /// Opens the file and locks it, so that no other component writes it. \throws FileError
  void Open(const std::string& path, const char* mode);
  [[noreturn]] void ThrowNotOpened(const std::string& path, int problem) const;
  /// Opens a new file beside the earlier one, with its mode. \returns false  no file can be made in its folder
  bool OpenPart(unsigned int mode);
  /// Puts the new file in the place of the earlier one.
  void TakePlace();
  /// Takes away a new file that never had a row.
  void DropPart();
  /// Cuts off what follows the rows of the state that was restored.
  void CutBack();
  void ExpectStillThere() const;
  std::vector<ColumnSpec> Items() const;

  std::string FilePath() const { return folder_.PathOf(file_.Value(), PathOf(file_.Value())); }

  Argument<std::string> items_, unit_, asks_, file_;
  ResultsFolder folder_;
  ElementArguments elements_;
  Argument<bool> overwrite_;
  std::vector<ArrayInput> inputs_;
  std::vector<ColumnSpec> specs_;
  std::vector<std::vector<std::string>> ids_;  // of the elements of each input; one empty id without elements
  std::unique_ptr<std::FILE, CloseFile> stream_;
  std::unique_ptr<std::FILE, CloseFile> earlier_;  // which stays locked while the new file is beside it
  std::optional<std::pair<std::uint64_t, std::uint64_t>> own_file_;  // of the last run
  std::string line_;
  std::string head_;
  bool is_head_due_ = false;
  bool is_cut_due_ = false;
  bool has_stepped_ = false;         // since Start
  std::string part_;                 // path of the new file while the earlier one is still there; empty: it has its own
  std::int64_t written_ = 0;         // bytes
  mutable std::int64_t synced_ = 0;  // of them, how many the disk has
  bool expects_restore_ = false;
};

}  // namespace openmi
