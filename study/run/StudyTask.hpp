#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "study/run/MemberResult.hpp"

namespace openmi {

/// A member that is to run, as a worker gets it.
struct StudyTask {
  std::uint64_t member = 0;  ///< from 0
  int attempt = 1;           ///< which start of this member it is, from 1
  MemberValues values = {};

  /// The name of the folder for what its components write: no other task has it, also if a member runs twice at the
  /// same time, as a guess of a search and as what came.
  std::string Folder() const { return std::to_string(member + 1) + "-" + std::to_string(attempt); }

  void Save(StateWriter& writer) const;
  /// \throws FormatError
  void Load(StateReader& reader);
};

/// What became of a task.
struct StudyReply {
  MemberResult result;
  std::vector<std::string> shapes = {};  ///< bytes, of `result.series`; empty: the worker sent them before
  std::vector<Observation> observations = {};
  bool was_killed = false;  ///< by SIGKILL or SIGTERM, or because memory was short: not certainly by its member

  void Save(StateWriter& writer) const;
  /// \throws FormatError
  void Load(StateReader& reader);
};

}  // namespace openmi
