#pragma once

#include <string>
#include <utility>
#include <vector>

#include "composition/run/Composition.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi {

/// What a checkpoint belongs to: the composition as its file says with variables put in, the arguments in force, and
/// the code. Secrets are no part of it, not even as a hash: whoever has the checkpoint could try out short ones.
///
/// What does not change results (pace, checkpoints) does not count, nor do paths: a moved folder is the same. Of
/// `start-time` counts what the files say, not what the engine sets when a component begins again in the middle.
class RunIdentity {
 public:
  /// \param composition  loaded
  /// \param mode         in force
  static RunIdentity Of(const Composition& composition, RunMode mode);

  /// What is other now than here, a sentence each; empty if nothing is.
  std::vector<std::string> DifferencesTo(const RunIdentity& now) const;

  void Save(StateWriter& writer) const;
  /// \throws FormatError
  void Load(StateReader& reader);

 private:
  struct Entry {
    std::string what;
    std::string value;
    bool is_shown = true;  ///< the value means something to people
  };
  void Add(std::string what, std::string value, bool is_shown = true) {
    entries_.push_back({std::move(what), std::move(value), is_shown});
  }
  std::vector<Entry> entries_;
};

/// \param taken   what a state belongs to
/// \param remedy  what to do where it differs
/// \throws ArgumentError  it belongs to another composition, other arguments or other libraries: says which
void RequireSameRun(const RunIdentity& taken, const RunIdentity& now, const std::string& file,
                    const std::string& remedy);

}  // namespace openmi
