#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "composition/state/Checkpoint.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// The checkpoints of one run, beside its results: `<name>.checkpoint`, and the ones before as `.checkpoint.1`, ...
class CheckpointStore {
 public:
  /// \param keep  how many to keep, at least 1
  CheckpointStore(std::filesystem::path folder, std::string name, int keep);

  bool HasAny() const;
  /// Writes the newest one; those there move down, and the oldest goes.
  /// \throws FileError  the disk is full, or the like: those there are as they were
  void Write(const Checkpoint& checkpoint);
  /// The only one from now on.
  void Begin(const Checkpoint& checkpoint);
  /// Reads from the newest one down until one is whole and `take` does not throw FormatError for it; each that is
  /// refused is a warning.
  /// \returns nothing if there are no checkpoints
  /// \throws FormatError  there are, and none is good
  std::optional<Checkpoint> ReadNewest(Problems& problems,
                                       const std::function<void(const Checkpoint&)>& take = {}) const;
  void Remove();

 private:
  std::filesystem::path File(int age) const;
  static constexpr int kMost = 99;

  std::filesystem::path folder_;
  std::string name_;
  int keep_;
};

}  // namespace openmi
