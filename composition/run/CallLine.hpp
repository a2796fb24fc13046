#pragma once

#include <cstddef>

namespace openmi {

/// One line of calls of a run. It mostly stays on one thread; where a family has a thread of its own (FamilyThread),
/// the line goes on there and comes back. What a run remembers of a line belongs to the line, not to the thread.
class CallLine {
 public:
  /// How the line does its work.
  enum class Manner {
    Plain,   ///< nothing of its run is under way beside it
    Shared,  ///< other lines of its run may be at work
    Alone    ///< the other lines of its run stand still meanwhile, in the middle of what they do
  };
  Manner manner = Manner::Plain;
  /// The lines that work together in one run have the same team; null: a line of no run.
  const void* team = nullptr;
  std::size_t task = 0;  ///< which of its team's; meaningless in Manner::Plain

  /// The line that this thread works for: its own, or the one that it entered.
  static CallLine& Current();

  /// While this object lives, its thread works for `line`.
  class Enter {
   public:
    explicit Enter(CallLine& line);
    ~Enter();
    Enter(const Enter&) = delete;
    Enter& operator=(const Enter&) = delete;

   private:
    CallLine* before_;
  };
};

}  // namespace openmi
