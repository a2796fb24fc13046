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
#include "openmi/sdk/IFamily.hpp"
#include "timespace/ResultsFolder.hpp"
#include "timespace/StatefulComponent.hpp"

namespace openmi {

/// Writes the values of its inputs into a CSV file with the headings of a run's results, which `CsvSeries` reads. Type
/// `openmi.Recorder`.
///
/// Each row is passed to the operating system before its step ends. An earlier file is replaced only if the argument
/// `overwrite` allows it, or if this component wrote that file in its last run. The earlier file stays until the first
/// row of the new one is written. When a state is restored, the file is cut back to its length at that state; in a
/// resumed run, with the first row.
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
  /// Writes the headings as the first line of the file.
  void WriteHead();
  /// Opens the file and locks it, so that no other component writes it.
  /// \throws FileError  the file cannot be opened or locked
  void Open(const std::string& path, const char* mode);
  [[noreturn]] void ThrowNotOpened(const std::string& path, int problem) const;
  /// Opens a new file beside the earlier one, with the same permissions.
  /// \returns false if no file can be created in the folder
  bool OpenPart(unsigned int mode);
  /// Replaces the earlier file by the new one.
  void TakePlace();
  /// Removes a new file that has no row.
  void DropPart();
  /// Cuts off what follows the rows of the restored state.
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
  std::vector<std::vector<std::string>> ids_;  // of the elements of each input; one empty id if there are no elements
  std::unique_ptr<std::FILE, CloseFile> stream_;
  std::unique_ptr<std::FILE, CloseFile> earlier_;                    // stays locked while the new file is beside it
  std::optional<std::pair<std::uint64_t, std::uint64_t>> own_file_;  // identity of the file of the last run
  std::string line_;
  std::string head_;
  bool is_head_due_ = false;
  bool is_cut_due_ = false;
  bool has_stepped_ = false;         // since Start
  std::string part_;                 // path of the new file beside the earlier one; empty: the file has its final path
  std::int64_t written_ = 0;         // bytes
  mutable std::int64_t synced_ = 0;  // bytes that are on the disk
  bool expects_restore_ = false;
};

}  // namespace openmi
