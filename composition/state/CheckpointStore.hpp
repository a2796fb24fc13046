#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "composition/state/Checkpoint.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// The checkpoints of one run, in its results folder: `<name>.checkpoint` is the newest one; `<name>.checkpoint.1`, ...
/// are earlier ones. When the run is complete, the mark `<name>.complete` takes their place.
class CheckpointStore {
 public:
  /// \param folder  of the results
  /// \param name    id of the composition
  /// \param keep    number of checkpoints to keep, at least 1
  CheckpointStore(std::filesystem::path folder, std::string name, int keep);

  bool HasAny() const;
  /// Writes the newest checkpoint. The existing ones move down by one, and the oldest is removed.
  /// \throws FileError  the disk is full, or the like; the existing checkpoints are unchanged
  void Write(const Checkpoint& checkpoint);
  /// Removes all checkpoints and writes this one.
  void Begin(const Checkpoint& checkpoint);
  /// Reads the newest checkpoint that is complete and that `take` accepts.
  /// \param problems  receives a warning for each checkpoint that is refused
  /// \param take      throws FormatError to refuse a checkpoint; then the one before is read
  /// \returns no value if there are no checkpoints
  /// \throws FormatError  there are checkpoints, and none is valid
  std::optional<Checkpoint> ReadNewest(Problems& problems,
                                       const std::function<void(const Checkpoint&)>& take = {}) const;
  /// Removes all checkpoints, and the mark.
  void Remove();
  /// Writes the mark, and removes all checkpoints.
  /// \param end  with hashes of saved states in place of states
  /// \throws FileError  it cannot be written; the checkpoints stay
  void Complete(const Checkpoint& end);
  /// The mark; no value if there is none that can be read.
  std::optional<Checkpoint> ReadComplete() const;

 private:
  std::filesystem::path File(int age) const;
  std::filesystem::path Mark() const { return folder_ / (name_ + ".complete"); }
  void RemoveCheckpoints();
  static constexpr int kMost = 99;

  std::filesystem::path folder_;
  std::string name_;
  int keep_;
};

}  // namespace openmi
