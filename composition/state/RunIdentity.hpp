#pragma once

#include <string>
#include <utility>
#include <vector>

#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

/// What a checkpoint belongs to: the composition of the file with its variables replaced, the arguments in force, and
/// the code. Secrets are no part of it, not even as a hash, since a reader of the checkpoint could guess short ones.
///
/// Settings that do not change results (pace, checkpoints) do not count, nor do paths: a folder that was moved is the
/// same. For `start-time`, only the values in the files count, not those that the engine sets when a component starts
/// again in the middle.
class RunIdentity {
 public:
  /// Adds one fact.
  /// \param what      names it in messages: "the type of component 'creek'"
  /// \param is_shown  whether the value means something to readers of a message
  void Add(std::string what, std::string value, bool is_shown = true) {
    entries_.push_back({std::move(what), std::move(value), is_shown});
  }

  /// The differences between this identity and `now`, one sentence each; empty if there are none.
  std::vector<std::string> DifferencesTo(const RunIdentity& now) const;

  /// Writes the identity; Load reads it.
  void Save(StateWriter& writer) const;
  /// \throws FormatError
  void Load(StateReader& reader);

 private:
  struct Entry {
    std::string what;
    std::string value;
    bool is_shown = true;
  };
  std::vector<Entry> entries_;
};

/// Requires that a state belongs to the present run.
/// \param taken   the run that the state belongs to
/// \param now     the present run
/// \param file    for the message
/// \param remedy  what to do if they differ
/// \throws ArgumentError  the state belongs to another composition, other arguments or other libraries; the message
///   says which
void RequireSameRun(const RunIdentity& taken, const RunIdentity& now, const std::string& file,
                    const std::string& remedy);

}  // namespace openmi
