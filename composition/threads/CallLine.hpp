#pragma once

#include <cstddef>

namespace openmi {

/// One line of calls of a run. It mostly stays on one thread. Where a family has its own thread (FamilyThread), the
/// line continues there and comes back. What a run remembers about a line belongs to the line, not to the thread.
class CallLine {
 public:
  /// Whether other lines of the same run may run at the same time.
  enum class Manner {
    Plain,   ///< no other line of its run is active
    Shared,  ///< other lines of its run may be active
    Alone    ///< the other lines of its run stand still, in the middle of their tasks
  };
  Manner manner = Manner::Plain;
  /// Lines that work together in one run have the same team. Null: the line belongs to no run.
  const void* team = nullptr;
  std::size_t task = 0;  ///< index of its task within the team; meaningless in Manner::Plain

  /// The line that this thread works for: its own, or the one that it entered.
  static CallLine& Current();

  /// Makes its thread work for `line`, as long as this object lives.
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
